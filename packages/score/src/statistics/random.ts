const MASK_64 = 0xffff_ffff_ffff_ffffn;
const WORD = 0x1_0000_0000;
/** A 32-bit word times this is still an exact double. */
const LARGEST_BOUND = 0x20_0000;
const GOLDEN_GAMMA = 0x9e37_79b9_7f4a_7c15n;

/** The name that reports print beside a seed, so that a result can be drawn again elsewhere. */
export const RANDOM_NAME = 'xoshiro128**, seeded by splitmix64';

/** A stream of pseudo-random numbers, fixed by its seed on every machine. Not for secrets. */
export interface Random {
  /** The next 32 bits, as an integer from 0 to 2^32 - 1. */
  next(): number;
  /** A number in [0, 1) with 53 random bits: `(a >>> 5) * 2^26 + (b >>> 6)` over 2^53, `a` drawn first. */
  uniform(): number;
  /**
   * An integer from 0 to `bound - 1`, each equally likely, for bounds up to 2^21: the high word of `next() * bound`, drawn
   * again while the low word is under `2^32 mod bound` (Lemire 2019).
   */
  below(bound: number): number;
}

/**
 * Opens a stream. The state of xoshiro128** (Blackman & Vigna 2018) is the first two outputs of
 * splitmix64 started at the seed, each cut into its low and then its high 32 bits.
 *
 * @param seed integer from 0 to 2^53 - 1
 * @throws RangeError when the seed is no such integer
 */
export function createRandom(seed: number): Random {
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new RangeError(`seed must be an integer from 0 to 2^53 - 1, found ${String(seed)}`);
  }
  const first = splitmix64(BigInt(seed), 1n);
  const second = splitmix64(BigInt(seed), 2n);
  let a = Number(first & 0xffff_ffffn) | 0;
  let b = Number(first >> 32n) | 0;
  let c = Number(second & 0xffff_ffffn) | 0;
  let d = Number(second >> 32n) | 0;

  const next = (): number => {
    const scrambled = Math.imul(b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result >>> 0;
  };

  return {
    next,
    uniform() {
      const high = next() >>> 5;
      const low = next() >>> 6;
      return (high * 0x400_0000 + low) / 0x20_0000_0000_0000;
    },
    below(bound) {
      if (!Number.isInteger(bound) || bound < 1 || bound > LARGEST_BOUND) {
        throw new RangeError(`bound must be an integer from 1 to 2^21, found ${String(bound)}`);
      }
      let product = next() * bound;
      let high = Math.floor(product / WORD);
      // Only low parts under WORD mod bound are rejected; those are all under the bound, so the slow modulus is rare.
      while (product - high * WORD < bound && product - high * WORD < WORD % bound) {
        product = next() * bound;
        high = Math.floor(product / WORD);
      }
      return high;
    },
  };
}

/** The `index`-th output (from 1) of splitmix64 (Steele, Lea & Flood 2014) started at `seed`. */
function splitmix64(seed: bigint, index: bigint): bigint {
  let mixed = (seed + GOLDEN_GAMMA * index) & MASK_64;
  mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & MASK_64;
  mixed = ((mixed ^ (mixed >> 27n)) * 0x94d0_49bb_1331_11ebn) & MASK_64;
  return mixed ^ (mixed >> 31n);
}
