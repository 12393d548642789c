const brand = Symbol.for('pab.detect.error');

export type DetectErrorCode =
  | 'bad-rule'
  | 'bad-option'
  | 'bad-model'
  | 'bad-text'
  | 'missing-package'
  | 'unfinished-reply'
  | 'unsupported-pattern';

/** Where in a rule file something stands; line and column count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Every failure `@pab/detect` reports on purpose. `code` is stable; `message` is for people. */
export class DetectError extends Error {
  override readonly name = 'DetectError';
  readonly [brand] = true;
  readonly code: DetectErrorCode;
  /** Only for `bad-rule` and `unsupported-pattern`. */
  readonly place: Place | undefined;

  constructor(
    code: DetectErrorCode,
    message: string,
    options: ErrorOptions & { readonly place?: Place } = {},
  ) {
    const { place, ...rest } = options;
    super(place ? `${place.file}:${place.line}:${place.column}: ${message}` : message, rest);
    this.code = code;
    this.place = place;
  }

  /** Holds across two installed copies of this package, where `instanceof` does not. */
  static is(error: unknown): error is DetectError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
