import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { openFile } from './open-file.js';

/** Bytes of one text that are read at most. Devices and pipes may never end, and a file that long is better split. */
export const MOST_BYTES = 100_000_000;

export interface ReadOptions {
  /** Bytes; more of them are an error. */
  readonly maxBytes?: number;
  /** Ends the reading, with exit status 130. */
  readonly signal?: AbortSignal | undefined;
  /** Told when a pipe or a terminal is waited for. */
  readonly waiting?: ((words: string) => void) | undefined;
  /** Milliseconds of waiting until it is told, 1000. */
  readonly patience?: number;
}

/** What comes next, or nothing when the signal comes first. */
async function nextOf<T>(source: AsyncIterator<T>, signal: AbortSignal | undefined) {
  if (signal === undefined) return source.next();
  const { done, promise } = aborted(signal);
  try {
    return await Promise.race([source.next(), promise]);
  } finally {
    done();
  }
}

function aborted(signal: AbortSignal): { promise: Promise<undefined>; done: () => void } {
  const listening = new AbortController();
  const promise = new Promise<undefined>((settle) => {
    if (signal.aborted) settle(undefined);
    else signal.addEventListener('abort', () => settle(undefined), { signal: listening.signal });
  });
  return { promise, done: () => listening.abort() };
}

/**
 * Reads bytes to their end, as UTF-8.
 *
 * @throws CliError when there are more than `maxBytes`, and with exit status 130 when the signal comes before the end
 */
async function readAll(
  source: AsyncIterable<Uint8Array>,
  what: string,
  { maxBytes = MOST_BYTES, signal }: ReadOptions,
): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  const chunks = source[Symbol.asyncIterator]();
  for (;;) {
    const next = await nextOf(chunks, signal);
    if (next === undefined) throw new CliError(`interrupted while reading ${what}`, { exit: 130 });
    if (next.done === true) break;
    size += next.value.length;
    if (size > maxBytes) {
      await chunks.return?.();
      throw new CliError(
        `${what} is longer than ${maxBytes.toLocaleString('en')} bytes, the most that is read as one text; split it`,
      );
    }
    pieces.push(decoder.decode(next.value, { stream: true }));
  }
  pieces.push(decoder.decode());
  return pieces.join('');
}

/** Reads standard input to its end, as UTF-8. */
export async function readStdin(
  { stdin, signal }: Pick<Io, 'stdin' | 'signal'>,
  options: Pick<ReadOptions, 'maxBytes'> = {},
): Promise<string> {
  if (stdin === undefined) throw new CliError('there is no standard input to read');
  return readAll(stdin, 'standard input', { ...options, signal });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'its permissions do not allow it',
  ENXIO: 'it is a socket or a device that nobody serves',
  ENOTDIR: 'a part of the path is a file',
};

/** Why the system did not let a file be read or written, to be put behind a message; empty when there is no word for it. */
export function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  const reason =
    typeof code === 'string' && Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return reason === undefined ? '' : `: ${reason}`;
}

/**
 * Reads a text file as UTF-8; bytes that are not become replacement characters. Of a pipe or a terminal all is read that
 * comes before its end.
 */
export async function readTextFile(
  path: string,
  cwd: string,
  options: ReadOptions = {},
): Promise<string> {
  const { waiting, patience = 1000 } = options;
  let notice: NodeJS.Timeout | undefined;
  let file: Readable | undefined;
  try {
    const { bytes, waits } = await openFile(resolve(cwd, path));
    file = bytes;
    if (waits && waiting !== undefined) {
      notice = setTimeout(() => {
        waiting(`${path} is a pipe or a terminal and has not ended; Ctrl-C stops the waiting`);
      }, patience);
    }
    return await readAll(bytes, path, options);
  } catch (cause) {
    if (CliError.is(cause)) throw cause;
    throw new CliError(`cannot read ${path}${reasonOf(cause)}`, { cause });
  } finally {
    clearTimeout(notice);
    file?.destroy();
  }
}
