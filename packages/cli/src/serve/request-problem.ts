export type ProblemStatus = 400 | 401 | 404 | 405 | 408 | 413 | 415 | 429 | 500;

/** Why a request was refused, for the client. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  readonly status: ProblemStatus;

  constructor(status: ProblemStatus, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
