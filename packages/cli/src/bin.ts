#!/usr/bin/env node
import { hideBin } from 'yargs/helpers';
import { run } from './run.js';

const interrupt = new AbortController();
// The first Ctrl-C lets the command keep what it has; the second ends it at once.
process.once('SIGINT', () => {
  interrupt.abort();
});
process.once('SIGTERM', () => {
  interrupt.abort();
});
// A reader that went away (`pab list | head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await run(hideBin(process.argv), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  now: () => new Date(),
  elapsed: () => performance.now(),
  signal: interrupt.signal,
});
