import type { ExitStatus } from './io.js';

const brand = Symbol.for('pab.cli.error');

/** A command could not do what it was asked; `message` says what was found, where, and what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly [brand] = true;
  readonly exit: ExitStatus;

  constructor(message: string, { exit = 2, cause }: { exit?: ExitStatus; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.exit = exit;
  }

  static is(error: unknown): error is CliError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
