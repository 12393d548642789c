import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CliError } from '../errors.js';
import { reasonOf } from './read-text.js';

/** Writes a file at once: a reader sees the old one or the new one, never half of it. */
export async function writeWholeFile(path: string, text: string, cwd: string): Promise<void> {
  const full = resolve(cwd, path);
  const temporary = `${full}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(full), { recursive: true });
    await writeFile(temporary, text);
    await rename(temporary, full);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new CliError(`cannot write ${path}${reasonOf(cause)}`, { cause });
  }
}
