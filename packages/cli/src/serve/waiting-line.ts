export interface WaitingLineOptions {
  /** Scans in the line, the one under way included. */
  readonly most: number;
  /** UTF-16 units of their bodies together; one may stand alone however long it is. */
  readonly mostUnits: number;
  /** Waits for some turns of the event loop; a test may hold it back. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** A turn takes one new connection, or one piece of a body: so many are seen to after a long scan. */
const TURNS = 48;
/** Units of a body from which on its scan is long. */
const LONG = 16_384;

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

async function nextTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

/**
 * Lets scans run one after the other, with turns of the event loop between them. A scan holds the thread; in between,
 * what has arrived meanwhile is read, counted and, where there are too many, refused, and `/healthz` is answered.
 */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  #last: Promise<void> = Promise.resolve();
  #count = 0;
  #units = 0;
  /** Units of the body that was scanned last. */
  #before = 0;

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
    const { mostUnits, pause } = this.#options;
    if (this.full || (this.#count > 0 && this.#units + units > mostUnits)) return undefined;
    this.#count += 1;
    this.#units += units;
    const wait = pause ?? (() => nextTurns(this.#before > LONG ? TURNS : 1));
    const done = this.#last.then(wait).then(() => {
      this.#count -= 1;
      this.#units -= units;
      this.#before = units;
      return work();
    });
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }
}
