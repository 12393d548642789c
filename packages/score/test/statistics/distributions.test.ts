import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { betaCdf, betaQuantile, logGamma } from '../../src/statistics/beta-distribution.js';
import { normalCdf, normalQuantile } from '../../src/statistics/normal-distribution.js';
import { quantile } from '../../src/statistics/quantile.js';
import { studentCdf, studentQuantile } from '../../src/statistics/student-distribution.js';

function relativeError(found: number, wanted: number): number {
  return Math.abs(found - wanted) / Math.abs(wanted);
}

describe('special functions against scipy 1.17', () => {
  it.each([
    [0.5, 0.5723649429247],
    [3.7, 1.428072326665388],
    [10, 12.801827480081469],
    [100.5, 361.43554046777757],
    [1e6, 12815504.569147611],
  ])('logGamma(%d), as scipy.special.gammaln', (x, wanted) => {
    expect(relativeError(logGamma(x), wanted)).toBeLessThan(1e-13);
  });

  it.each([
    [0.3, 0.5, 0.5, 0.36901011956554536],
    [0.4, 2, 3, 0.5247999999999999],
    [0.39, 218, 343, 0.5298137982093195],
    [0.001, 1, 560, 0.428950958975599],
    [0.503, 5000, 5000, 0.7257436833521136],
  ])('betaCdf(%d; %d, %d), as scipy.special.betainc', (x, a, b, wanted) => {
    expect(relativeError(betaCdf(x, a, b), wanted)).toBeLessThan(1e-10);
  });

  it.each([
    [0.025, 218, 343, 0.3486856766623388],
    [0.975, 219, 342, 0.4310602983257287],
    [0.975, 1, 10, 0.3084971078187607],
    [0.1, 0.5, 0.5, 0.024471741852423214],
    [0.025, 5000, 5001, 0.4901513805805895],
  ])('betaQuantile(%d; %d, %d), as scipy.special.betaincinv', (probability, a, b, wanted) => {
    expect(relativeError(betaQuantile(probability, a, b), wanted)).toBeLessThan(1e-9);
  });

  it.each([
    [-8, 6.22096057427174e-16],
    [-3, 0.0013498980316300933],
    [-1.96, 0.024997895148220435],
    [-0.5, 0.3085375387259869],
    [0.001, 0.500398942213911],
    [1.2816, 0.9000084999023248],
    [3, 0.9986501019683699],
  ])('normalCdf(%d), as scipy.special.ndtr', (x, wanted) => {
    expect(relativeError(normalCdf(x), wanted)).toBeLessThan(1e-12);
  });

  it.each([
    [1e-10, -6.361340902404056],
    [0.001, -3.090232306167813],
    [0.025, -1.9599639845400545],
    [0.2, -0.8416212335729142],
    [0.5, 0],
    [0.975, 1.959963984540054],
    [0.999999, 4.753424308817087],
  ])('normalQuantile(%d), as scipy.special.ndtri', (probability, wanted) => {
    expect(normalQuantile(probability)).toBeCloseTo(wanted, 10);
  });

  it.each([
    [2.052, 27, 0.9750088090232042],
    [-1.5, 4, 0.104],
    [0.3, 1, 0.5927735790777423],
    [5, 9.5, 0.9996862011846814],
  ])('studentCdf(%d, %d), as scipy.stats.t.cdf', (x, degrees, wanted) => {
    expect(relativeError(studentCdf(x, degrees), wanted)).toBeLessThan(1e-10);
  });

  it.each([
    [0.975, 27, 2.0518305164802846],
    [0.975, 4, 2.7764451051977934],
    [0.975, 1, 12.706204736174694],
    [0.1, 3.5, -1.576576605136405],
    [0.975, 1000, 1.9623390808264083],
  ])('studentQuantile(%d, %d), as scipy.stats.t.ppf', (probability, degrees, wanted) => {
    expect(relativeError(studentQuantile(probability, degrees), wanted)).toBeLessThan(1e-9);
  });

  it('takes quantiles as numpy.quantile does by default', () => {
    const sorted = [1, 1, 2, 3, 4, 5, 6, 9];
    const wanted = [1, 1, 1.75, 3.5, 6.9, 9];
    [0, 0.1, 0.25, 0.5, 0.9, 1].forEach((probability, index) => {
      expect(quantile(sorted, probability)).toBeCloseTo(wanted[index] ?? Number.NaN, 12);
    });
  });
});

describe('special functions by their laws', () => {
  const probability = fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true });
  const shape = fc.double({ min: 0.05, max: 5000, noNaN: true });

  it('undoes the beta distribution by its quantile', () => {
    fc.assert(
      fc.property(probability, shape, shape, (p, a, b) => {
        const x = betaQuantile(p, a, b);
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(1);
        // Next to 0 or 1 the nearest doubles may lie further apart than the probability resolves.
        fc.pre(x > 1e-12 && x < 1 - 1e-6);
        expect(betaCdf(x, a, b)).toBeCloseTo(p, 7);
      }),
    );
  });

  it('mirrors the beta distribution', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 0.999, noNaN: true }), shape, shape, (x, a, b) => {
        expect(betaCdf(x, a, b) + betaCdf(1 - x, b, a)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('undoes the normal and Student distributions by their quantiles', () => {
    fc.assert(
      fc.property(probability, fc.double({ min: 1, max: 500, noNaN: true }), (p, degrees) => {
        expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 11);
        expect(studentCdf(studentQuantile(p, degrees), degrees)).toBeCloseTo(p, 7);
      }),
    );
  });

  it('refuses arguments outside the domain', () => {
    expect(() => logGamma(0)).toThrow(RangeError);
    expect(() => betaCdf(1.1, 1, 1)).toThrow(RangeError);
    expect(() => betaQuantile(Number.NaN, 1, 1)).toThrow(RangeError);
    expect(() => normalCdf(Number.NaN)).toThrow(RangeError);
    expect(() => normalQuantile(2)).toThrow(RangeError);
    expect(() => studentQuantile(0, 3)).toThrow(RangeError);
    expect(() => quantile([], 0.5)).toThrow(/at least one value/);
    expect(() => quantile([1], -1)).toThrow(RangeError);
  });
});
