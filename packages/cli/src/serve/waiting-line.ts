/**
 * Lets scans run one after the other, each in a turn of the event loop of its own. A scan holds the thread; in between,
 * what has arrived meanwhile is read, counted and, where there are too many, refused, and `/healthz` is answered.
 */
export class WaitingLine {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is the caller's turn; the caller then does its work without waiting for anything. */
  turn(): Promise<void> {
    this.#last = this.#last.then(
      () =>
        new Promise((resolve) => {
          setImmediate(resolve);
        }),
    );
    return this.#last;
  }
}
