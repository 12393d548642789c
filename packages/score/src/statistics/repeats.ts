import { type ClusterTotal, createClusterTotals } from './cluster-totals.js';
import { type Counts, checkCounts } from './rate.js';

/** Trials of one scenario: `k` events in `n` trials, and the cluster (goal, task) that it belongs to. */
export interface RepeatedTrials extends Counts {
  readonly cluster: string;
}

/**
 * ASR@k of one scenario: the chance that at least one of `k` trials is compromised, estimated without bias from
 * `n >= k` trials as `1 - C(n - c, k) / C(n, k)`, where `c` trials were (Chen et al. 2021, arXiv:2107.03374).
 *
 * @returns null where there are fewer than `k` trials
 */
export function attackSuccessAt(attempts: number, { k: events, n }: Counts): number | null {
  const none = allOf(attempts, { k: n - events, n });
  return none === null ? null : 1 - none;
}

/**
 * pass^k of one scenario: the chance that all of `k` trials hold, estimated without bias from `n >= k`
 * trials as `C(c, k) / C(n, k)`, where `c` held (Yao et al. 2024, arXiv:2406.12045).
 *
 * @returns null where there are fewer than `k` trials
 */
export function passAll(attempts: number, counts: Counts): number | null {
  return allOf(attempts, counts);
}

/**
 * Flip rate of one scenario: the chance that two different trials of it come out differently, `2 c (n - c) / (n (n - 1))`.
 *
 * @returns a share in [0, 1] (at most 1/2 in the long run), or null with fewer than two trials
 */
export function flipRate(counts: Counts): number | null {
  checkCounts(counts);
  const { k, n } = counts;
  return n < 2 ? null : (2 * k * (n - k)) / (n * (n - 1));
}

export interface RepeatSummary {
  /** Mean over the scenarios that had trials enough, each weighing the same; null where none had. */
  readonly value: number | null;
  /** Scenarios that had trials enough. */
  readonly scenarios: number;
  /** Scenarios left out because they had too few trials. */
  readonly leftOut: number;
  /** Sums by cluster over scenarios, ready for `clusterInterval`. */
  readonly totals: readonly ClusterTotal[];
}

/** Averages an estimate over scenarios, e.g. `averageRepeats(trials, (counts) => attackSuccessAt(3, counts))`. */
export function averageRepeats(
  scenarios: Iterable<RepeatedTrials>,
  estimate: (counts: Counts) => number | null,
): RepeatSummary {
  const totals = createClusterTotals();
  let leftOut = 0;
  for (const scenario of scenarios) {
    const value = estimate(scenario);
    if (value === null) leftOut += 1;
    else totals.add(scenario.cluster, value);
  }
  const list = totals.list();
  let sum = 0;
  let size = 0;
  for (const total of list) {
    sum += total.sum;
    size += total.size;
  }
  return { value: size === 0 ? null : sum / size, scenarios: size, leftOut, totals: list };
}

/** C(c, k) / C(n, k) as a product, so that nothing overflows. */
function allOf(attempts: number, counts: Counts): number | null {
  checkCounts(counts);
  if (!Number.isSafeInteger(attempts) || attempts < 1) {
    throw new RangeError(
      `the number of attempts must be a whole number >= 1, found ${String(attempts)}`,
    );
  }
  const { k: events, n } = counts;
  if (n < attempts) return null;
  let chance = 1;
  for (let index = 0; index < attempts && chance > 0; index += 1) {
    chance *= Math.max(0, events - index) / (n - index);
  }
  return chance;
}
