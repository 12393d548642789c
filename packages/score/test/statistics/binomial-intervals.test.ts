import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { clopperPearsonInterval, wilsonInterval } from '../../src/statistics/binomial-intervals.js';

// scipy.stats.binomtest(k, n).proportion_ci(method='wilson' | 'exact'), scipy 1.17
const reference: [number, number, [number, number], [number, number]][] = [
  [218, 560, [0.3497869313263525, 0.43029309283619677], [0.3486856766623384, 0.43106029832572884]],
  [70, 559, [0.1003190903426775, 0.15524392223653283], [0.09893314283460675, 0.15554905970933608]],
  [0, 20, [0, 0.16112515805281935], [0, 0.16843347098308548]],
  [20, 20, [0.8388748419471808, 1], [0.8315665290169145, 1]],
  [1, 10, [0.017876213095072896, 0.4041500267952385], [0.0025285785444625728, 0.44501611702819543]],
  [7, 12, [0.31951131254954973, 0.8067396863412435], [0.2766696856821058, 0.8483477701915653]],
];

const counts = fc
  .integer({ min: 1, max: 3000 })
  .chain((n) => fc.record({ k: fc.integer({ min: 0, max: n }), n: fc.constant(n) }));

describe.each([
  ['Wilson', wilsonInterval, 2],
  ['Clopper–Pearson', clopperPearsonInterval, 3],
] as const)('%s', (method, interval, column) => {
  it.each(reference)('agrees with scipy at %i of %i', (k, n, ...limits) => {
    const wanted = limits[column - 2];
    const found = interval({ k, n });
    expect(found?.method).toBe(method);
    expect(found?.low).toBeCloseTo(wanted?.[0] ?? Number.NaN, 10);
    expect(found?.high).toBeCloseTo(wanted?.[1] ?? Number.NaN, 10);
  });

  it('lies in [0, 1], holds the estimate, and mirrors when success and failure swap', () => {
    fc.assert(
      fc.property(counts, ({ k, n }) => {
        const found = interval({ k, n });
        const mirrored = interval({ k: n - k, n });
        if (found === null || mirrored === null) throw new Error('n is positive');
        expect(found.low).toBeGreaterThanOrEqual(0);
        expect(found.high).toBeLessThanOrEqual(1);
        expect(found.low).toBeLessThanOrEqual(k / n + 1e-12);
        expect(found.high).toBeGreaterThanOrEqual(k / n - 1e-12);
        expect(mirrored.low).toBeCloseTo(1 - found.high, 9);
        expect(mirrored.high).toBeCloseTo(1 - found.low, 9);
      }),
    );
  });

  it('moves up with k and widens with the confidence', () => {
    fc.assert(
      fc.property(counts, ({ k, n }) => {
        const found = interval({ k, n });
        const next = interval({ k: Math.min(n, k + 1), n });
        const wider = interval({ k, n }, { confidence: 0.99 });
        expect(next?.low).toBeGreaterThanOrEqual(found?.low ?? 2);
        expect(next?.high).toBeGreaterThanOrEqual(found?.high ?? 2);
        expect(wider?.low).toBeLessThanOrEqual(found?.low ?? -1);
        expect(wider?.high).toBeGreaterThanOrEqual(found?.high ?? 2);
      }),
    );
  });

  it('has no interval without trials and refuses impossible counts', () => {
    expect(interval({ k: 0, n: 0 })).toBeNull();
    expect(() => interval({ k: 3, n: 2 })).toThrow(
      'counts need integers 0 <= k <= n, found 3 of 2',
    );
    expect(() => interval({ k: 1, n: 2 }, { confidence: 1 })).toThrow(RangeError);
  });
});
