import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaInterval, f1Interval, wilson } from '../../src/evaluation/intervals.js';
import { confusion } from '../../src/evaluation/metrics.js';
import { averagePrecision, rocArea } from '../../src/evaluation/ranking.js';

const ranked = fc.array(fc.record({ score: fc.nat(10), attack: fc.boolean() }), {
  minLength: 1,
  maxLength: 30,
});

describe('wilson', () => {
  it('agrees with published values', () => {
    // Newcombe 1998, table I, method 3: 81 of 263 and 0 of 20.
    expect(wilson(81, 263)?.low).toBeCloseTo(0.2553, 4);
    expect(wilson(81, 263)?.high).toBeCloseTo(0.3662, 4);
    expect(wilson(0, 20)?.low).toBe(0);
    expect(wilson(0, 20)?.high).toBeCloseTo(0.1611, 4);
  });

  it('holds the rate and stays within 0 and 1', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, share) => {
          const k = Math.round(share * n);
          const { low, high } = wilson(k, n) ?? { low: 1, high: 0 };
          expect(low).toBeGreaterThanOrEqual(0);
          expect(low).toBeLessThanOrEqual(k / n);
          expect(high).toBeGreaterThanOrEqual(k / n);
          expect(high).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('is undefined for nothing', () => {
    expect(wilson(0, 0)).toBeUndefined();
  });
});

describe('f1Interval', () => {
  it('holds the F1 that it is for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(300), (tp, wrong) => {
        const { low, high } = f1Interval(tp, wrong) ?? { low: 1, high: 0 };
        const f1 = (2 * tp) / (2 * tp + wrong);
        expect(low).toBeLessThanOrEqual(f1 + 1e-12);
        expect(high).toBeGreaterThanOrEqual(f1 - 1e-12);
      }),
    );
  });
});

describe('areaInterval', () => {
  it('holds the area, and shrinks as attacks are added', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 2, max: 500 }),
        (area, n) => {
          const few = areaInterval(area, n) ?? { low: 1, high: 0 };
          const many = areaInterval(area, n * 4) ?? { low: 1, high: 0 };
          expect(few.low).toBeLessThanOrEqual(area);
          expect(few.high).toBeGreaterThanOrEqual(area);
          expect(many.high - many.low).toBeLessThanOrEqual(few.high - few.low + 1e-9);
        },
      ),
    );
  });
});

describe('averagePrecision', () => {
  it('is 1 for a perfect ranking and the base rate for one tie', () => {
    const perfect = [3, 2, 1, 0].map((score) => ({ score, attack: score > 1 }));
    expect(averagePrecision(perfect)).toBe(1);
    expect(averagePrecision(perfect.map(({ attack }) => ({ score: 5, attack })))).toBe(0.5);
  });

  it('agrees with a hand-worked ranking', () => {
    const rows = [true, false, true, false].map((attack, index) => ({ score: 9 - index, attack }));
    expect(averagePrecision(rows)).toBeCloseTo(0.5 * 1 + 0.5 * (2 / 3), 12);
  });

  it('does not depend on the order of rows', () => {
    fc.assert(
      fc.property(ranked, (rows) => {
        expect(averagePrecision(rows.toReversed())).toEqual(averagePrecision(rows));
        expect(rocArea(rows.toReversed())).toEqual(rocArea(rows));
      }),
    );
  });

  it('is undefined without an attack', () => {
    expect(averagePrecision([{ score: 1, attack: false }])).toBeUndefined();
  });
});

describe('rocArea', () => {
  it('is the share of pairs in the right order', () => {
    fc.assert(
      fc.property(ranked, (rows) => {
        const attacks = rows.filter(({ attack }) => attack);
        const benign = rows.filter(({ attack }) => !attack);
        fc.pre(attacks.length > 0 && benign.length > 0);
        let wins = 0;
        for (const a of attacks) {
          for (const b of benign) wins += a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0;
        }
        expect(rocArea(rows)).toBeCloseTo(wins / attacks.length / benign.length, 12);
      }),
    );
  });
});

describe('confusion', () => {
  it('leaves rates open that have no denominator', () => {
    const { precision, recall, f1, fpr, intervals } = confusion({ tp: 0, fp: 0, tn: 0, fn: 0 });
    expect([precision, recall, f1, fpr]).toEqual([null, null, null, null]);
    expect(Object.values(intervals)).toEqual([null, null, null, null]);
  });

  it('computes the usual four', () => {
    const { precision, recall, f1, fpr } = confusion({ tp: 6, fp: 2, tn: 18, fn: 4 });
    expect([precision, recall, fpr]).toEqual([0.75, 0.6, 0.1]);
    expect(f1).toBeCloseTo(2 / 3, 12);
  });
});
