import { describe, expect, it } from 'vitest';

import { clopperPearsonInterval, wilsonInterval } from '../../src/statistics/binomial-intervals.js';
import { clusterInterval } from '../../src/statistics/cluster-bootstrap.js';
import { pairedDifference } from '../../src/statistics/paired-difference.js';
import type { PairedTotal } from '../../src/statistics/paired-totals.js';
import { pairedPermutationTest } from '../../src/statistics/permutation-test.js';
import { pigeonholeInterval } from '../../src/statistics/pigeonhole-bootstrap.js';
import { createRandom, type Random } from '../../src/statistics/random.js';
import { drawClusteredTrials, drawCrossedTrials } from './simulated-designs.js';

const RUNS = 400;
const RESAMPLES = 300;
// With 400 runs a true coverage of 93 % is seen below this once in a hundred (binomial, one-sided).
const SEEN_AT_LEAST = 0.9;

function share(runs: number, holds: (run: number) => boolean): number {
  let held = 0;
  for (let run = 0; run < runs; run += 1) if (holds(run)) held += 1;
  return held / runs;
}

function covers(interval: { low: number; high: number } | null | undefined, rate: number): boolean {
  return (
    interval !== null && interval !== undefined && interval.low <= rate && rate <= interval.high
  );
}

/** The exact coverage at one rate, summed over all outcomes of 60 trials. */
function exact(interval: typeof wilsonInterval, rate: number): number {
  let chance = (1 - rate) ** 60;
  let covered = 0;
  for (let k = 0; k <= 60; k += 1) {
    if (covers(interval({ k, n: 60 }), rate)) covered += chance;
    chance *= ((60 - k) / (k + 1)) * (rate / (1 - rate));
  }
  return covered;
}

/** Pairs whose two members are exchangeable inside a cluster: no difference, however alike the pairs of a cluster are. */
function drawNullPairs(clusters: number, random: Random): PairedTotal[] {
  return drawClusteredTrials({ clusters, rate: 0.5, correlation: 0.4, size: 12 }, random).map(
    ({ key, sum, size }) => ({ key, both: 2, first: sum, second: size - sum, neither: 6 }),
  );
}

describe('nominal 95 % intervals over simulated designs', { timeout: 60_000 }, () => {
  it.each([
    [10, 0.02, 0.3],
    [10, 0.2, 0.5],
    [15, 0.1, 0.5],
    [28, 0.05, 0.3],
    [28, 0.39, 0.4],
    [50, 0.05, 0.5],
    [50, 0.5, 0],
  ])('cover with %i clusters at rate %d and correlation %d', (clusters, rate, correlation) => {
    const random = createRandom(2024);
    const covered = share(RUNS, (run) => {
      const totals = drawClusteredTrials({ clusters, rate, correlation, size: 20 }, random);
      return covers(
        clusterInterval(totals, { factor: 'goal', seed: run, resamples: RESAMPLES }),
        rate,
      );
    });
    expect(covered).toBeGreaterThanOrEqual(SEEN_AT_LEAST);
  });

  it('would fail this check uncorrected and as if trials were independent', () => {
    const random = createRandom(2024);
    const design = { clusters: 15, rate: 0.1, correlation: 0.5, size: 20 };
    const drawn = Array.from({ length: 300 }, () => drawClusteredTrials(design, random));
    const plain = share(drawn.length, (run) =>
      covers(
        clusterInterval(drawn[run] ?? [], {
          factor: 'goal',
          seed: run,
          resamples: RESAMPLES,
          correction: 'none',
        }),
        0.1,
      ),
    );
    const independent = share(drawn.length, (run) => {
      const k = (drawn[run] ?? []).reduce((sum, total) => sum + total.sum, 0);
      return covers(wilsonInterval({ k, n: 300 }), 0.1);
    });
    expect(plain).toBeLessThan(SEEN_AT_LEAST);
    expect(independent).toBeLessThan(0.66);
  });

  it.each([
    [12, 12, 0.05, 0.6],
    [20, 28, 0.3, 0.8],
  ])('cover over %i crossed with %i at rate %d and spread %d', (rows, columns, rate, spread) => {
    const random = createRandom(77);
    const names = { rows: 'task', columns: 'goal', resamples: 200 };
    const covered = share(150, (run) => {
      const totals = drawCrossedTrials({ rows, columns, rate, spread }, random);
      return covers(pigeonholeInterval(totals, { ...names, seed: run }), rate);
    });
    // 150 runs: 93 % is seen below 88.1 % once in a hundred.
    expect(covered).toBeGreaterThanOrEqual(0.881);
  });

  it('cover without clusters: Wilson on average over rates, Clopper–Pearson at each', () => {
    const rates = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5];
    const wilson = rates.map((rate) => exact(wilsonInterval, rate));
    expect(wilson.reduce((sum, value) => sum + value, 0) / rates.length).toBeGreaterThanOrEqual(
      0.94,
    );
    for (const rate of rates)
      expect(exact(clopperPearsonInterval, rate)).toBeGreaterThanOrEqual(0.95);
  });
});

describe('paired comparisons of runs that do not differ', { timeout: 60_000 }, () => {
  it.each([8, 14, 40])('reject at most five in a hundred over %i clusters', (clusters) => {
    const random = createRandom(31);
    const runs = clusters > 10 ? 300 : 1000;
    const rejected = share(runs, (run) => {
      const { p } = pairedPermutationTest(drawNullPairs(clusters, random), {
        seed: run,
        resamples: 400,
      });
      return p <= 0.05;
    });
    // 5 % is seen above this once in a hundred.
    expect(rejected).toBeLessThanOrEqual(0.05 + 2.33 * Math.sqrt((0.05 * 0.95) / runs));
  });

  it('find a difference that is there', () => {
    const random = createRandom(5);
    const found = share(100, (run) => {
      const totals = drawNullPairs(30, random).map((total) => ({
        ...total,
        second: total.second + 6,
      }));
      return pairedPermutationTest(totals, { seed: run, resamples: 400 }).p <= 0.05;
    });
    expect(found).toBeGreaterThan(0.8);
  });

  it('hold a difference of 0 in the clustered interval', () => {
    const random = createRandom(6);
    const covered = share(RUNS, (run) => {
      const found = pairedDifference(drawNullPairs(20, random), {
        factor: 'goal',
        seed: run,
        resamples: RESAMPLES,
      });
      return covers(found.intervals[1], 0);
    });
    expect(covered).toBeGreaterThanOrEqual(SEEN_AT_LEAST);
  });
});
