import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitCalibration } from '../../src/classifier/calibration.js';
import { fitLogistic, sigmoid, type WeightedRow } from '../../src/classifier/logistic.js';

const row = (values: readonly number[], attack: boolean, weight = 1): WeightedRow => ({
  row: { buckets: Int32Array.from(values.keys()), values: Float64Array.from(values) },
  attack,
  weight,
});

const rows = fc
  .array(
    fc.tuple(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
      fc.boolean(),
      fc.double({ min: 0.1, max: 3, noNaN: true }),
    ),
    { minLength: 2, maxLength: 20 },
  )
  .map((drawn) => drawn.map(([values, attack, weight]) => row(values, attack, weight)));

describe('fitLogistic', () => {
  it('ends where the gradient of the penalised loss is zero', () => {
    fc.assert(
      fc.property(rows, (drawn) => {
        const lambda = 0.01;
        const { weights, bias } = fitLogistic(drawn, {
          dimensions: 3,
          lambda,
          tolerance: 1e-9,
          maxIterations: 2_000,
        });
        const total = drawn.reduce((sum, { weight }) => sum + weight, 0);
        const oneClass = new Set(drawn.map(({ attack }) => attack)).size === 1;
        for (let index = 0; index < 3; index += 1) {
          let slope = lambda * (weights[index] ?? 0);
          for (const { row: features, attack, weight } of drawn) {
            const score =
              bias +
              features.values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
            slope +=
              (weight / total) *
              (sigmoid(score) - (attack ? 1 : 0)) *
              (features.values[index] ?? 0);
          }
          // With one class the bias runs off to infinity, as it should; the weights stay finite.
          expect(Math.abs(slope)).toBeLessThan(oneClass ? 1e-2 : 1e-5);
        }
      }),
    );
  });

  it('gives the log-odds of the base rate when the features say nothing', () => {
    const drawn = [row([0], true, 3), row([0], false, 1)];
    const { bias, weights } = fitLogistic(drawn, { dimensions: 1, lambda: 0.1, tolerance: 1e-9 });
    expect(bias).toBeCloseTo(Math.log(3), 6);
    expect(weights[0]).toBe(0);
  });

  it('gives the same bits twice', () => {
    fc.assert(
      fc.property(rows, (drawn) => {
        const first = fitLogistic(drawn, { dimensions: 3, lambda: 0.1 });
        const second = fitLogistic(drawn, { dimensions: 3, lambda: 0.1 });
        expect(second).toEqual(first);
      }),
    );
  });

  it('refuses rows without weight', () => {
    expect(() => fitLogistic([], { dimensions: 1, lambda: 1 })).toThrow(RangeError);
  });
});

describe('fitCalibration', () => {
  it('finds the sigmoid that the labels were drawn from', () => {
    const drawn = Array.from({ length: 200 }, (_, index) => {
      const score = (index - 100) / 20;
      const probability = sigmoid(2 * score - 1);
      return [
        { score, attack: true, weight: 100 * probability },
        { score, attack: false, weight: 100 * (1 - probability) },
      ];
    }).flat();
    const { slope, offset } = fitCalibration(drawn);
    expect(slope).toBeCloseTo(2, 1);
    expect(offset).toBeCloseTo(-1, 1);
  });

  it('stays finite when the classes are apart', () => {
    const { slope, offset } = fitCalibration([
      { score: -3, attack: false, weight: 5 },
      { score: 3, attack: true, weight: 5 },
    ]);
    expect(sigmoid(3 * slope + offset)).toBeLessThan(0.95);
    expect(sigmoid(3 * slope + offset)).toBeGreaterThan(0.7);
  });

  it('refuses one class', () => {
    expect(() => fitCalibration([{ score: 1, attack: true, weight: 1 }])).toThrow(RangeError);
  });
});
