import type { Readable, Writable } from 'node:stream';

/** Streams of a process, and its end. */
export interface ProcessStreams {
  readonly stdin: Pick<Readable, 'destroy'>;
  readonly stdout: Pick<Writable, 'on'>;
  readonly stderr: Pick<Writable, 'on' | 'write'>;
  readonly exit: (status: 2) => void;
}

/**
 * Says what becomes of a command whose streams break, since Node would end it with status 1, which means a finding.
 *
 * - A reader of standard output that goes away (`pab list | head`) interrupts the command, as Ctrl-C does. One that is
 *   done then ends with its own status: a finding stays a finding when nobody reads about it.
 * - Other trouble there, such as a full disk, ends it with status 2.
 * - Words that cannot be said change nothing.
 *
 * An interrupted command no longer waits for standard input.
 */
export function watchStreams(streams: ProcessStreams, interrupt: AbortController): void {
  const { stdin, stdout, stderr, exit } = streams;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Later writes are to a stream that is gone already.
    if (error.code === 'EPIPE' || interrupt.signal.aborted) interrupt.abort();
    else {
      stderr.write(`pab: standard output cannot be written: ${error.message}\n`);
      exit(2);
    }
  });
  stderr.on('error', () => {});
  interrupt.signal.addEventListener('abort', () => {
    stdin.destroy();
  });
}
