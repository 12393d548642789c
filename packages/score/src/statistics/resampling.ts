import { createRandom, type Random } from './random.js';

/** Resamples of every bootstrap and random permutations of every test, unless another number is asked for. */
export const DEFAULT_RESAMPLES = 10_000;

/** Under this number of clusters an interval carries a note instead of a claim of 95 % coverage. */
export const FEWEST_CLUSTERS = 10;

export interface ResamplingOptions {
  /** Seed of {@link createRandom}; the same totals and seed give the same bytes. */
  readonly seed: number;
  /** Number of resamples, at least 100; 10,000 unless given. */
  readonly resamples?: number;
  /** Confidence level; 0.95 unless given. */
  readonly confidence?: number;
}

/** @throws RangeError unless `resamples` is an integer of at least 100 */
export function checkResamples(resamples: number): void {
  if (!Number.isSafeInteger(resamples) || resamples < 100) {
    throw new RangeError(
      `resamples must be an integer of at least 100, found ${String(resamples)}`,
    );
  }
}

/** The note for a design whose clusters are too few for the claim; undefined where they are enough. */
export function fewClustersNote(clusters: number): string | undefined {
  return clusters < FEWEST_CLUSTERS
    ? `too few clusters (${String(clusters)} < ${String(FEWEST_CLUSTERS)}): coverage is not claimed`
    : undefined;
}

/** Beyond this number of clusters, random groups of them are drawn: the variance is the same, and time stays bounded. */
const MOST_UNITS = 5000;

/** Sums and sizes as flat arrays, in the order given, without clusters of size 0. */
export interface Columns {
  readonly sums: Float64Array;
  readonly sizes: Float64Array;
}

/** Lays out what is drawn: the clusters, or groups of them where there are more than 5,000. */
export function toColumns(totals: readonly { sum: number; size: number }[]): Columns {
  const filled = totals.filter(({ size }) => size > 0);
  const units = Math.min(filled.length, MOST_UNITS);
  const sums = new Float64Array(units);
  const sizes = new Float64Array(units);
  const groups = dealGroups(filled.length, MOST_UNITS);
  filled.forEach(({ sum, size }, index) => {
    const unit = groups[index] ?? 0;
    sums[unit] = (sums[unit] ?? 0) + sum;
    sizes[unit] = (sizes[unit] ?? 0) + size;
  });
  return { sums, sizes };
}

/**
 * Deals `count` things, in the order of their keys, into at most `most` groups of nearly equal number: each
 * its own while they are few, else shuffled first, because keys in order may come in periods.
 */
export function dealGroups(count: number, most: number): Uint32Array {
  const groups = Uint32Array.from({ length: count }, (_, index) => index % most);
  if (count <= most) return groups;
  const random = createRandom(0);
  for (let index = count - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    const moved = groups[index] ?? 0;
    groups[index] = groups[other] ?? 0;
    groups[other] = moved;
  }
  return groups;
}

/** Ratios of sums to sizes over clusters drawn with replacement (Efron 1979), in rising order. */
export function drawClusters(
  { sums, sizes }: Columns,
  resamples: number,
  random: Random,
): Float64Array {
  const count = sums.length;
  const ratios = new Float64Array(resamples);
  for (let index = 0; index < resamples; index += 1) {
    let sum = 0;
    let size = 0;
    for (let draw = 0; draw < count; draw += 1) {
      const cluster = random.below(count);
      sum += sums[cluster] ?? 0;
      size += sizes[cluster] ?? 0;
    }
    ratios[index] = sum / size;
  }
  return ratios.toSorted();
}

/**
 * Ratios under random weights (Rubin's 1981 Bayesian bootstrap), in rising order: each cluster has an
 * exponential weight; the two pseudo-clusters at `top` and `bottom` have gamma weights of shape 1/2.
 */
export function drawWeights(
  { sums, sizes }: Columns,
  pseudo: { readonly top: number; readonly bottom: number; readonly size: number },
  resamples: number,
  random: Random,
): Float64Array {
  const ratios = new Float64Array(resamples);
  for (let index = 0; index < resamples; index += 1) {
    const up = halfGamma(random) * pseudo.size;
    const down = halfGamma(random) * pseudo.size;
    let sum = up * pseudo.top + down * pseudo.bottom;
    let size = up + down;
    for (let cluster = 0; cluster < sums.length; cluster += 1) {
      const weight = exponential(random);
      sum += weight * (sums[cluster] ?? 0);
      size += weight * (sizes[cluster] ?? 0);
    }
    ratios[index] = sum / size;
  }
  return ratios.toSorted();
}

function exponential(random: Random): number {
  // Half a step away from 0, so that the logarithm stays finite.
  return -Math.log((random.next() + 0.5) / 0x1_0000_0000);
}

/** Gamma of shape 1/2 and scale 1: half the square of a Box–Muller normal. */
function halfGamma(random: Random): number {
  const cosine = Math.cos((2 * Math.PI * random.next()) / 0x1_0000_0000);
  return exponential(random) * cosine * cosine;
}
