import { describe, expect, it } from 'vitest';

import { createRandom } from '../../src/statistics/random.js';

describe('createRandom', () => {
  it('gives the first words of xoshiro128** on the state that splitmix64 makes of the seed', () => {
    // splitmix64(0): e220a8397b1dcdaf, 6e789e6aa1b965f4. The first output needs only the second word:
    // rotl(0xe220a839 * 5, 7) * 9.
    const expected = Number(
      (rotateLeft((0xe220a839n * 5n) & 0xffff_ffffn, 7n) * 9n) & 0xffff_ffffn,
    );
    expect(createRandom(0).next()).toBe(expected);
  });

  it('agrees with a slow generator written on big integers', () => {
    for (const seed of [0, 1, 42, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER]) {
      const fast = createRandom(seed);
      const slow = bigGenerator(BigInt(seed));
      for (let draw = 0; draw < 200; draw += 1) expect(fast.next()).toBe(slow());
    }
  });

  it('draws every integer below a bound about equally often', () => {
    const random = createRandom(7);
    const seen = Array.from({ length: 7 }, () => 0);
    for (let draw = 0; draw < 70_000; draw += 1) {
      const value = random.below(7);
      seen[value] = (seen[value] ?? 0) + 1;
    }
    const chiSquare = seen.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    // The 99.9 % point of chi-square with 6 degrees of freedom (scipy.stats.chi2.ppf(.999, 6)).
    expect(chiSquare).toBeLessThan(22.46);
  });

  it('takes the high word of the product, and draws again when the low word is too small', () => {
    const bound = 1_500_000;
    const random = createRandom(3);
    const words = createRandom(3);
    let again = 0;
    for (let draw = 0; draw < 20_000; draw += 1) {
      let product = BigInt(words.next()) * BigInt(bound);
      while ((product & 0xffff_ffffn) < (1n << 32n) % BigInt(bound)) {
        again += 1;
        product = BigInt(words.next()) * BigInt(bound);
      }
      expect(random.below(bound)).toBe(Number(product >> 32n));
    }
    expect(again).toBeGreaterThan(0);
  });

  it('draws uniform numbers in [0, 1) with mean one half and variance one twelfth', () => {
    const random = createRandom(11);
    const values = Array.from({ length: 50_000 }, () => random.uniform());
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
    expect(mean).toBeCloseTo(0.5, 2);
    expect(variance).toBeCloseTo(1 / 12, 2);
  });

  it('refuses a seed or bound that is no such integer', () => {
    for (const seed of [-1, 0.5, Number.NaN, 2 ** 53])
      expect(() => createRandom(seed)).toThrow(RangeError);
    for (const bound of [0, 1.5, Number.NaN, 2 ** 33]) {
      expect(() => createRandom(1).below(bound)).toThrow(/bound must be an integer/);
    }
  });
});

function rotateLeft(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (32n - by))) & 0xffff_ffffn;
}

function bigGenerator(seed: bigint): () => number {
  const mask = (1n << 64n) - 1n;
  let state = seed;
  const splitmix = (): bigint => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return z ^ (z >> 31n);
  };
  const one = splitmix();
  const two = splitmix();
  let s0 = one & 0xffff_ffffn;
  let s1 = one >> 32n;
  let s2 = two & 0xffff_ffffn;
  let s3 = two >> 32n;
  return () => {
    const result = (rotateLeft((s1 * 5n) & 0xffff_ffffn, 7n) * 9n) & 0xffff_ffffn;
    const t = (s1 << 9n) & 0xffff_ffffn;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = rotateLeft(s3, 11n);
    return Number(result);
  };
}
