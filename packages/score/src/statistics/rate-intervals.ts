import { wilsonInterval } from './binomial-intervals.js';
import { type ClusterBootstrapOptions, clusterInterval } from './cluster-bootstrap.js';
import type { ClusterTotal, CrossedTotals } from './cluster-totals.js';
import { type PigeonholeOptions, pigeonholeAround } from './pigeonhole-bootstrap.js';
import { type Interval, type Rate, rateOf } from './rate.js';

/** A rate with its Wilson interval and the cluster bootstrap by one factor. */
export function clusteredRate(
  totals: readonly ClusterTotal[],
  options: ClusterBootstrapOptions,
): Rate {
  const counts = countsOf(totals);
  return rateOf(
    counts,
    present([wilsonInterval(counts, options), clusterInterval(totals, options)]),
  );
}

/**
 * A rate with every interval of a crossed design, each named: Wilson (as if trials were independent),
 * cluster bootstrap by column (by goal, when columns are goals), pigeonhole bootstrap by both.
 */
export function crossedRate(totals: CrossedTotals, options: PigeonholeOptions): Rate {
  const columns = totals.columns();
  const counts = countsOf(columns);
  const byColumn = clusterInterval(columns, { ...options, factor: options.columns });
  const byBoth = pigeonholeAround(totals, byColumn, options);
  return rateOf(counts, present([wilsonInterval(counts, options), byColumn, byBoth]));
}

/** Events and trials over all clusters. */
export function countsOf(totals: readonly ClusterTotal[]): { k: number; n: number } {
  let k = 0;
  let n = 0;
  for (const { sum, size } of totals) {
    k += sum;
    n += size;
  }
  return { k, n };
}

function present(intervals: readonly (Interval | null)[]): Interval[] {
  return intervals.filter((interval) => interval !== null);
}
