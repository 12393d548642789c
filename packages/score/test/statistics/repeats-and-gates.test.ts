import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { interpret, splitByCeiling } from '../../src/statistics/ceiling.js';
import {
  designEffect,
  intraClusterCorrelation,
  pairedDetectableEffect,
  unpairedDetectableEffect,
} from '../../src/statistics/detectable-effect.js';
import { errorBounds } from '../../src/statistics/error-bounds.js';
import { rateOf } from '../../src/statistics/rate.js';
import {
  attackSuccessAt,
  averageRepeats,
  flipRate,
  passAll,
} from '../../src/statistics/repeats.js';

/** Every way to choose `size` of the outcomes. */
function choose(outcomes: readonly boolean[], size: number): boolean[][] {
  if (size === 0) return [[]];
  return outcomes.flatMap((outcome, index) =>
    choose(outcomes.slice(index + 1), size - 1).map((rest) => [outcome, ...rest]),
  );
}

describe('repeats', () => {
  it('equal the average over every choice of k trials', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 8 }),
        (outcomes, size) => {
          fc.pre(size <= outcomes.length);
          const counts = { k: outcomes.filter(Boolean).length, n: outcomes.length };
          const choices = choose(outcomes, size);
          const some = choices.filter((choice) => choice.some(Boolean)).length / choices.length;
          const all = choices.filter((choice) => choice.every(Boolean)).length / choices.length;
          expect(attackSuccessAt(size, counts)).toBeCloseTo(some, 12);
          expect(passAll(size, counts)).toBeCloseTo(all, 12);
        },
      ),
    );
  });

  it('equal the share of unlike pairs for the flip rate', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 9 }), (outcomes) => {
        const pairs = choose(outcomes, 2);
        const unlike = pairs.filter(([a, b]) => a !== b).length / pairs.length;
        expect(flipRate({ k: outcomes.filter(Boolean).length, n: outcomes.length })).toBeCloseTo(
          unlike,
          12,
        );
      }),
    );
  });

  it('rise with k for ASR@k and fall for pass^k', () => {
    const counts = { k: 3, n: 10 };
    const asr = [1, 2, 5, 8].map((k) => attackSuccessAt(k, counts));
    // 1 - C(7, k) / C(10, k) by hand: 3/10, 1 - 21/45, 1 - 21/252, 1
    [0.3, 1 - 21 / 45, 1 - 21 / 252, 1].forEach((wanted, index) => {
      expect(asr[index]).toBeCloseTo(wanted, 12);
    });
    expect(passAll(2, counts)).toBeCloseTo(3 / 45, 12);
    expect(passAll(4, counts)).toBe(0);
  });

  it('average over scenarios, leave out the ones with too few trials, and keep clusters', () => {
    const summary = averageRepeats(
      [
        { cluster: 'g1', k: 1, n: 3 },
        { cluster: 'g1', k: 3, n: 3 },
        { cluster: 'g0', k: 0, n: 3 },
        { cluster: 'g0', k: 1, n: 1 },
      ],
      (counts) => passAll(3, counts),
    );
    expect(summary).toEqual({
      value: 1 / 3,
      scenarios: 3,
      leftOut: 1,
      totals: [
        { key: 'g0', sum: 0, size: 1 },
        { key: 'g1', sum: 1, size: 2 },
      ],
    });
    expect(averageRepeats([], flipRate).value).toBeNull();
    expect(flipRate({ k: 1, n: 1 })).toBeNull();
    expect(() => passAll(0, { k: 1, n: 1 })).toThrow(/whole number >= 1/);
  });
});

describe('ceiling and gate', () => {
  it('keeps the attacks on goals that the agent reaches when asked', () => {
    const attacks = ['a', 'b', 'c'].map((key) => ({ key, sum: 1, size: 20 }));
    const asked = [
      { key: 'a', sum: 1, size: 1 },
      { key: 'b', sum: 0, size: 1 },
    ];
    expect(splitByCeiling(attacks, asked)).toEqual({
      doable: [attacks[0]],
      undoable: ['b'],
      unknown: ['c'],
    });
  });

  it('says in words why a cell is not interpretable', () => {
    const poor = { cleanUtility: rateOf({ k: 6, n: 59 }), ceiling: rateOf({ k: 0, n: 0 }) };
    expect(interpret(poor)).toMatchInlineSnapshot(`
      {
        "interpretable": false,
        "reasons": [
          "clean utility is 10.2 % (6 of 59), under the floor of 25.0 %",
          "ceiling was not measured",
        ],
      }
    `);
    expect(interpret({ cleanUtility: rateOf({ k: 32, n: 60 }) })).toEqual({ interpretable: true });
    expect(
      interpret({ cleanUtility: rateOf({ k: 6, n: 59 }) }, { cleanUtility: 0.1 }).interpretable,
    ).toBe(true);
    expect(() => interpret(poor, { ceiling: 25 })).toThrow(RangeError);
  });
});

describe('errorBounds', () => {
  it('bounds a rate by all errors good and all errors bad', () => {
    expect(errorBounds({ k: 69, n: 559 }, 1)).toEqual({
      low: 69 / 560,
      high: 70 / 560,
      errors: 1,
      share: 1 / 560,
      incomplete: false,
    });
    expect(errorBounds({ k: 1, n: 9 }, 1).incomplete).toBe(true);
    expect(errorBounds({ k: 0, n: 0 }, 0)).toMatchObject({ low: null, high: null, share: null });
    expect(errorBounds({ k: 0, n: 0 }, 4)).toMatchObject({
      low: 0,
      high: 1,
      share: 1,
      incomplete: true,
    });
    expect(() => errorBounds({ k: 0, n: 1 }, -1)).toThrow(RangeError);
  });
});

describe('detectable effects', () => {
  it('undo the sample sizes of R power.prop.test and of Connor (1987)', () => {
    // R documentation: power.prop.test(p1 = .50, p2 = .75, power = .90) needs n = 76.7 in each group.
    expect(unpairedDetectableEffect(0.5, { n: 76.7, power: 0.9 })).toBeCloseTo(0.25, 3);
    // Connor's formula solved with scipy.optimize.brentq.
    expect(pairedDetectableEffect(0.3, { n: 200 })).toBeCloseTo(0.10786657961449506, 9);
    expect(pairedDetectableEffect(0.1, { n: 560, power: 0.9 })).toBeCloseTo(0.04315634579530371, 9);
  });

  it('shrink with n, grow with the design effect, and are null where nothing could be found', () => {
    const small = unpairedDetectableEffect(0.2, { n: 100 }) ?? 0;
    expect(unpairedDetectableEffect(0.2, { n: 400 })).toBeLessThan(small);
    const clustered = { n: 400, designEffect: designEffect(20, 0.3) };
    expect(unpairedDetectableEffect(0.2, clustered)).toBeGreaterThan(small);
    expect(pairedDetectableEffect(0.05, { n: 10 })).toBeNull();
    expect(unpairedDetectableEffect(1, { n: 1000 })).toBeNull();
    expect(() => pairedDetectableEffect(2, { n: 10 })).toThrow(/discordance/);
    expect(() => unpairedDetectableEffect(0.5, { n: 0 })).toThrow(RangeError);
  });

  it('take the correlation within clusters from the analysis of variance', () => {
    // scipy.stats.f_oneway on the 0/1 values, (F - 1) / (F - 1 + n0) with n0 of Donner (1986).
    const sums = [16, 3, 0, 7, 12];
    const sizes = [20, 18, 20, 15, 20];
    const totals = sums.map((sum, index) => ({ key: String(index), sum, size: sizes[index] ?? 0 }));
    expect(intraClusterCorrelation(totals)).toBeCloseTo(0.3875257562226534, 10);
    expect(
      intraClusterCorrelation(totals.map((total) => ({ ...total, sum: total.size }))),
    ).toBeNull();
    expect(intraClusterCorrelation([])).toBeNull();
    expect(designEffect(1, 0.9)).toBe(1);
  });
});
