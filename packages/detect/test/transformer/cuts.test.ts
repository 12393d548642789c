import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutsFromBudget } from '../../src/transformers.js';

const probability = fc.double({ min: 0, max: 0.999, noNaN: true });

describe('cuts from a budget of false alarms', () => {
  it('keep the budget, whatever the model gives', () => {
    fc.assert(
      fc.property(fc.array(probability, { minLength: 500, maxLength: 800 }), (benign) => {
        const { suspicious, malicious } = cutsFromBudget(benign);
        const share = (cut: number) => benign.filter((one) => one >= cut).length / benign.length;
        expect(suspicious).toBeLessThanOrEqual(malicious);
        expect(share(suspicious)).toBeLessThanOrEqual(0.01);
        expect(share(malicious)).toBeLessThanOrEqual(0.002);
      }),
      { numRuns: 50 },
    );
  });

  it('lie no lower than a verdict needs', () => {
    expect(cutsFromBudget(Array.from({ length: 500 }, () => 0.01))).toEqual({
      suspicious: 0.56,
      malicious: 0.83,
    });
  });

  it('rise above the benign texts beyond the budget', () => {
    const benign = Array.from({ length: 1_000 }, (_, index) => (index < 20 ? 0.9 : 0.1));
    expect(cutsFromBudget(benign)).toEqual({ suspicious: 0.900001, malicious: 0.900001 });
  });

  it.each([
    ['too few texts', Array.from({ length: 499 }, () => 0.1), 'needs at least 500 benign texts'],
    ['what is no probability', Array.from({ length: 500 }, () => Number.NaN), 'no probability'],
    [
      'a model that is sure of them',
      Array.from({ length: 500 }, () => 1),
      'no cut holds the budget',
    ],
  ])('refuse %s', (_name, benign, words) => {
    expect(() => cutsFromBudget(benign)).toThrow(words);
  });
});
