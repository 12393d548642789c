import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExitStatus, run, type Surroundings } from '../src/index.js';

export interface Outcome {
  readonly status: ExitStatus;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in process, with a clock that stands still. */
export async function pab(
  args: readonly string[],
  change: Partial<Surroundings> = {},
): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  const status = await run(args, {
    stdout: { write: (text: string) => void (stdout += text) },
    stderr: { write: (text: string) => void (stderr += text) },
    env: {},
    cwd: tmpdir(),
    now: () => new Date('2027-01-01T00:00:00Z'),
    elapsed: () => 0,
    ...change,
  });
  return { status, stdout, stderr };
}

export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'pab-test-'));
