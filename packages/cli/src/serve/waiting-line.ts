export interface WaitingLineOptions {
  /** Scans in the line, the one under way included. */
  readonly most: number;
  /** UTF-16 units of their bodies together; one may stand alone however long it is. */
  readonly mostUnits: number;
  /** Waits for a turn of the event loop; a test may hold it back. */
  readonly pause?: (() => Promise<void>) | undefined;
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/**
 * Lets scans run one after the other, each in a turn of the event loop of its own. A scan holds the thread; in between,
 * what has arrived meanwhile is read, counted and, where there are too many, refused, and `/healthz` is answered.
 */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  #last: Promise<void> = Promise.resolve();
  #count = 0;
  #units = 0;

  constructor(options: WaitingLineOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether no further scan finds a place, however short its text. */
  get full(): boolean {
    return this.#count >= this.#options.most;
  }

  /** Does the work when it is its turn. Nothing, and at once, when there is no place for it. */
  run<T>(units: number, work: () => T): Promise<T> | undefined {
    const { mostUnits, pause = nextTurn } = this.#options;
    if (this.full || (this.#count > 0 && this.#units + units > mostUnits)) return undefined;
    this.#count += 1;
    this.#units += units;
    const done = this.#last.then(pause).then(() => {
      this.#count -= 1;
      this.#units -= units;
      return work();
    });
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }
}
