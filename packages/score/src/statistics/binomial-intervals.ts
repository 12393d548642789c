import { betaQuantile } from './beta-distribution.js';
import { normalQuantile } from './normal-distribution.js';
import {
  type Counts,
  checkConfidence,
  checkCounts,
  DEFAULT_CONFIDENCE,
  type Interval,
} from './rate.js';

export interface IntervalOptions {
  /** Share of repetitions in which the interval should hold the true value; 0.95 unless given. */
  readonly confidence?: number;
}

/**
 * Score interval of Wilson (1927) for `k` of `n` independent trials, without continuity correction.
 *
 * @returns null where `n` is 0
 * @throws RangeError for impossible counts or confidence
 */
export function wilsonInterval(
  counts: Counts,
  { confidence = DEFAULT_CONFIDENCE }: IntervalOptions = {},
): Interval | null {
  checkCounts(counts);
  checkConfidence(confidence);
  if (counts.n === 0) return null;
  const limits = scoreLimits(counts.k / counts.n, counts.n, normalQuantile((1 + confidence) / 2));
  return { ...limits, method: 'Wilson' };
}

/**
 * Exact interval of Clopper & Pearson (1934) for `k` of `n` independent trials: never covers less than
 * asked for, usually more.
 *
 * @returns null where `n` is 0
 * @throws RangeError for impossible counts or confidence
 */
export function clopperPearsonInterval(
  counts: Counts,
  { confidence = DEFAULT_CONFIDENCE }: IntervalOptions = {},
): Interval | null {
  checkCounts(counts);
  checkConfidence(confidence);
  const { k, n } = counts;
  if (n === 0) return null;
  const tail = (1 - confidence) / 2;
  return {
    low: k === 0 ? 0 : betaQuantile(tail, k, n - k + 1),
    high: k === n ? 1 : betaQuantile(1 - tail, k + 1, n - k),
    method: 'Clopper–Pearson',
  };
}

/** Limits of the score interval for a share of a (possibly fractional) number of trials, at critical value `z`. */
export function scoreLimits(share: number, size: number, z: number): { low: number; high: number } {
  const shrink = 1 + (z * z) / size;
  const centre = (share + (z * z) / (2 * size)) / shrink;
  const half =
    (z / shrink) * Math.sqrt((share * (1 - share)) / size + ((z / size) * (z / size)) / 4);
  return {
    // At the ends rounding would leave a limit of 1e-17 where it is 0 by algebra.
    low: share === 0 ? 0 : Math.max(0, centre - half),
    high: share === 1 ? 1 : Math.min(1, centre + half),
  };
}
