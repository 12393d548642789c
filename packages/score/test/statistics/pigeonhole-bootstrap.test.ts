import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createCrossedTotals } from '../../src/statistics/cluster-totals.js';
import { pigeonholeInterval } from '../../src/statistics/pigeonhole-bootstrap.js';
import { createRandom } from '../../src/statistics/random.js';
import { crossedRate } from '../../src/statistics/rate-intervals.js';

const names = { rows: 'task', columns: 'goal' };
const cells = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }), fc.boolean()),
  { minLength: 1, maxLength: 80 },
);

function fill(trials: readonly (readonly [number, number, boolean])[]) {
  const totals = createCrossedTotals();
  for (const [row, column, hit] of trials)
    totals.add(`t${String(row)}`, `g${String(column)}`, hit ? 1 : 0);
  return totals;
}

describe('pigeonholeInterval', { timeout: 60_000 }, () => {
  it('names its three intervals and keeps each within the next wider design', () => {
    const random = createRandom(4);
    const totals = createCrossedTotals();
    for (let row = 0; row < 12; row += 1) {
      for (let column = 0; column < 14; column += 1) {
        totals.add(String(row), String(column), random.uniform() < (column + row) / 40 ? 1 : 0);
      }
    }
    const { intervals } = crossedRate(totals, { ...names, seed: 1, resamples: 2000 });
    expect(intervals.map(({ method }) => method)).toEqual([
      'Wilson',
      'cluster bootstrap by goal',
      'pigeonhole bootstrap by task × goal',
    ]);
    const [wilson, byGoal, both] = intervals.map(({ low, high }) => high - low);
    expect(byGoal).toBeGreaterThanOrEqual(wilson ?? 2);
    expect(both).toBeGreaterThanOrEqual(byGoal ?? 2);
  });

  it('draws as wide as every pair of row and column draws of a two by two design', () => {
    // Rows drawn (aa, ab, ba, bb) × columns drawn likewise; one hit in cell (a, x) of four.
    const totals = fill([
      [0, 0, true],
      [0, 1, false],
      [1, 0, false],
      [1, 1, false],
    ]);
    // P(rate = 1) = 1/16 > 2.5 %, P(rate = 0) = 1 - 9/16: the percentile limits are exactly 0 and 1.
    const found = pigeonholeInterval(totals, { ...names, seed: 2, resamples: 5000 });
    expect(found).toMatchObject({ low: 0, high: 1 });
  });

  it('gives the same bytes whatever the order of the trials, within [0, 1]', () => {
    fc.assert(
      fc.property(cells, (trials) => {
        const options = { ...names, seed: 8, resamples: 100 };
        const found = crossedRate(fill(trials), options);
        expect(JSON.stringify(crossedRate(fill(trials.toReversed()), options))).toBe(
          JSON.stringify(found),
        );
        for (const { low, high } of found.intervals) {
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeLessThanOrEqual(1);
          expect(low).toBeLessThanOrEqual((found.value ?? 0) + 1e-12);
          expect(high).toBeGreaterThanOrEqual((found.value ?? 1) - 1e-12);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('counts draws again that hit no cell of a sparse design', () => {
    const diagonal = Array.from(
      { length: 12 },
      (_, index) => [index, index, index % 3 === 0] as const,
    );
    const found = pigeonholeInterval(fill(diagonal), { ...names, seed: 1, resamples: 500 });
    expect(found?.low).toBe(0);
    expect(found?.high).toBeGreaterThan(0.5);
  });

  it('draws groups of rows where there are very many, and stays as wide', () => {
    // Only rows matter: of each row all sixty cells have the same outcome, one row in four has the event.
    const trials = Array.from({ length: 900 }, (_, row) =>
      Array.from({ length: 60 }, (_unused, column) => [row, column, (row * 7) % 4 === 0] as const),
    ).flat();
    const found = pigeonholeInterval(fill(trials), { ...names, seed: 1, resamples: 500 });
    // The standard error of 1/4 over 900 rows is sqrt(3 / 16 / 900) = 0.0144.
    expect((found?.high ?? 0) - (found?.low ?? 0)).toBeGreaterThan(1.8 * 1.96 * 0.0144);
    expect((found?.high ?? 0) - (found?.low ?? 0)).toBeLessThan(2.6 * 1.96 * 0.0144);
  });

  it('is absent where a factor has one level, and says where it has few', () => {
    const oneTask = fill([
      [0, 0, true],
      [0, 1, false],
    ]);
    expect(pigeonholeInterval(oneTask, { ...names, seed: 1 })).toBeNull();
    const few = fill([
      [0, 0, true],
      [0, 1, false],
      [1, 1, true],
    ]);
    expect(pigeonholeInterval(few, { ...names, seed: 1, resamples: 100 })?.note).toMatch(
      /too few clusters \(2/,
    );
    expect(pigeonholeInterval(createCrossedTotals(), { ...names, seed: 1 })).toBeNull();
  });
});
