import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CliError } from '../errors.js';
import { replaceFile } from '../output/replace-file.js';
import { reasonOf } from './read-text.js';

/** Writes a file at once, with the folders that lead to it. */
export async function writeWholeFile(path: string, text: string, cwd: string): Promise<void> {
  const full = resolve(cwd, path);
  try {
    await mkdir(dirname(full), { recursive: true });
    await replaceFile(full, text);
  } catch (cause) {
    throw new CliError(`cannot write ${path}${reasonOf(cause)}`, { cause });
  }
}
