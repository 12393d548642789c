import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MOST_BYTES, readStdin, readTextFile } from '../../src/detector/read-text.js';
import { pab } from '../surroundings.js';
import { temporaryFolder } from './surroundings.js';

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

/** Zeros without end. */
async function* endless(counted: { bytes: number }): AsyncGenerator<Uint8Array> {
  for (;;) {
    counted.bytes += 65_536;
    yield new Uint8Array(65_536);
  }
}

/** A pipe to which nobody writes. */
const silent: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
};

describe('reading a text', () => {
  it('takes as much as it may and no more', async () => {
    const limit = { maxBytes: 5 };
    expect(await readStdin({ stdin: pieces('ab', 'cde') }, limit)).toBe('abcde');
    await expect(readStdin({ stdin: pieces('ab', 'cdef') }, limit)).rejects.toThrow(
      'standard input is longer than 5 bytes, the most that is read as one text; split it',
    );
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'five.txt'), 'ab\u20ac');
    expect(await readTextFile('five.txt', cwd, limit)).toBe('ab\u20ac');
    await expect(readTextFile('five.txt', cwd, { maxBytes: 4 })).rejects.toThrow(
      'five.txt is longer than 4 bytes',
    );
  });

  it('stops reading what does not end', async () => {
    const counted = { bytes: 0 };
    const stdin = endless(counted);
    await expect(readStdin({ stdin }, { maxBytes: 1_000_000 })).rejects.toThrow('1,000,000 bytes');
    expect(counted.bytes).toBeLessThan(1_100_000);
    expect((await stdin.next()).done).toBe(true);
  });

  it('has a limit that is said', () => {
    expect(MOST_BYTES).toBe(100_000_000);
  });
});

describe.skipIf(process.platform === 'win32')('a named pipe', () => {
  const pipe = (): string => {
    const cwd = temporaryFolder();
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(cwd, 'pipe')]);
    return cwd;
  };
  /** File operations that hold a thread. */
  const held = (): number =>
    process.getActiveResourcesInfo().filter((name) => name.startsWith('FSReq')).length;

  it('is read to its end, whenever its writer comes', async () => {
    const cwd = pipe();
    const read = readTextFile('pipe', cwd);
    await writeFile(join(cwd, 'pipe'), 'words\n'.repeat(50_000));
    expect(await read).toBe('words\n'.repeat(50_000));
  });

  it('says that it waits, and holds no thread that a Ctrl-C could not call off', async () => {
    const before = held();
    const interrupt = new AbortController();
    const said: string[] = [];
    const read = readTextFile('pipe', pipe(), {
      signal: interrupt.signal,
      patience: 0,
      waiting: (words) => {
        said.push(words);
        interrupt.abort();
      },
    });
    await expect(read).rejects.toMatchObject({
      message: 'interrupted while reading pipe',
      exit: 130,
    });
    expect(said).toEqual([
      'pipe is a pipe or a terminal and has not ended; Ctrl-C stops the waiting',
    ]);
    expect(held()).toBe(before);
  });

  it('has a bound like any file', async () => {
    const cwd = pipe();
    const read = readTextFile('pipe', cwd, { maxBytes: 4 });
    await Promise.all([
      expect(read).rejects.toThrow('pipe is longer than 4 bytes'),
      writeFile(join(cwd, 'pipe'), 'words'),
    ]);
  });

  it('is told from a folder, which is an error', async () => {
    const cwd = temporaryFolder();
    await expect(readTextFile('.', cwd)).rejects.toThrow('cannot read .: it is a folder');
  });
});

describe('pab scan', { timeout: 60_000 }, () => {
  it.skipIf(process.platform === 'win32')('exits 2 for a device that does not end', async () => {
    const { status, stderr, stdout } = await pab(['scan', '--file', '/dev/zero']);
    expect({ status, stderr, stdout }).toEqual({
      status: 2,
      stderr:
        'pab: /dev/zero is longer than 100,000,000 bytes, the most that is read as one text; split it\n',
      stdout: '',
    });
  });

  it('hears a Ctrl-C while it waits for standard input', async () => {
    const interrupt = new AbortController();
    const ended = pab(['scan', '-'], { stdin: silent, signal: interrupt.signal });
    setTimeout(() => interrupt.abort(), 20);
    expect(await ended).toEqual({
      status: 130,
      stdout: '',
      stderr: 'pab: interrupted while reading standard input\n',
    });
  });

  it('hears a Ctrl-C that came before it began to read, and takes back no reading that fails later', async () => {
    const gone: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('gone')) }),
    };
    const { status } = await pab(['scan'], { stdin: gone, signal: AbortSignal.abort() });
    expect(status).toBe(130);
  });

  it('hears a Ctrl-C between the texts of a file', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'prompts.txt'), 'What is for lunch?\n'.repeat(10));
    let clock = 0;
    const interrupt = new AbortController();
    const { status, stdout, stderr } = await pab(['scan', '--file', 'prompts.txt'], {
      cwd,
      signal: interrupt.signal,
      // Each scan takes a second, and the interruption comes in the third.
      elapsed: () => {
        if (clock === 3_000) setImmediate(() => interrupt.abort());
        clock += 500;
        return clock;
      },
    });
    expect([status, stdout]).toEqual([130, '']);
    expect(stderr).toMatch(/^pab: interrupted after \d of 10 texts\n$/);
  });
});
