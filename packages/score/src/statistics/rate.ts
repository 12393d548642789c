/** An interval estimate, with the name of the method that made it. */
export interface Interval {
  /** Lower limit, in the unit of the estimate. */
  readonly low: number;
  /** Upper limit, in the unit of the estimate. */
  readonly high: number;
  /** How it was made, in words that a reader can look up. */
  readonly method: string;
  /** What stands against reading it as a 95 % interval, if anything does. */
  readonly note?: string;
}

/** A rate `k / n` as summaries print it: a share in [0, 1], and null (never 0) where `n` is 0. */
export interface Rate {
  readonly value: number | null;
  /** Count of the event. */
  readonly k: number;
  /** Count of the trials that could have shown it. */
  readonly n: number;
  /** Every interval that the design of the run allows, each named; empty where `n` is 0. */
  readonly intervals: readonly Interval[];
}

/** An event count over a trial count. */
export interface Counts {
  readonly k: number;
  readonly n: number;
}

/** The confidence level of every interval unless another is asked for. */
export const DEFAULT_CONFIDENCE = 0.95;

/** Builds a rate; intervals are dropped where there are no trials. */
export function rateOf(counts: Counts, intervals: readonly Interval[] = []): Rate {
  checkCounts(counts);
  const { k, n } = counts;
  return n === 0 ? { value: null, k, n, intervals: [] } : { value: k / n, k, n, intervals };
}

/** @throws RangeError unless `k` and `n` are integers with `0 <= k <= n` */
export function checkCounts({ k, n }: Counts): void {
  if (!Number.isSafeInteger(k) || !Number.isSafeInteger(n) || k < 0 || k > n) {
    throw new RangeError(`counts need integers 0 <= k <= n, found ${String(k)} of ${String(n)}`);
  }
}

/** @throws RangeError unless `0 < confidence < 1` */
export function checkConfidence(confidence: number): void {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`confidence must lie between 0 and 1, found ${String(confidence)}`);
  }
}
