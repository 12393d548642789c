import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Writes a file at once: a reader sees the old one or the new one, never half of it. A link is followed; a device or a
 * pipe is written to and stays what it is.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await realpath(path).catch(() => path);
  const held = await stat(file).catch(() => undefined);
  if (held !== undefined && !held.isFile()) {
    await writeFile(file, text);
    return;
  }
  const beside = `${file}.${process.pid}.part`;
  try {
    await writeFile(beside, text);
    await rename(beside, file);
  } catch (cause) {
    await rm(beside, { force: true });
    throw cause;
  }
}
