import { ratioLimits } from './cluster-bootstrap.js';
import { normalQuantile } from './normal-distribution.js';
import { type PairedTotal, sumPairs } from './paired-totals.js';
import { checkConfidence, DEFAULT_CONFIDENCE, type Interval } from './rate.js';
import { type ResamplingOptions, toColumns } from './resampling.js';

export interface PairedOptions extends ResamplingOptions {
  /** What the clusters are, for the name of the method. */
  readonly factor: string;
}

export interface PairedDifference {
  /** Rate of the second run less that of the first, in [-1, 1] (0.02 is two points); null without pairs. */
  readonly value: number | null;
  /** Number of pairs. */
  readonly n: number;
  readonly intervals: readonly Interval[];
}

/**
 * Difference of two rates over the same scenarios and trials, second less first, with the interval for
 * independent pairs (Bonett & Price 2012) and the cluster bootstrap, built as in {@link clusterInterval}.
 */
export function pairedDifference(
  totals: readonly PairedTotal[],
  options: PairedOptions,
): PairedDifference {
  const { confidence = DEFAULT_CONFIDENCE, factor } = options;
  checkConfidence(confidence);
  const { first, second, n } = sumPairs(totals);
  if (n === 0) return { value: null, n, intervals: [] };
  const independent = pairLimits(first, second, n, normalQuantile((1 + confidence) / 2));
  const columns = toColumns(
    totals.map((total) => ({
      sum: total.second - total.first,
      size: total.both + total.first + total.second + total.neither,
    })),
  );
  const clustered = ratioLimits(columns, { ...options, floor: -1, ceiling: 1, independent });
  return {
    value: (second - first) / n,
    n,
    intervals: [
      { ...independent, method: 'Bonett–Price' },
      { ...clustered, method: `cluster bootstrap by ${factor}` },
    ],
  };
}

/** Wald limits after half a pair is added to each cell (Bonett & Price 2012, adjusted Wald). */
function pairLimits(
  first: number,
  second: number,
  n: number,
  z: number,
): { low: number; high: number } {
  const p = (second + 1) / (n + 2);
  const q = (first + 1) / (n + 2);
  const half = z * Math.sqrt((p + q - (p - q) ** 2) / (n + 2));
  return { low: Math.max(-1, p - q - half), high: Math.min(1, p - q + half) };
}

export interface EquivalenceOptions extends PairedOptions {
  /** The difference that does not matter, as a share; 0.02 (two points) unless given. */
  readonly margin?: number;
  /** Error rate of each of the two one-sided tests; 0.05 unless given. */
  readonly alpha?: number;
}

export interface EquivalenceResult {
  /** Whether both one-sided tests reject, i.e. the interval lies inside (-margin, margin). */
  readonly equivalent: boolean;
  readonly margin: number;
  readonly alpha: number;
  /** The clustered interval at confidence `1 - 2 * alpha`; null without pairs. */
  readonly interval: Interval | null;
  /** The least margin at which these pairs would have passed; null without pairs. */
  readonly leastMargin: number | null;
}

/**
 * Two one-sided tests of equivalence (Schuirmann 1987) on the paired difference, clustered. Not being
 * equivalent is no sign of a difference: with few clusters nothing is shown either way.
 *
 * @throws RangeError unless `0 < alpha < 0.5` and `0 < margin <= 1`
 */
export function equivalenceTest(
  totals: readonly PairedTotal[],
  { margin = 0.02, alpha = 0.05, ...options }: EquivalenceOptions,
): EquivalenceResult {
  if (!(alpha > 0 && alpha < 0.5 && margin > 0 && margin <= 1)) {
    throw new RangeError(
      `equivalence needs 0 < alpha < 0.5 and 0 < margin <= 1, found ${String(alpha)} and ${String(margin)}`,
    );
  }
  const { intervals } = pairedDifference(totals, { ...options, confidence: 1 - 2 * alpha });
  const interval = intervals.at(-1) ?? null;
  if (interval === null) return { equivalent: false, margin, alpha, interval, leastMargin: null };
  const leastMargin = Math.max(Math.abs(interval.low), Math.abs(interval.high));
  return { equivalent: leastMargin < margin, margin, alpha, interval, leastMargin };
}
