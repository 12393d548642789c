import { BUCKETS, fold, visitNgrams } from './ngrams.js';

/** Counted n-grams of one window: buckets in ascending order and how often each occurs. */
export interface Counts {
  readonly buckets: Int32Array;
  readonly counts: Int32Array;
}

/** A weighted row of the design matrix: `buckets` ascending, values scaled to length 1. */
export interface SparseRow {
  readonly buckets: Int32Array;
  readonly values: Float64Array;
}

/** Counts n-grams with one reusable table, so that a long text costs no memory per window. */
export class NgramCounter {
  readonly #table = new Int32Array(BUCKETS);

  count(window: string): Counts {
    const touched: number[] = [];
    visitNgrams(fold(window), (bucket) => {
      const before = this.#table[bucket] ?? 0;
      if (before === 0) touched.push(bucket);
      this.#table[bucket] = before + 1;
    });
    const buckets = Int32Array.from(touched).toSorted();
    const counts = new Int32Array(buckets.length);
    for (const [index, bucket] of buckets.entries()) {
      counts[index] = this.#table[bucket] ?? 0;
      this.#table[bucket] = 0;
    }
    return { buckets, counts };
  }
}

/** (1 + ln tf) · idf, scaled to length 1; buckets without an idf (0) are left out. */
export function weigh({ buckets, counts }: Counts, idf: ArrayLike<number>): SparseRow {
  const kept: number[] = [];
  const values: number[] = [];
  let squares = 0;
  for (let index = 0; index < buckets.length; index += 1) {
    const bucket = buckets[index] ?? 0;
    const weight = idf[bucket] ?? 0;
    if (weight === 0) continue;
    const value = (1 + Math.log(counts[index] ?? 1)) * weight;
    kept.push(bucket);
    values.push(value);
    squares += value * value;
  }
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return {
    buckets: Int32Array.from(kept),
    values: Float64Array.from(values, (value) => value * scale),
  };
}
