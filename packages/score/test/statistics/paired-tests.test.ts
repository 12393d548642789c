import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { holmAdjust } from '../../src/statistics/holm.js';
import { mcNemarTest } from '../../src/statistics/mcnemar.js';
import { equivalenceTest, pairedDifference } from '../../src/statistics/paired-difference.js';
import { createPairedTotals, type PairedTotal } from '../../src/statistics/paired-totals.js';
import { pairedPermutationTest } from '../../src/statistics/permutation-test.js';

function differing(differences: readonly number[]): PairedTotal[] {
  return differences.map((difference, index) => ({
    key: `c${String(index).padStart(3, '0')}`,
    both: 1,
    first: Math.max(0, -difference),
    second: Math.max(0, difference),
    neither: 10,
  }));
}

/** Equivalence of two runs that agree on every scenario. */
function agreeing(clusters: number) {
  const totals = createPairedTotals();
  for (let index = 0; index < clusters; index += 1)
    totals.add(String(index), index % 3 === 0, index % 3 === 0);
  return equivalenceTest(totals.list(), { factor: 'scenario', seed: 1, resamples: 2000 });
}

describe('mcNemarTest', { timeout: 60_000 }, () => {
  // scipy 1.17: binomtest(b, b + c).pvalue, and the same less binom.pmf(min(b, c), b + c, .5)
  it.each([
    [5, 15, 0.04138946533203125, 0.026603698730468753],
    [0, 6, 0.03125, 0.015625],
    [86, 150, 3.7159361395713866e-5, 2.893389517615428e-5],
    [1, 0, 1, 0.5],
  ])('agrees with scipy at %i and %i', (first, second, exact, midP) => {
    const found = mcNemarTest(first, second);
    expect(found.exact / exact).toBeCloseTo(1, 9);
    expect(found.midP / midP).toBeCloseTo(1, 9);
  });

  it('finds nothing in no or balanced disagreement, and is symmetric', () => {
    expect(mcNemarTest(0, 0)).toMatchObject({ exact: 1, midP: 1 });
    // Fagerland et al. 2013: 1 - pmf / 2 when the counts are equal; pmf(10; 20, .5) = 0.1761970520019531
    expect(mcNemarTest(10, 10).midP).toBeCloseTo(1 - 0.1761970520019531 / 2, 10);
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), (first, second) => {
        const { exact, midP } = mcNemarTest(first, second);
        expect(mcNemarTest(second, first).exact).toBe(exact);
        expect(midP).toBeLessThanOrEqual(exact);
        expect(exact).toBeLessThanOrEqual(1);
      }),
    );
    expect(() => mcNemarTest(-1, 2)).toThrow(RangeError);
  });
});

describe('pairedPermutationTest', { timeout: 60_000 }, () => {
  it('agrees with scipy.stats.permutation_test(permutation_type="samples")', () => {
    const found = pairedPermutationTest(differing([3, -1, 2, 4, -2, 5, 1, 1]), { seed: 0 });
    expect(found).toEqual({ p: 0.1328125, exact: true, clusters: 8, patterns: 256 });
  });

  it('agrees with a count of all sign patterns one by one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 9 }), (differences) => {
        const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0));
        let extreme = 0;
        for (let pattern = 0; pattern < 2 ** differences.length; pattern += 1) {
          const sum = differences.reduce(
            (so, value, index) =>
              so + (Math.floor(pattern / 2 ** index) % 2 === 0 ? value : -value),
            0,
          );
          if (Math.abs(sum) >= observed) extreme += 1;
        }
        const { p } = pairedPermutationTest(differing(differences), { seed: 1 });
        expect(p).toBeCloseTo(extreme / 2 ** differences.length, 12);
      }),
    );
  });

  it('draws patterns beyond sixteen clusters, near the exact value and never 0', () => {
    const mixed = Array.from({ length: 40 }, (_, index) => (index % 5 < 3 ? 1 : -1));
    const found = pairedPermutationTest(differing(mixed), { seed: 3, resamples: 20_000 });
    expect(found).toMatchObject({ exact: false, clusters: 40, patterns: 20_000 });
    // With single steps this is McNemar's exact test: binomtest(16, 40).pvalue = 0.268 (scipy 1.17).
    expect(found.p).toBeCloseTo(mcNemarTest(16, 24).exact, 1);
    const onesided = pairedPermutationTest(differing(mixed.map(() => 1)), {
      seed: 3,
      resamples: 1000,
    });
    expect(onesided.p).toBe(1 / 1001);
    expect(pairedPermutationTest(differing(mixed), { seed: 3, resamples: 20_000 })).toEqual(found);
  });
});

describe('holmAdjust', { timeout: 60_000 }, () => {
  it('agrees with statsmodels multipletests(method="holm")', () => {
    const found = holmAdjust([0.01, 0.04, 0.03, 0.005, 0.2]);
    [0.04, 0.09, 0.09, 0.025, 0.2].forEach((wanted, index) => {
      expect(found[index]).toBeCloseTo(wanted, 12);
    });
  });

  it('keeps the order of the p-values, lowers none, and does not depend on their places', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
        (values) => {
          const found = holmAdjust(values);
          expect(holmAdjust(values.toReversed()).toReversed()).toEqual(found);
          values.forEach((p, index) => {
            expect(found[index]).toBeGreaterThanOrEqual(p);
            expect(found[index]).toBeLessThanOrEqual(Math.min(1, p * values.length + 1e-15));
          });
        },
      ),
    );
    expect(() => holmAdjust([1.5])).toThrow('a p-value lies in [0, 1], found 1.5');
  });
});

describe('pairedDifference and equivalenceTest', { timeout: 60_000 }, () => {
  it('gives the adjusted Wald limits of Bonett and Price', () => {
    // Computed from their formula with scipy.stats.norm.ppf: 22 and 9 discordant of 200.
    const totals = [{ key: 'a', both: 100, first: 9, second: 22, neither: 69 }];
    const found = pairedDifference(totals, { factor: 'goal', seed: 1 });
    expect(found.value).toBeCloseTo(0.065, 12);
    expect(found.intervals[0]?.low).toBeCloseTo(0.009329228615500257, 12);
    expect(found.intervals[0]?.high).toBeCloseTo(0.11938364267162846, 12);
    expect(found.intervals[1]).toMatchObject({
      low: -1,
      high: 1,
      note: 'one cluster: no interval',
    });
  });

  it('mirrors when the runs change places, up to resampling noise, and holds the difference', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 12 }),
        (differences) => {
          const options = { factor: 'goal', seed: 2, resamples: 2000 };
          const there = pairedDifference(differing(differences), options);
          const back = pairedDifference(
            differing(differences.map((difference) => -difference)),
            options,
          );
          const [, found] = there.intervals;
          const [, mirrored] = back.intervals;
          expect(found?.low).toBeLessThanOrEqual(there.value ?? -2);
          expect(found?.high).toBeGreaterThanOrEqual(there.value ?? 2);
          expect(Math.abs((found?.low ?? 0) + (mirrored?.high ?? 9))).toBeLessThan(0.08);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('shows equivalence of two runs that agree on many clusters, not on few', () => {
    expect(agreeing(400)).toMatchObject({ equivalent: true, margin: 0.02, alpha: 0.05 });
    expect(agreeing(20).equivalent).toBe(false);
    expect(equivalenceTest([], { factor: 'x', seed: 1 })).toEqual({
      equivalent: false,
      margin: 0.02,
      alpha: 0.05,
      interval: null,
      leastMargin: null,
    });
    expect(() => equivalenceTest([], { factor: 'x', seed: 1, margin: 0 })).toThrow(RangeError);
  });

  it('counts pairs by cluster', () => {
    const totals = createPairedTotals();
    totals.add('b', true, false);
    totals.add('a', true, true);
    totals.add('b', false, true);
    totals.add('b', false, false);
    expect(totals.list()).toEqual([
      { key: 'a', both: 1, first: 0, second: 0, neither: 0 },
      { key: 'b', both: 0, first: 1, second: 1, neither: 1 },
    ]);
  });
});
