import { RequestProblem } from './request-problem.js';

export interface ArrivalsOptions {
  /** Bodies that may be on their way at once. */
  readonly most: number;
  /** Milliseconds that a body may take. */
  readonly timeout: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
}

/** A body that is on its way. */
export interface Arrival {
  /** Aborted, with a {@link RequestProblem} as its reason, when the body takes too long. */
  readonly signal: AbortSignal;
  /** To be called when the body is there, or will not come. */
  readonly leave: () => void;
}

/** Milliseconds after which a body has to make room for others. Honest ones are there in less. */
const PATIENCE = 1_000;

/**
 * Bounds the bodies that are on their way, and the time that each may take. When there are too many, the one that has taken
 * longest gives way, so that slow senders keep nobody out.
 */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  /** In the order in which they began. */
  readonly #under = new Map<AbortController, number>();

  constructor(options: ArrivalsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#under.size;
  }

  /** Nothing when there are too many, and none of them has had its time. */
  enter(): Arrival | undefined {
    const { most, timeout, elapsed } = this.#options;
    if (this.#under.size >= most) {
      const [oldest, since = 0] = this.#under.entries().next().value ?? [];
      if (oldest === undefined || elapsed() - since < PATIENCE) return undefined;
      this.#under.delete(oldest);
      oldest.abort(new RequestProblem(408, 'the body came too slowly, and others wait'));
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const seconds = (timeout / 1_000).toString();
      controller.abort(new RequestProblem(408, `the body took longer than ${seconds} seconds`));
    }, timeout);
    this.#under.set(controller, elapsed());
    const leave = () => {
      clearTimeout(timer);
      this.#under.delete(controller);
    };
    return { signal: controller.signal, leave };
  }
}
