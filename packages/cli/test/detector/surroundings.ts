import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandModule } from 'yargs';
import yargs from 'yargs';
import type { ExitStatus, Io } from '../../src/io.js';

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: ExitStatus;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
}

/** A folder of its own for a test. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pab-cli-'));
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  // In two pieces, so that a character may be parted.
  yield bytes.subarray(0, Math.floor(bytes.length / 2));
  yield bytes.subarray(Math.floor(bytes.length / 2));
}

/** Runs one command with streams of its own. Faults reject, as they do under `run`. */
export async function runCommand<T>(
  create: (io: Io) => CommandModule<object, T>,
  argv: readonly string[],
  { cwd = '.', stdin = '', env = {}, isTTY = false }: Surroundings = {},
): Promise<Outcome> {
  let [out, err] = ['', ''];
  let exit: ExitStatus = 0;
  let clock = 0;
  const io: Io = {
    stdout: { isTTY, write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    stdin: bytesOf(stdin),
    env,
    cwd,
    now: () => new Date('2026-01-02T03:04:05Z'),
    elapsed: () => (clock += 1),
    setExit: (code) => {
      exit = code;
    },
  };
  await yargs([...argv])
    .command(create(io))
    .strict()
    .parserConfiguration({ 'duplicate-arguments-array': true })
    .option('color', { type: 'boolean' })
    .exitProcess(false)
    .fail((message: string, error: Error | undefined) => {
      throw error ?? new Error(message);
    })
    .parseAsync();
  return { stdout: out, stderr: err, exit };
}
