/** Timers as an argument, so that tests need not wait. */
export interface Timers {
  set(callback: () => void, milliseconds: number): unknown;
  clear(handle: unknown): void;
}

export const systemTimers: Timers = {
  set: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clear: (handle) => {
    clearTimeout(handle as NodeJS.Timeout);
  },
};

export type CancelReason = 'timeout' | 'aborted';

/** One trial's end from outside: the caller's signal or the trial's own time limit, whichever is first. */
export class Cancellation {
  readonly signal: AbortSignal;
  reason: CancelReason | undefined;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timers: Timers;
  readonly #timer: unknown;
  readonly #cancelled: Promise<never>;
  #reject: (error: Error) => void = () => {};

  constructor(outer: AbortSignal | undefined, timeoutMs: number | undefined, timers: Timers) {
    this.signal = this.#controller.signal;
    this.#outer = outer;
    this.#timers = timers;
    this.#cancelled = new Promise((_resolve, reject) => {
      this.#reject = reject;
    });
    // Nobody may be waiting when it happens.
    this.#cancelled.catch(() => {});
    if (timeoutMs !== undefined) {
      this.#timer = timers.set(() => {
        this.#cancel('timeout');
      }, timeoutMs);
    }
    if (outer?.aborted === true) this.#cancel('aborted');
    else outer?.addEventListener('abort', this.#onOuterAbort, { once: true });
  }

  /** The work's outcome, or a rejection as soon as the trial is cancelled, even when the work ignores the signal. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#cancelled]);
  }

  /** Lets go of the timer and of the caller's signal. */
  close(): void {
    if (this.#timer !== undefined) this.#timers.clear(this.#timer);
    this.#outer?.removeEventListener('abort', this.#onOuterAbort);
  }

  readonly #onOuterAbort = (): void => {
    this.#cancel('aborted');
  };

  #cancel(reason: CancelReason): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.#reject(new Error(reason));
    this.#controller.abort();
  }
}
