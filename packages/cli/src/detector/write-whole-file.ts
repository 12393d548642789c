import { mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CliError } from '../errors.js';
import { reasonOf } from './read-text.js';

/**
 * Writes a file at once: a reader sees the old one or the new one, never half of it. A link is followed; a device or a
 * pipe is written to and stays what it is.
 */
export async function writeWholeFile(path: string, text: string, cwd: string): Promise<void> {
  let temporary: string | undefined;
  try {
    const full = await targetOf(resolve(cwd, path));
    const known = await stat(full).catch(() => undefined);
    if (known !== undefined && !known.isFile()) {
      await writeFile(full, text);
      return;
    }
    await mkdir(dirname(full), { recursive: true });
    temporary = `${full}.${process.pid}.tmp`;
    await writeFile(temporary, text);
    await rename(temporary, full);
  } catch (cause) {
    if (temporary !== undefined) await rm(temporary, { force: true });
    throw new CliError(`cannot write ${path}${reasonOf(cause)}`, { cause });
  }
}

/** The file that a link leads to; the path itself where nothing is. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}
