import { rename, writeFile } from 'node:fs/promises';
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
  const file = resolve(io.cwd, output);
  try {
    await writeFile(`${file}.part`, ended);
    await rename(`${file}.part`, file);
  } catch (cause) {
    throw new CliError(
      `${output} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
