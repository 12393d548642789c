const brand = Symbol.for('pab.harvest.error');

export type HarvestErrorCode =
  | 'bad-option'
  | 'empty'
  | 'gated'
  | 'hash-mismatch'
  | 'hub-failed'
  | 'missing-file'
  | 'not-found'
  | 'offline'
  | 'output-exists'
  | 'unknown-format'
  | 'unreadable';

/** Every failure `@pab/harvest` reports on purpose. `code` is stable; `message` is for people. */
export class HarvestError extends Error {
  override readonly name = 'HarvestError';
  readonly [brand] = true;
  readonly code: HarvestErrorCode;

  constructor(code: HarvestErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Holds across two installed copies of this package, where `instanceof` does not. */
  static is(error: unknown): error is HarvestError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
