import { CliError } from '../errors.js';
import type { Executed } from './execute.js';

/** Failures on the way to a model: nobody there, no answer in time, or an answer that says no. */
const ON_THE_WAY: ReadonlySet<string> = new Set(['network', 'timeout', 'http']);

/** The model was reached by no trial, so there is nothing to sum up. */
export class NothingReached extends CliError {}

/** Reasons that a message names. */
const SHOWN = 3;

/**
 * Holds back trials that failed on the way to a model, until one that did not comes after them. So many in a row mean that
 * nothing is to be learnt from the rest: they are no data then, and are run again on resume.
 */
export class OutOfReach {
  readonly #limit: number;
  #held: Executed[] = [];

  /** @param limit Failures in a row from which on it is no use; 0 for any number of them. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes the next trial in order, and gives those that count now. */
  next(executed: Executed): readonly Executed[] {
    const { stop, error } = executed.transcript;
    if (this.#limit > 0 && stop === 'error' && ON_THE_WAY.has(error?.code ?? '')) {
      this.#held.push(executed);
      return [];
    }
    return [...this.rest(), executed];
  }

  /** Those that are held back, when no more come. */
  rest(): readonly Executed[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  /** Why it is no use to go on, in words; undefined while it may be. */
  get reason(): string | undefined {
    if (this.#limit === 0 || this.#held.length < this.#limit) return undefined;
    const counts = new Map<string, number>();
    for (const { transcript } of this.#held) {
      const reason = `${transcript.error?.code}: ${transcript.error?.message}`;
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    const said = [...counts].slice(0, SHOWN).map(([reason, trials]) => `${trials} × ${reason}`);
    return `${this.#held.length} trials in a row failed on the way to the model (${said.join('; ')})`;
  }
}
