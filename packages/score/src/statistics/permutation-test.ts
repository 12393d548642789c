import type { PairedTotal } from './paired-totals.js';
import { createRandom } from './random.js';
import { checkResamples, DEFAULT_RESAMPLES } from './resampling.js';

/** Up to this number of clusters that differ, all sign patterns are gone through: 2^16 of them. */
const MOST_ENUMERATED = 16;

export interface PermutationResult {
  /** Two-sided p-value. */
  readonly p: number;
  /** Whether every sign pattern was counted; otherwise the patterns were drawn at random. */
  readonly exact: boolean;
  /** Clusters in which the two runs differ in sum; the others cannot change the statistic. */
  readonly clusters: number;
  /** Sign patterns counted or drawn. */
  readonly patterns: number;
}

/**
 * Paired permutation test by cluster (Fisher's sign flips): under the hypothesis that the two runs are
 * exchangeable, each cluster's difference is as likely to have the other sign. The statistic is the
 * absolute sum of the differences. Pairs inside a cluster may be as alike as they please.
 *
 * Exact with at most 16 clusters that differ; otherwise `(1 + extreme) / (1 + resamples)` over seeded
 * random patterns (Phipson & Smyth 2010), which keeps the error rate at or under the level.
 */
export function pairedPermutationTest(
  totals: readonly PairedTotal[],
  { seed, resamples = DEFAULT_RESAMPLES }: { readonly seed: number; readonly resamples?: number },
): PermutationResult {
  checkResamples(resamples);
  const differences = totals
    .map(({ first, second }) => second - first)
    .filter((difference) => difference !== 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  const clusters = differences.length;
  if (clusters <= MOST_ENUMERATED) {
    const patterns = 2 ** clusters;
    return { p: enumerate(differences, observed) / patterns, exact: true, clusters, patterns };
  }
  const extreme = sample(differences, observed, resamples, seed);
  return { p: (1 + extreme) / (1 + resamples), exact: false, clusters, patterns: resamples };
}

/** Counts the patterns at least as extreme, each one sign flip from the last (Gray code). */
function enumerate(differences: readonly number[], observed: number): number {
  const signed = [...differences];
  let sum = signed.reduce((total, difference) => total + difference, 0);
  let extreme = 0;
  const patterns = 2 ** signed.length;
  for (let pattern = 1; pattern <= patterns; pattern += 1) {
    if (Math.abs(sum) >= observed) extreme += 1;
    const flipped = 31 - Math.clz32(pattern & -pattern);
    const value = signed[flipped] ?? 0;
    sum -= 2 * value;
    signed[flipped] = -value;
  }
  return extreme;
}

function sample(
  differences: readonly number[],
  observed: number,
  resamples: number,
  seed: number,
): number {
  const random = createRandom(seed);
  let extreme = 0;
  for (let draw = 0; draw < resamples; draw += 1) {
    let sum = 0;
    let bits = 0;
    for (let index = 0; index < differences.length; index += 1) {
      if (index % 32 === 0) bits = random.next();
      const difference = differences[index] ?? 0;
      sum += (bits & 1) === 0 ? difference : -difference;
      bits >>>= 1;
    }
    if (Math.abs(sum) >= observed) extreme += 1;
  }
  return extreme;
}
