#!/usr/bin/env node
import { setMaxListeners } from 'node:events';
import { watchStreams } from './process-streams.js';
import { run } from './run.js';

const interrupt = new AbortController();
// Every trial under way listens to it.
setMaxListeners(0, interrupt.signal);
// The first Ctrl-C lets the command keep what it has; the second ends it at once.
process.once('SIGINT', () => {
  interrupt.abort();
});
process.once('SIGTERM', () => {
  interrupt.abort();
});
watchStreams(process, interrupt);

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  now: () => new Date(),
  elapsed: () => performance.now(),
  signal: interrupt.signal,
});
