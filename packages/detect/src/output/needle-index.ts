/** Units by which a needle is looked up; none may be shorter. */
export const LEAST_NEEDLE = 6;

const FACTOR = 31;
const MASK = 0xffff;
/** What the first of the looked-up units adds to the hash. */
const OLDEST = (FACTOR ** (LEAST_NEEDLE - 1)) & MASK;

/**
 * Finds the first of many needles in one pass over a text, however many they are: a hash of the next six units says
 * for nearly every place that none begins there.
 */
export class NeedleIndex<N extends { readonly text: string }> {
  readonly #byHash = new Map<number, N[]>();
  readonly #has = new Uint8Array(MASK + 1);

  constructor(needles: Iterable<N>) {
    for (const needle of needles) {
      let hash = 0;
      for (let i = 0; i < LEAST_NEEDLE; i += 1) hash = step(hash, needle.text.charCodeAt(i));
      const same = this.#byHash.get(hash);
      if (same === undefined) this.#byHash.set(hash, [needle]);
      else same.push(needle);
      this.#has[hash] = 1;
    }
  }

  /** The needles that begin at the first place where one does. */
  first(text: string): { readonly at: number; readonly needles: readonly N[] } | undefined {
    if (this.#byHash.size === 0) return undefined;
    let hash = 0;
    for (let end = 0; end < text.length; end += 1) {
      const at = end - LEAST_NEEDLE + 1;
      hash = step(hash, text.charCodeAt(end));
      if (at >= 0 && this.#has[hash] === 1) {
        const needles = (this.#byHash.get(hash) ?? []).filter((one) =>
          text.startsWith(one.text, at),
        );
        if (needles.length > 0) return { at, needles };
      }
      if (at >= 0) hash = (hash - text.charCodeAt(at) * OLDEST) & MASK;
    }
    return undefined;
  }
}

function step(hash: number, unit: number): number {
  return (hash * FACTOR + unit) & MASK;
}
