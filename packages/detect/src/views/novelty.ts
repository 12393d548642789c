import { hashWord } from './lexicon.js';
import type { Tokens } from './tokens.js';

/**
 * Remembers which phrases of three words readings have shown. A reading that shows no new one
 * need be neither scanned nor decoded further: this keeps decoders that act on different places
 * from giving a reading for each subset of them.
 */
export class Phrases {
  readonly #bits: Uint8Array;
  readonly #mask: number;

  /** `units`: length of the text that the readings are of. */
  constructor(units: number) {
    let size = 1 << 15;
    while (size < units * 4 && size < 1 << 22) size <<= 1;
    this.#mask = size - 1;
    this.#bits = new Uint8Array(size >> 3);
  }

  #add(key: number): boolean {
    const mixed = Math.imul(key ^ (key >>> 15), 0x2c1b3c6d);
    const at = (mixed ^ (mixed >>> 13)) & this.#mask;
    const bit = 1 << (at & 7);
    const old = this.#bits[at >> 3] ?? 0;
    this.#bits[at >> 3] = old | bit;
    return (old & bit) === 0;
  }

  /** Takes in all phrases of a reading and tells how many of them are new. */
  take(text: string, { count, start, end, hash }: Tokens): number {
    let fresh = 0;
    // Signs without a letter, such as Morse code.
    if (count === 0) return this.#add(hashWord(text.slice(0, 64)) + text.length) ? 1 : 0;
    if (count > 0 && count < 3) {
      const first = hash[0] ?? 0;
      return this.#add(Math.imul(first, 31) ^ (count > 1 ? (hash[1] ?? 0) : 0x5bd1e995)) ? 1 : 0;
    }
    for (let i = 2; i < count; i += 1) {
      const a = Math.imul(hash[i - 2] ?? 0, 0x85ebca6b);
      // A space between words is not the same as a sign between them.
      const from = end[i - 1] ?? 0;
      // Nothing was said across the place where text was left out.
      if (text.charCodeAt(from + 1) === 0x241e || text.charCodeAt((end[i - 2] ?? 0) + 1) === 0x241e)
        continue;
      const spaced = (start[i] ?? 0) - from === 1 && text.charCodeAt(from) === 0x20;
      const b = Math.imul((hash[i - 1] ?? 0) ^ a, 0xc2b2ae35);
      if (this.#add((b ^ (b >>> 16)) + (hash[i] ?? 0) + (spaced ? 0x9e3779b9 : 0))) fresh += 1;
    }
    return fresh;
  }
}
