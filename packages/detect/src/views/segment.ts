import { lazily } from './character-classes.js';
import { HASH_SEED, hashStep, TRIGGER, vocabulary } from './lexicon.js';

/** Letters told apart by the trie: a–z, the Cyrillic alphabet and a few Serbian letters. */
const WIDTH = 64;
/** Longest word that is looked for, which bounds the work per letter. */
const MAX_WORD = 18;
/** Longest text that is cut in one go; a longer one is cut block by block. */
const MAX_LETTERS = 8192;

const LATIN_BASES: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ı: 'i',
  ß: 's',
};

function plainCode(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x430 && code <= 0x44f) return code - 0x430 + 26;
  if (code === 0x451) return 0x435 - 0x430 + 26;
  if (code >= 0x452 && code <= 0x45b) return 58 + ((code - 0x452) % 6);
  return -1;
}

const accented: () => Int8Array = lazily(() => {
  const table = new Int8Array(0x250).fill(-1);
  for (let code = 0xe0; code < 0x250; code += 1) {
    const character = String.fromCharCode(code);
    const base = LATIN_BASES[character] ?? character.normalize('NFD').charAt(0);
    table[code] = plainCode(base.charCodeAt(0));
  }
  return table;
});

/** First unit beyond the letters that the trie tells apart. */
const LETTERS_END = 0x460;

/** Trie index of each letter below {@link LETTERS_END}, case and accents ignored, or -1. */
const letterCodes: () => Int8Array = lazily(() => {
  const marks = accented();
  const table = new Int8Array(LETTERS_END).fill(-1);
  for (let code = 0; code < LETTERS_END; code += 1) {
    const small = String.fromCharCode(code).toLowerCase();
    const lower = small.length === 1 ? small.charCodeAt(0) : code;
    const plain = plainCode(lower);
    table[code] = plain < 0 && lower >= 0xe0 && lower < 0x250 ? (marks[lower] ?? -1) : plain;
  }
  return table;
});

export interface Trie {
  readonly next: Int16Array;
  /** 0 for no word; else 1, and 2 more for a trigger. */
  readonly ends: Uint8Array;
  /** Index of each letter, see {@link letterCodes}. */
  readonly codes: Int8Array;
}

export const wordTrie: () => Trie = lazily(() => {
  const words = vocabulary();
  const codes = letterCodes();
  let room = 1;
  for (const word of words.keys()) room += word.length;
  const next = new Int16Array(room * WIDTH);
  const ends = new Uint8Array(room);
  let count = 1;
  for (const [word, flags] of words) {
    if (word.length === 1 && word !== 'a' && word !== 'i') continue;
    let node = 0;
    let whole = true;
    for (let i = 0; i < word.length && whole; i += 1) {
      const code = codes[word.charCodeAt(i)] ?? -1;
      if (code < 0) whole = false;
      else {
        const slot = node * WIDTH + code;
        let child = next[slot] ?? 0;
        if (child === 0) {
          child = count;
          count += 1;
          next[slot] = child;
        }
        node = child;
      }
    }
    if (whole) ends[node] = (ends[node] ?? 0) | ((flags & TRIGGER) === 0 ? 1 : 3);
  }
  return {
    next: next.slice(0, count * WIDTH),
    ends: ends.slice(0, count),
    codes,
  };
});

const PREFIX_BITS = 1 << 17;

/** Hashes of what words of the trie begin with, as bits: small letters of ASCII, at least one fewer than the word has. */
const prefixes: () => Int32Array = lazily(() => {
  const codes = letterCodes();
  const bits = new Int32Array(PREFIX_BITS >> 5);
  for (const word of vocabulary().keys()) {
    let hash = HASH_SEED;
    for (let i = 0; i + 1 < word.length; i += 1) {
      const code = codes[word.charCodeAt(i)] ?? -1;
      if (code < 0 || code >= 26) break;
      hash = hashStep(hash, 0x61 + code);
      const bit = hash & (PREFIX_BITS - 1);
      bits[bit >> 5] = (bits[bit >> 5] ?? 0) | (1 << (bit & 31));
    }
  }
  return bits;
});

/** Whether a longer word of the trie may begin with a token of ASCII, told by its hash. */
export function mayContinue(hash: number): boolean {
  const bit = hash & (PREFIX_BITS - 1);
  return ((prefixes()[bit >> 5] ?? 0) & (1 << (bit & 31))) !== 0;
}

/** The node that follows on a letter, case and accents ignored; 0 for none. */
export function trieStep({ next, codes }: Trie, node: number, unit: number): number {
  const code = unit < LETTERS_END ? (codes[unit] ?? -1) : -1;
  return code < 0 ? 0 : (next[node * WIDTH + code] ?? 0);
}

export interface Segmented {
  /** Where words begin, ascending, 0 first. */
  readonly cuts: readonly number[];
  /** Share of letters that stand in known words of three letters or more, 0 to 1. */
  readonly coverage: number;
  readonly words: number;
  readonly triggers: number;
}

/** More than any cut costs. */
const NEVER = 0x7fffffff;
const UNKNOWN_START = 4;
const UNKNOWN = 5;

function wordCost(length: number, end: number): number {
  const base = length === 1 ? 8 : length === 2 ? 6 : length === 3 ? 5 : 4;
  return end > 1 ? base - 1 : base;
}

/** Arrays of one block, used again for the next. */
const scratch = lazily(() => ({
  cost: new Int32Array(MAX_LETTERS + 1),
  /** Length of the word that ends here; 0 for an unknown letter. */
  word: new Uint8Array(MAX_LETTERS + 1),
  kind: new Uint8Array(MAX_LETTERS + 1),
  letters: new Int8Array(MAX_LETTERS),
}));

/**
 * Cuts letters without spaces into words: dynamic programming over a trie, at most 18 steps a
 * letter. Letters that belong to no word stay together; case does not matter. The letters are
 * `[start, end)` of the text; with less than `least` of them in known words the result is only told to be poor.
 */
export function segment(text: string, start = 0, end = text.length, least = 0): Segmented {
  const total = end - start;
  const cuts: number[] = [];
  const sum = { covered: 0, words: 0, triggers: 0 };
  for (let from = start; from < end; from += MAX_LETTERS) {
    const to = Math.min(end, from + MAX_LETTERS);
    segmentBlock(text, from, to, from - start, cuts, sum);
    // What is left could not make up for what has been read.
    if (to < end && sum.covered + end - to < least * total) return POOR;
  }
  const { covered, words, triggers } = sum;
  return { cuts, coverage: total === 0 ? 0 : covered / total, words, triggers };
}

const POOR: Segmented = { cuts: [0], coverage: 0, words: 0, triggers: 0 };

interface Sum {
  /** Letters in known words of three or more. */
  covered: number;
  words: number;
  triggers: number;
}

function segmentBlock(
  text: string,
  from: number,
  to: number,
  offset: number,
  cuts: number[],
  sum: Sum,
): void {
  const { next, ends, codes } = wordTrie();
  const { cost, word, kind, letters } = scratch();
  const size = to - from;
  cost[0] = 0;
  word[0] = 0;
  for (let i = 0; i < size; i += 1) {
    cost[i + 1] = NEVER;
    const code = text.charCodeAt(from + i);
    letters[i] = code < LETTERS_END ? (codes[code] ?? -1) : -1;
  }
  for (let i = 0; i < size; i += 1) {
    const here = cost[i] ?? 0;
    const glued = i > 0 && word[i] === 0;
    const unknown = here + UNKNOWN + (glued ? 0 : UNKNOWN_START);
    if (unknown < (cost[i + 1] ?? 0)) {
      cost[i + 1] = unknown;
      word[i + 1] = 0;
    }
    let node = 0;
    const stop = Math.min(size, i + MAX_WORD);
    for (let k = i; k < stop; k += 1) {
      const code = letters[k] ?? -1;
      if (code < 0) break;
      node = next[node * WIDTH + code] ?? 0;
      if (node === 0) break;
      const end = ends[node] ?? 0;
      if (end === 0) continue;
      const length = k + 1 - i;
      const total = here + wordCost(length, end);
      if (total < (cost[k + 1] ?? 0)) {
        cost[k + 1] = total;
        word[k + 1] = length;
        kind[k + 1] = end;
      }
    }
  }
  const first = cuts.length;
  let at = size;
  while (at > 0) {
    const length = word[at] ?? 0;
    if (length > 0) {
      sum.words += 1;
      if (length >= 3) sum.covered += length;
      if ((kind[at] ?? 0) > 1 && length >= 4) sum.triggers += 1;
      at -= length;
    } else {
      while (at > 0 && word[at] === 0) at -= 1;
    }
    cuts.push(offset + at);
  }
  for (let low = first, high = cuts.length - 1; low < high; low += 1, high -= 1) {
    const cut = cuts[low] ?? 0;
    cuts[low] = cuts[high] ?? 0;
    cuts[high] = cut;
  }
}
