import { type CanarySet, prepareCanaries } from './canary.js';

/** Lists of canaries that are kept: one for each conversation that is under way, say. */
const MOST_LISTS = 64;

/** Prepares a list of canaries once, since that takes far longer than to scan a reply, and replies come one after another. */
export class PreparedCanaries {
  readonly #lists = new Map<string, CanarySet>();

  /** @throws DetectError `bad-option` as {@link prepareCanaries} does. */
  of(canaries: readonly string[]): CanarySet {
    const key = JSON.stringify(canaries);
    const known = this.#lists.get(key);
    const set = known ?? prepareCanaries(canaries);
    // The one that was used last stands at the end.
    this.#lists.delete(key);
    this.#lists.set(key, set);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > MOST_LISTS && oldest !== undefined) this.#lists.delete(oldest);
    return set;
  }
}
