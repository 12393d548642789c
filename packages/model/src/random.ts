import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * `pab-random-1`, the one generator of the benchmark: xoshiro128** (Blackman and Vigna 2018) whose four 32-bit words of
 * state are the first 16 bytes, little-endian, of SHA-256 over the UTF-8 bytes of `name`. Each draw takes one 32-bit output
 * `u` and gives `u / 2^32`, so values are uniform in [0, 1) with 32 bits and equal on every machine.
 */
export function randomFrom(name: string): () => number {
  const view = new DataView(sha256(utf8ToBytes(name)).buffer);
  let a = view.getUint32(0, true);
  let b = view.getUint32(4, true);
  let c = view.getUint32(8, true);
  let d = view.getUint32(12, true);
  // An all-zero state would stay zero; SHA-256 has no known input that gives it.
  if ((a | b | c | d) === 0) a = 1;
  return () => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result / 4_294_967_296;
  };
}

/** A whole number from 0 up to, not with, `bound`. */
export function drawInteger(random: () => number, bound: number): number {
  return Math.floor(random() * bound);
}

/** One item of a list that has some. */
export function drawItem<T>(random: () => number, items: readonly T[]): T {
  const item = items[drawInteger(random, items.length)];
  if (item === undefined) throw new RangeError('there is nothing to draw from');
  return item;
}
