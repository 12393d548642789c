import { scoreLimits } from './binomial-intervals.js';
import type { ClusterTotal } from './cluster-totals.js';
import { normalCdf, normalQuantile } from './normal-distribution.js';
import { quantile } from './quantile.js';
import { createRandom } from './random.js';
import { checkConfidence, DEFAULT_CONFIDENCE, type Interval } from './rate.js';
import {
  type Columns,
  checkResamples,
  DEFAULT_RESAMPLES,
  drawClusters,
  drawWeights,
  fewClustersNote,
  type ResamplingOptions,
  toColumns,
} from './resampling.js';
import { studentQuantile } from './student-distribution.js';

export type Correction = 'small-sample' | 'bias' | 'none';

const METHODS: Readonly<Record<Correction, string>> = {
  'small-sample': 'cluster bootstrap',
  bias: 'bias-corrected cluster bootstrap',
  none: 'percentile cluster bootstrap',
};

export interface ClusterBootstrapOptions extends ResamplingOptions {
  /** What the clusters are, for the name of the method: `goal`, `scenario`, `task`. */
  readonly factor: string;
  /**
   * `none` gives the plain percentile interval, `bias` the bias-corrected one (Efron 1981). Both cover far less than 95 % where
   * events are rare or clusters few; they are there to compare with numbers published elsewhere.
   */
  readonly correction?: Correction;
}

/**
 * Interval for a rate (or the mean of any value in [0, 1]) from clusters that were drawn at random, while the trials inside a
 * cluster may be as alike as they please.
 *
 * The limits are the outermost of three, because each alone fails somewhere on the committed grid
 * (docs/results/statistics/coverage.md):
 * 1. the bias-corrected percentile interval of the cluster bootstrap (Efron 1981), with the bias taken from the
 *    skewness of the clusters (as it is to second order for a mean, DiCiccio & Efron 1996) and Student's
 *    critical value for the number of clusters in place of the normal one;
 * 2. a Bayesian bootstrap (Rubin 1981) of the clusters with half a pseudo-cluster towards each end, as
 *    Jeffreys' prior does for a binomial: an event that only few clusters showed may be common in
 *    clusters not drawn. The pseudo-cluster stands at the highest rate seen, moved towards 1 by
 *    `1 / sqrt(c + 1)` of the way, where `c` clusters showed the event (mirrored at the low end);
 * 3. Wilson's interval over the trials, which is right when clusters do not matter.
 *
 * @returns null where there are no trials; [0, 1] with a note for one cluster
 * @throws RangeError for options out of range
 */
export function clusterInterval(
  totals: readonly ClusterTotal[],
  options: ClusterBootstrapOptions,
): Interval | null {
  const { factor, correction = 'small-sample', confidence = DEFAULT_CONFIDENCE } = options;
  checkConfidence(confidence);
  const columns = toColumns(totals);
  const size = total(columns.sizes);
  if (size === 0) return null;
  const share = total(columns.sums) / size;
  const independent = scoreLimits(share, size, normalQuantile((1 + confidence) / 2));
  const limits = ratioLimits(columns, {
    ...options,
    floor: 0,
    ceiling: 1,
    independent,
    correction,
  });
  return { ...limits, method: `${METHODS[correction]} by ${factor}` };
}

export interface RatioOptions extends ResamplingOptions {
  /** Least possible value of a single trial. */
  readonly floor: number;
  /** Greatest possible value of a single trial. */
  readonly ceiling: number;
  /** Limits that would hold if the trials were independent. */
  readonly independent: { readonly low: number; readonly high: number };
  readonly correction?: Correction;
}

/** The limits of {@link clusterInterval} for a mean of values between `floor` and `ceiling`. */
export function ratioLimits(
  columns: Columns,
  options: RatioOptions,
): { low: number; high: number; note?: string } {
  const { seed, resamples = DEFAULT_RESAMPLES, confidence = DEFAULT_CONFIDENCE } = options;
  const { floor, ceiling, independent, correction = 'small-sample' } = options;
  checkConfidence(confidence);
  checkResamples(resamples);
  const clusters = columns.sums.length;
  if (clusters < 2) return { low: floor, high: ceiling, note: 'one cluster: no interval' };
  const random = createRandom(seed);
  const drawn = drawClusters(columns, resamples, random);
  const tail = (1 - confidence) / 2;
  const note = fewClustersNote(clusters);
  const noted = note === undefined ? {} : { note };
  if (correction === 'none') {
    return { low: quantile(drawn, tail), high: quantile(drawn, 1 - tail), ...noted };
  }
  if (correction === 'bias') {
    const shift = 2 * medianBias(columns);
    const normal = normalQuantile(1 - tail);
    const cut = (critical: number): number => quantile(drawn, normalCdf(shift + critical));
    return { low: cut(-normal), high: cut(normal), ...noted };
  }
  const weighted = drawWeights(columns, pseudoClusters(columns, floor, ceiling), resamples, random);
  const bias = medianBias(columns);
  const critical = studentQuantile((1 + confidence) / 2, clusters - 1);
  const cutLow = quantile(drawn, normalCdf(2 * bias - critical));
  const cutHigh = quantile(drawn, normalCdf(2 * bias + critical));
  const low = Math.min(cutLow, quantile(weighted, tail), independent.low);
  const high = Math.max(cutHigh, quantile(weighted, 1 - tail), independent.high);
  return { low: Math.max(floor, low), high: Math.min(ceiling, high), ...noted };
}

/** A sixth of the skewness of the clusters' residuals, in [-1/6, 1/6]: the standard score of a ratio's median bias. */
function medianBias({ sums, sizes }: Columns): number {
  const ratio = total(sums) / total(sizes);
  let squares = 0;
  let cubes = 0;
  for (let index = 0; index < sums.length; index += 1) {
    const residual = (sums[index] ?? 0) - ratio * (sizes[index] ?? 0);
    squares += residual * residual;
    cubes += residual * residual * residual;
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

function pseudoClusters({ sums, sizes }: Columns, floor: number, ceiling: number) {
  // Where values can be negative (a difference), a cluster shows the event when it leaves 0 that way.
  const centreLow = floor < 0 ? 0 : floor;
  const centreHigh = floor < 0 ? 0 : ceiling;
  let highest = centreLow;
  let lowest = centreHigh;
  let above = 0;
  let below = 0;
  for (let index = 0; index < sums.length; index += 1) {
    const mean = (sums[index] ?? 0) / (sizes[index] ?? 1);
    if (mean > highest) highest = mean;
    if (mean < lowest) lowest = mean;
    if (mean > centreLow) above += 1;
    if (mean < centreHigh) below += 1;
  }
  return {
    top: highest + (ceiling - highest) / Math.sqrt(above + 1),
    bottom: lowest - (lowest - floor) / Math.sqrt(below + 1),
    size: total(sizes) / sizes.length,
  };
}

function total(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
