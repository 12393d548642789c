import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs with a folder outside of the repository that is gone afterwards. */
export async function withThrowAwayFolder<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'pab-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command and gives its output; says what failed. */
export function runCommand(command: string, args: readonly string[], cwd: string): string {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0) {
    throw new Error(
      `${command} ${args[0] ?? ''} failed: ${(done.error?.message ?? done.stderr).slice(-500)}`,
    );
  }
  return done.stdout;
}
