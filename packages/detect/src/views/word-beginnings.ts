import { lazily } from './character-classes.js';
import { HASH_SEED, hashStep, vocabulary } from './lexicon.js';
import { letterCodes } from './segment.js';

const BITS = 1 << 17;
/** Told apart from the hash of a beginning: that of one to which a letter was added. */
const ADDED = 0x5bd1e995;

/**
 * What known words begin with, as bits: the hashes of small letters of ASCII, at least one fewer than the word has,
 * and of such letters with one more.
 */
export const wordBeginnings: () => Int32Array = lazily(() => {
  const codes = letterCodes();
  const bits = new Int32Array(BITS >> 5);
  const add = (hash: number): void => {
    const bit = hash & (BITS - 1);
    bits[bit >> 5] = (bits[bit >> 5] ?? 0) | (1 << (bit & 31));
  };
  for (const word of vocabulary().keys()) {
    let hash = HASH_SEED;
    for (let i = 0; i < word.length; i += 1) {
      const code = codes[word.charCodeAt(i)] ?? -1;
      if (code < 0 || code >= 26) break;
      hash = hashStep(hash, 0x61 + code);
      if (i + 1 < word.length) add(hash);
      if (i > 0) add(hash ^ ADDED);
    }
  }
  return bits;
});

/** 1 when a longer word may begin with a token of ASCII, told by its hash; else 0. */
export function beginsWord(bits: Int32Array, hash: number): number {
  const bit = hash & (BITS - 1);
  return ((bits[bit >> 5] ?? 0) >>> (bit & 31)) & 1;
}

/** Whether a word may begin with a token of ASCII, told by its hash, and a letter of ASCII behind it. */
export function mayFollow(bits: Int32Array, hash: number, letter: number): boolean {
  return beginsWord(bits, hashStep(hash, letter) ^ ADDED) !== 0;
}
