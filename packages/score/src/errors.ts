const brand = Symbol.for('pab.score.error');

export type ScoreErrorCode = 'no-trials' | 'invalid-trial' | 'invalid-options';

/** Every failure that `@pab/score` reports on purpose. `code` is stable; `message` is for people. */
export class ScoreError extends Error {
  override readonly name = 'ScoreError';
  readonly [brand] = true;
  readonly code: ScoreErrorCode;

  constructor(code: ScoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Holds across two installed copies of this package, where `instanceof` does not. */
  static is(error: unknown): error is ScoreError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
