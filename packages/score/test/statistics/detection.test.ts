import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  averagePrecision,
  type ScoredText,
  summariseDetection,
} from '../../src/statistics/detection.js';
import { detectedExecuted, operatingPoint } from '../../src/statistics/operating-point.js';
import type { Interval } from '../../src/statistics/rate.js';

const scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.3, 0.3];
const labels = [1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1];
const texts: ScoredText[] = scores.map((score, index) => ({
  score,
  positive: labels[index] === 1,
}));
const thresholds = { malicious: 0.75, suspicious: 0.5 };

const arbitrary = fc.array(
  fc.record({
    score: fc.constantFrom(0, 0.1, 0.5, 0.75, 0.9, 1),
    positive: fc.boolean(),
    cluster: fc.constantFrom('a', 'b', 'c'),
  }),
  { maxLength: 40 },
);

function width({ intervals }: { readonly intervals: readonly Interval[] }): number {
  const last = intervals.at(-1);
  return last === undefined ? 0 : last.high - last.low;
}

describe('summariseDetection', { timeout: 60_000 }, () => {
  it('agrees with scikit-learn on average precision and F1, ties included', () => {
    // sklearn 1.9: average_precision_score(labels, scores); f1_score at >= .5 and >= .75
    const found = summariseDetection(texts, { thresholds, seed: 1 });
    expect(found.prAuc.value).toBeCloseTo(0.6805555555555555, 12);
    expect(found.points['suspicious']?.f1.value).toBeCloseTo(0.625, 12);
    expect(found.points['malicious']?.f1.value).toBeCloseTo(0.4444444444444444, 12);
    expect(found.points['malicious']).toMatchObject({ tp: 2, fp: 1, tn: 5, fn: 4 });
    expect(found.points['malicious']?.f1.intervals.map(({ method }) => method)).toEqual([
      'Wilson, mapped from the Jaccard index',
      'bootstrap stratified by label',
    ]);
  });

  it('holds each value in its intervals, within [0, 1], whatever the order of the texts', () => {
    fc.assert(
      fc.property(arbitrary, (list) => {
        const options = { thresholds, seed: 5, resamples: 100 };
        const found = summariseDetection(list, options);
        expect(JSON.stringify(summariseDetection(list.toReversed(), options))).toBe(
          JSON.stringify(found),
        );
        const metrics = [found.prAuc, ...Object.values(found.points).map(({ f1 }) => f1)];
        for (const { value, intervals } of metrics) {
          expect(value === null ? intervals : []).toEqual([]);
          for (const { low, high } of intervals) {
            expect(low).toBeGreaterThanOrEqual(0);
            expect(high).toBeLessThanOrEqual(1);
            expect(low).toBeLessThanOrEqual(high);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('does not move when scores are stretched without changing their order', () => {
    fc.assert(
      fc.property(arbitrary, (list) => {
        const stretched = list.map((text) => ({ ...text, score: 10 * text.score ** 3 - 4 }));
        expect(averagePrecision(stretched)).toBe(averagePrecision(list));
      }),
    );
  });

  it('is wider over few clusters than over independent texts, and says that they are few', () => {
    const repeated = Array.from({ length: 20 }, (_, copy) =>
      texts.map((text, index) => ({ ...text, cluster: `source ${String(index)}`, copy })),
    ).flat();
    const clustered = summariseDetection(repeated, { thresholds, seed: 1, resamples: 500 });
    const independent = summariseDetection(
      repeated.map(({ score, positive }) => ({ score, positive })),
      { thresholds, seed: 1, resamples: 500 },
    );
    expect(width(clustered.prAuc)).toBeGreaterThan(2 * width(independent.prAuc));
    const nine = repeated.filter(({ cluster }) => /^source [0-8]$/.test(cluster));
    const few = summariseDetection(nine, { thresholds, seed: 1, resamples: 100 });
    expect(few.prAuc.intervals[0]?.note).toBe('too few clusters (9 < 10): coverage is not claimed');
  });

  it('leaves undefined metrics null', () => {
    const empty = summariseDetection([], { thresholds, seed: 1 });
    expect(empty).toMatchObject({ n: 0, positives: 0, prAuc: { value: null, intervals: [] } });
    expect(empty.points['malicious']?.f1).toEqual({ value: null, intervals: [] });
    const benign = summariseDetection([{ score: 0.1, positive: false }], { thresholds, seed: 1 });
    expect(benign.points['malicious']).toMatchObject({
      precision: { value: null, k: 0, n: 0 },
      recall: { value: null, k: 0, n: 0 },
      fpr: { value: 0, k: 0, n: 1 },
    });
    expect(() =>
      summariseDetection([{ score: Number.NaN, positive: true }], { thresholds, seed: 1 }),
    ).toThrow('a score is NaN');
  });
});

describe('operatingPoint', { timeout: 60_000 }, () => {
  it('maps F1 to 2PR / (P + R) and bounds it by its interval', () => {
    const count = fc.nat(500);
    fc.assert(
      fc.property(count, count, count, count, (tp, fp, tn, fn) => {
        fc.pre(tp > 0);
        const { precision, recall, f1 } = operatingPoint({ tp, fp, tn, fn });
        const p = precision.value ?? 0;
        const r = recall.value ?? 0;
        expect(f1.value).toBeCloseTo((2 * p * r) / (p + r), 12);
        expect(f1.intervals[0]?.low).toBeLessThanOrEqual((f1.value ?? 0) + 1e-12);
        expect(f1.intervals[0]?.high).toBeGreaterThanOrEqual((f1.value ?? 1) - 1e-12);
      }),
    );
    expect(() => operatingPoint({ tp: 1, fp: -1, tn: 0, fn: 0 })).toThrow(RangeError);
  });
});

describe('detectedExecuted', { timeout: 60_000 }, () => {
  it('tabulates detection against execution', () => {
    const table = detectedExecuted([
      { detected: true, executed: false },
      { detected: true, executed: true },
      { detected: false, executed: true },
      { detected: false, executed: true },
      { detected: true, executed: false },
    ]);
    expect(table).toMatchObject({
      detectedExecuted: 1,
      detectedNot: 2,
      missedExecuted: 2,
      missedNot: 0,
      executedGivenDetected: { k: 1, n: 3 },
      executedGivenMissed: { k: 2, n: 2, value: 1 },
      detectedGivenExecuted: { k: 1, n: 3 },
      detectedGivenNot: { k: 2, n: 2 },
    });
    expect(detectedExecuted([]).executedGivenDetected).toEqual({
      value: null,
      k: 0,
      n: 0,
      intervals: [],
    });
  });
});
