import { resolve } from 'node:path';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { replaceFile } from './replace-file.js';

/** Writes data to stdout, or whole to the file that `--output` names. */
export async function emit(io: Io, text: string, output: string | undefined): Promise<void> {
  const ended = text.endsWith('\n') ? text : `${text}\n`;
  if (output === undefined) {
    io.stdout.write(ended);
    return;
  }
  if (output === '') throw new CliError('--output is empty; is a variable of your script not set?');
  try {
    await replaceFile(resolve(io.cwd, output), ended);
  } catch (cause) {
    throw new CliError(
      `${output} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
