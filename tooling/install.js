// Installs the dependencies when they are missing or older than the lockfile, so that `npm start`
// and `npm test` each work alone on a fresh clone.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const lock = new URL('../pnpm-lock.yaml', import.meta.url);
const stamp = new URL('../node_modules/.pab-lock', import.meta.url);

/** @param {URL} file */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

const wanted = textOf(lock);
if (wanted === undefined || textOf(stamp) !== wanted) {
  const { status } = spawnSync('npm', ['run', 'setup'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
  if (wanted !== undefined) writeFileSync(stamp, wanted);
}
