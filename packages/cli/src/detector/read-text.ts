import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';

/** Reads standard input to its end, as UTF-8. */
export async function readStdin({ stdin }: Pick<Io, 'stdin'>): Promise<string> {
  if (stdin === undefined) throw new CliError('there is no standard input to read');
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for await (const chunk of stdin) pieces.push(decoder.decode(chunk, { stream: true }));
  pieces.push(decoder.decode());
  return pieces.join('');
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'its permissions do not allow it',
  ENOTDIR: 'a part of the path is a file',
};

/** Why the system did not let a file be read or written, to be put behind a message; empty when there is no word for it. */
export function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  const reason =
    typeof code === 'string' && Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return reason === undefined ? '' : `: ${reason}`;
}

/** Reads a text file as UTF-8; bytes that are not become replacement characters. */
export async function readTextFile(path: string, cwd: string): Promise<string> {
  try {
    return new TextDecoder().decode(await readFile(resolve(cwd, path)));
  } catch (cause) {
    throw new CliError(`cannot read ${path}${reasonOf(cause)}`, { cause });
  }
}
