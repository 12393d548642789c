const brand = Symbol.for('pab.model.error');

export type ModelErrorCode = 'invalid-corpus' | 'invalid-scenario' | 'invalid-options';

/** Every failure that `@pab/model` reports on purpose. `code` is stable; `message` is for people. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly [brand] = true;
  readonly code: ModelErrorCode;

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Holds across two installed copies of this package, where `instanceof` does not. */
  static is(error: unknown): error is ModelError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}

const targetBrand = Symbol.for('pab.model.target-error');

export type TargetErrorCode =
  | 'http'
  | 'timeout'
  | 'network'
  | 'malformed-response'
  | 'empty-response'
  | 'aborted'
  | 'target-failed';

/** A target or its provider failed: missing data, never success and never resistance. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly [targetBrand] = true;
  readonly code: TargetErrorCode;

  constructor(code: TargetErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  static is(error: unknown): error is TargetError {
    return typeof error === 'object' && error !== null && targetBrand in error;
  }
}
