import { realpath, rename, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';

/** Writes data to stdout, or whole to the file that `--output` names. */
export async function emit(io: Io, text: string, output: string | undefined): Promise<void> {
  const ended = text.endsWith('\n') ? text : `${text}\n`;
  if (output === undefined) {
    io.stdout.write(ended);
    return;
  }
  if (output === '') throw new CliError('--output is empty; is a variable of your script not set?');
  const named = resolve(io.cwd, output);
  try {
    // A link stays a link: what it leads to is written.
    const file = await realpath(named).catch(() => named);
    const held = await stat(file).catch(() => undefined);
    if (held === undefined || held.isFile()) {
      await writeFile(`${file}.part`, ended);
      await rename(`${file}.part`, file);
    } else await writeFile(file, ended);
  } catch (cause) {
    throw new CliError(
      `${output} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
