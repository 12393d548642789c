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

/** Reads a text file as UTF-8; bytes that are not become replacement characters. */
export async function readTextFile(path: string, cwd: string): Promise<string> {
  try {
    return new TextDecoder().decode(await readFile(resolve(cwd, path)));
  } catch (cause) {
    throw new CliError(`cannot read ${path}`, { cause });
  }
}
