import type { ClusterTotal } from './cluster-totals.js';
import { normalQuantile } from './normal-distribution.js';

/**
 * Intra-cluster correlation: how alike the trials of a cluster are, by the analysis-of-variance estimator
 * (Donner 1986), cut to [0, 1]. 0 when trials are as independent, 1 when a cluster is all one outcome.
 *
 * @returns null when there are fewer than two clusters, no cluster with two trials, or no variation at all
 */
export function intraClusterCorrelation(totals: readonly ClusterTotal[]): number | null {
  const filled = totals.filter(({ size }) => size > 0);
  const clusters = filled.length;
  let n = 0;
  let sum = 0;
  let squares = 0;
  for (const total of filled) {
    n += total.size;
    sum += total.sum;
    squares += total.size * total.size;
  }
  if (clusters < 2 || n === clusters) return null;
  const mean = sum / n;
  let between = 0;
  let within = 0;
  for (const total of filled) {
    const share = total.sum / total.size;
    between += total.size * (share - mean) ** 2;
    within += total.size * share * (1 - share);
  }
  between /= clusters - 1;
  within /= n - clusters;
  const typical = (n - squares / n) / (clusters - 1);
  const spread = between + (typical - 1) * within;
  return spread === 0 ? null : Math.min(1, Math.max(0, (between - within) / spread));
}

/** Kish's (1965) design effect: the factor by which clusters of `size` trials blow up the variance of a mean. */
export function designEffect(size: number, correlation: number): number {
  return 1 + (size - 1) * correlation;
}

export interface DetectableEffectOptions {
  /** Trials in each run (unpaired), or pairs (paired). */
  readonly n: number;
  /** Factor on the variance, from {@link designEffect}; 1 unless given. */
  readonly designEffect?: number;
  /** Two-sided error rate; 0.05 unless given. */
  readonly alpha?: number;
  /** Chance of finding the effect; 0.8 unless given. */
  readonly power?: number;
}

/**
 * Least difference of two paired rates that a two-sided test finds with the given power: the solution of
 * Connor's (1987) sample-size formula for McNemar's test, with `discordance` the expected share of
 * pairs that differ.
 *
 * @returns a share in (0, discordance], or null when even the largest difference would be missed
 */
export function pairedDetectableEffect(
  discordance: number,
  options: DetectableEffectOptions,
): number | null {
  checkShare(discordance, 'discordance');
  const { effective, alphaPoint, powerPoint } = points(options);
  return solve(discordance, (effect) => {
    const spread = powerPoint * Math.sqrt(Math.max(0, discordance - effect * effect));
    return effect * Math.sqrt(effective) - alphaPoint * Math.sqrt(discordance) - spread;
  });
}

/**
 * Least rise above `baseline` that a two-sided comparison of two independent runs of `n` trials each finds with
 * the given power (Fleiss, Levin & Paik 2003, without continuity correction).
 *
 * @returns a share in (0, 1 - baseline], or null when even a rise to 1 would be missed
 */
export function unpairedDetectableEffect(
  baseline: number,
  options: DetectableEffectOptions,
): number | null {
  checkShare(baseline, 'baseline');
  const { effective, alphaPoint, powerPoint } = points(options);
  return solve(1 - baseline, (effect) => {
    const other = baseline + effect;
    const middle = baseline + effect / 2;
    const underNull = alphaPoint * Math.sqrt(2 * middle * (1 - middle));
    const spread = Math.max(0, baseline * (1 - baseline) + other * (1 - other));
    return effect * Math.sqrt(effective) - underNull - powerPoint * Math.sqrt(spread);
  });
}

function points({
  n,
  designEffect: inflation = 1,
  alpha = 0.05,
  power = 0.8,
}: DetectableEffectOptions) {
  if (!(n > 0 && inflation > 0 && alpha > 0 && alpha < 1 && power > 0 && power < 1)) {
    throw new RangeError(
      'a detectable effect needs n > 0, designEffect > 0, and alpha and power in (0, 1)',
    );
  }
  return {
    effective: n / inflation,
    alphaPoint: normalQuantile(1 - alpha / 2),
    powerPoint: normalQuantile(power),
  };
}

/** The least effect in (0, most] at which `excess` is no longer negative. */
function solve(most: number, excess: (effect: number) => number): number | null {
  if (most === 0 || excess(most) < 0) return null;
  let low = 0;
  let high = most;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (excess(middle) < 0) low = middle;
    else high = middle;
  }
  return high;
}

function checkShare(value: number, name: string): void {
  if (!(value >= 0 && value <= 1)) {
    throw new RangeError(`${name} must be a share in [0, 1], found ${String(value)}`);
  }
}
