import { lazily } from './character-classes.js';
import { TRIGGER, vocabulary } from './lexicon.js';

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

/** Trie index of a lower-case letter, accents ignored, or -1. */
export function letterCode(code: number): number {
  const plain = plainCode(code);
  if (plain >= 0 || code < 0xe0 || code >= 0x250) return plain;
  return accented()[code] ?? -1;
}

export interface Trie {
  readonly next: Int16Array;
  /** 0 for no word; else 1, and 2 more for a trigger. */
  readonly ends: Uint8Array;
}

export const wordTrie: () => Trie = lazily(() => {
  const words = vocabulary();
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
      const code = letterCode(word.charCodeAt(i));
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
  return { next: next.slice(0, count * WIDTH), ends: ends.slice(0, count) };
});

export function trieStep(trie: Trie, node: number, code: number): number {
  return code < 0 ? 0 : (trie.next[node * WIDTH + code] ?? 0);
}

export interface Segmented {
  /** Where words begin, ascending, 0 first. */
  readonly cuts: readonly number[];
  /** Share of letters that stand in known words of three letters or more, 0 to 1. */
  readonly coverage: number;
  readonly words: number;
  readonly triggers: number;
}

const UNKNOWN_START = 4;
const UNKNOWN = 5;

function wordCost(length: number, end: number): number {
  const base = length === 1 ? 8 : length === 2 ? 6 : length === 3 ? 5 : 4;
  return end > 1 ? base - 1 : base;
}

/**
 * Cuts letters without spaces into words: dynamic programming over a trie, at most 18 steps a
 * letter. Letters that belong to no word stay together.
 */
export function segment(letters: string): Segmented {
  if (letters.length <= MAX_LETTERS) return segmentBlock(letters);
  const cuts: number[] = [];
  let covered = 0;
  let words = 0;
  let triggers = 0;
  for (let from = 0; from < letters.length; from += MAX_LETTERS) {
    const block = segmentBlock(letters.slice(from, from + MAX_LETTERS));
    for (const cut of block.cuts) cuts.push(from + cut);
    covered += block.coverage * Math.min(MAX_LETTERS, letters.length - from);
    words += block.words;
    triggers += block.triggers;
  }
  return { cuts, coverage: covered / letters.length, words, triggers };
}

function segmentBlock(letters: string): Segmented {
  const trie = wordTrie();
  const size = letters.length;
  const cost = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
  // Length of the word that ends here; 0 for an unknown letter.
  const word = new Uint8Array(size + 1);
  const kind = new Uint8Array(size + 1);
  cost[0] = 0;
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
      node = trieStep(trie, node, letterCode(letters.charCodeAt(k)));
      if (node === 0) break;
      const end = trie.ends[node] ?? 0;
      if (end === 0) continue;
      const total = here + wordCost(k + 1 - i, end);
      if (total < (cost[k + 1] ?? 0)) {
        cost[k + 1] = total;
        word[k + 1] = k + 1 - i;
        kind[k + 1] = end;
      }
    }
  }
  const cuts: number[] = [];
  let covered = 0;
  let words = 0;
  let triggers = 0;
  let at = size;
  while (at > 0) {
    const length = word[at] ?? 0;
    if (length > 0) {
      words += 1;
      if (length >= 3) covered += length;
      if ((kind[at] ?? 0) > 1 && length >= 4) triggers += 1;
      at -= length;
    } else {
      while (at > 0 && word[at] === 0) at -= 1;
    }
    cuts.push(at);
  }
  cuts.reverse();
  return { cuts, coverage: size === 0 ? 0 : covered / size, words, triggers };
}
