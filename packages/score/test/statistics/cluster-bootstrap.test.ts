import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { clusterInterval } from '../../src/statistics/cluster-bootstrap.js';
import { type ClusterTotal, createClusterTotals } from '../../src/statistics/cluster-totals.js';
import { quantile } from '../../src/statistics/quantile.js';
import { clusteredRate } from '../../src/statistics/rate-intervals.js';

// Compromises of 20 tasks by goal (suite × injection task) in the public AgentDyn logs, formats.md.
const gpt4o = [
  16, 19, 3, 14, 0, 17, 18, 19, 16, 17, 6, 7, 2, 6, 0, 6, 0, 4, 3, 3, 5, 5, 1, 6, 8, 4, 6, 7,
];
const llama = [
  10, 0, 6, 8, 7, 3, 1, 12, 2, 8, 3, 0, 0, 1, 0, 0, 1, 3, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0,
];

function byGoal(sums: readonly number[], size = 20): ClusterTotal[] {
  return sums.map((sum, index) => ({ key: `goal ${String(index)}`, sum, size }));
}

const totals = fc
  .array(
    fc
      .integer({ min: 1, max: 30 })
      .chain((size) =>
        fc.record({ sum: fc.integer({ min: 0, max: size }), size: fc.constant(size) }),
      ),
    { minLength: 1, maxLength: 15 },
  )
  .map((list) =>
    list.map((total, index): ClusterTotal => ({ key: `c${String(index)}`, ...total })),
  );

describe('clusterInterval', { timeout: 60_000 }, () => {
  it.each([
    ['gpt-4o', gpt4o, 0.284, 0.521],
    ['llama-3.3-70b', llama, 0.066, 0.195],
  ])('comes within 1.5 points of the known interval of %s', (_name, sums, low, high) => {
    for (const seed of [0, 1, 2, 3, 4]) {
      const found = clusterInterval(byGoal(sums), { factor: 'goal', seed });
      expect(Math.abs((found?.low ?? 1) - low)).toBeLessThan(0.015);
      expect(Math.abs((found?.high ?? 1) - high)).toBeLessThan(0.015);
    }
  });

  it('agrees uncorrected with scipy.stats.bootstrap(method="percentile")', () => {
    // scipy 1.17: paired=True, n_resamples=20000, statistic sum(k) / sum(n): 0.2768, 0.5089
    const found = clusterInterval(byGoal(gpt4o), {
      factor: 'goal',
      seed: 9,
      correction: 'none',
      resamples: 20_000,
    });
    expect(found?.low).toBeCloseTo(0.2768, 2);
    expect(found?.high).toBeCloseTo(0.5089, 2);
  });

  it('bias-corrected comes out as the known intervals of the two pipelines do', () => {
    const limits = (sums: readonly number[]) => {
      const found = clusterInterval(byGoal(sums), {
        factor: 'goal',
        seed: 9,
        correction: 'bias',
        resamples: 20_000,
      });
      return [found?.low ?? 1, found?.high ?? 0, found?.method];
    };
    const [low, high, method] = limits(llama);
    expect(method).toBe('bias-corrected cluster bootstrap by goal');
    expect(Math.abs(Number(low) - 0.066)).toBeLessThan(0.015);
    expect(Math.abs(Number(high) - 0.195)).toBeLessThan(0.015);
    const [gptLow, gptHigh] = limits(gpt4o);
    expect(Math.abs(Number(gptLow) - 0.284)).toBeLessThan(0.015);
    expect(Math.abs(Number(gptHigh) - 0.521)).toBeLessThan(0.015);
  });

  it('agrees uncorrected with every one of the 27 resamples of three clusters', () => {
    const three: ClusterTotal[] = [
      { key: 'a', sum: 1, size: 4 },
      { key: 'b', sum: 5, size: 6 },
      { key: 'c', sum: 0, size: 10 },
    ];
    const all: number[] = [];
    for (const x of three) {
      for (const y of three) {
        for (const z of three) all.push((x.sum + y.sum + z.sum) / (x.size + y.size + z.size));
      }
    }
    all.sort((x, y) => x - y);
    const found = clusterInterval(three, {
      factor: 'x',
      seed: 5,
      correction: 'none',
      confidence: 0.5,
      resamples: 50_000,
    });
    // The quartiles of the 27 equally likely values, found as steps of the distribution.
    expect(found?.low).toBeCloseTo(all[6] ?? Number.NaN, 6);
    expect(found?.high).toBeCloseTo(all[20] ?? Number.NaN, 6);
    expect(quantile(all, 0.5)).toBeGreaterThan(found?.low ?? 1);
  });

  it('stays within [0, 1], holds the estimate and is never inside the interval of independent trials', () => {
    fc.assert(
      fc.property(totals, fc.integer({ min: 0, max: 1000 }), (list, seed) => {
        const options = { factor: 'goal', seed, resamples: 200 };
        const found = clusterInterval(list, options);
        const independent = clusteredRate(list, options).intervals[0];
        const sum = list.reduce((so, total) => so + total.sum, 0);
        const size = list.reduce((so, total) => so + total.size, 0);
        expect(found?.low).toBeGreaterThanOrEqual(0);
        expect(found?.high).toBeLessThanOrEqual(1);
        expect(found?.low).toBeLessThanOrEqual(sum / size + 1e-12);
        expect(found?.high).toBeGreaterThanOrEqual(sum / size - 1e-12);
        expect(found?.low).toBeLessThanOrEqual(independent?.low ?? -1);
        expect(found?.high).toBeGreaterThanOrEqual(independent?.high ?? 2);
      }),
    );
  });

  it('gives the same bytes whatever the order of the trials', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'B', 'ä', '10', '9', '__proto__'), fc.boolean()), {
          minLength: 1,
        }),
        (trials) => {
          const count = (order: typeof trials): string => {
            const counted = createClusterTotals();
            for (const [key, hit] of order) counted.add(key, hit ? 1 : 0);
            return JSON.stringify(
              clusteredRate(counted.list(), { factor: 'goal', seed: 3, resamples: 100 }),
            );
          };
          expect(count(trials.toReversed())).toBe(count(trials));
        },
      ),
    );
  });

  it('does not call a rate of 0 certain when no cluster showed the event', () => {
    const found = clusterInterval(byGoal(Array.from({ length: 28 }, () => 0)), {
      factor: 'goal',
      seed: 1,
    });
    expect(found?.low).toBe(0);
    // Between Wilson's limit for 560 independent trials (0.7 %) and for 28 (12 %).
    expect(found?.high).toBeGreaterThan(0.05);
    expect(found?.high).toBeLessThan(0.12);
  });

  it('puts a note in place of the claim under ten clusters, and has nothing to say from one', () => {
    const nine = clusterInterval(byGoal(gpt4o.slice(0, 9)), { factor: 'goal', seed: 1 });
    expect(nine?.note).toBe('too few clusters (9 < 10): coverage is not claimed');
    expect(
      clusterInterval(byGoal(gpt4o.slice(0, 10)), { factor: 'goal', seed: 1 }),
    ).not.toHaveProperty('note');
    expect(clusterInterval(byGoal([4]), { factor: 'goal', seed: 1 })).toEqual({
      low: 0,
      high: 1,
      method: 'cluster bootstrap by goal',
      note: 'one cluster: no interval',
    });
    expect(clusterInterval([], { factor: 'goal', seed: 1 })).toBeNull();
    expect(clusteredRate([], { factor: 'goal', seed: 1 })).toEqual({
      value: null,
      k: 0,
      n: 0,
      intervals: [],
    });
  });

  it('draws groups of clusters where there are very many, and stays as wide', () => {
    const many = byGoal(
      Array.from({ length: 12_000 }, (_, index) => (index * 7) % 3),
      2,
    );
    const found = clusterInterval(many, { factor: 'scenario', seed: 1, resamples: 400 });
    // The standard error of the mean of 0, 1/2 and 1 over 12,000 clusters is sqrt(1 / 6 / 12,000) = 0.0037.
    expect((found?.high ?? 0) - (found?.low ?? 0)).toBeCloseTo(2 * 1.96 * 0.0037, 2);
  });

  it('refuses options out of range', () => {
    const list = byGoal([1, 2]);
    expect(() => clusterInterval(list, { factor: 'x', seed: -1 })).toThrow(/seed must be/);
    expect(() => clusterInterval(list, { factor: 'x', seed: 1, resamples: 10 })).toThrow(
      /at least 100/,
    );
    expect(() => clusterInterval(list, { factor: 'x', seed: 1, confidence: 95 })).toThrow(
      /confidence/,
    );
    expect(() => createClusterTotals().add('x', Number.NaN)).toThrow(/finite sum/);
  });
});
