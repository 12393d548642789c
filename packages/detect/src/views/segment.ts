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

/** First unit beyond the letters that the trie tells apart. */
const LETTERS_END = 0x460;

/** Trie index of each letter below {@link LETTERS_END}, case and accents ignored, or -1. */
export const letterCodes: () => Int8Array = lazily(() => {
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

/** Where one is in the trie: where the letters that may follow stand, the letter that led here, and what ends here. */
export type TrieState = number;

const LETTER_OFFSET = 2;
const BASE_OFFSET = 9;
const LETTER_BITS = 0x7f;

/**
 * A double array: the letter that follows a state stands at the state's base plus the letter's index, when the state
 * there says that this letter led to it. No two states have one base.
 */
export interface Trie {
  readonly states: Int32Array;
  /** Index of each letter, see {@link letterCodes}. */
  readonly codes: Int8Array;
}

/** Where every word begins; what stands before its base is no letter of any word. */
export const TRIE_ROOT: TrieState = WIDTH << BASE_OFFSET;

/** What ends at a state: 0 for no word; else 1, and 2 more for a trigger. */
export function wordEnd(state: TrieState): number {
  return state & 3;
}

/** A trie while words are put into it. */
interface Growing {
  readonly next: Map<number, Growing>;
  ends: number;
}

export const wordTrie: () => Trie = lazily(() => {
  const codes = letterCodes();
  const root: Growing = { next: new Map(), ends: 0 };
  for (const [word, flags] of vocabulary()) {
    if (word.length === 1 && word !== 'a' && word !== 'i') continue;
    let node = root;
    let whole = true;
    for (let i = 0; i < word.length && whole; i += 1) {
      const code = codes[word.charCodeAt(i)] ?? -1;
      if (code < 0) whole = false;
      else {
        let child = node.next.get(code);
        if (child === undefined) {
          child = { next: new Map(), ends: 0 };
          node.next.set(code, child);
        }
        node = child;
      }
    }
    if (whole) node.ends |= (flags & TRIGGER) === 0 ? 1 : 3;
  }
  return { states: doubleArray(root), codes };
});

function doubleArray(root: Growing): Int32Array {
  const states: number[] = [];
  const bases = new Set<number>();
  // The root's letters stand at its base; others wherever there is room for all that follow one state.
  const waiting: { readonly node: Growing; readonly at: number }[] = [{ node: root, at: -1 }];
  let free = WIDTH;
  for (const { node, at } of waiting) {
    if (node.next.size === 0) continue;
    const letters = [...node.next.keys()];
    let base = at < 0 ? WIDTH : Math.max(WIDTH, free - Math.min(...letters));
    while (bases.has(base) || letters.some((code) => (states[base + code] ?? 0) !== 0)) base += 1;
    bases.add(base);
    if (at >= 0) states[at] = (states[at] ?? 0) | (base << BASE_OFFSET);
    for (const [code, child] of node.next) {
      states[base + code] = ((code + 1) << LETTER_OFFSET) | child.ends;
      waiting.push({ node: child, at: base + code });
    }
    while ((states[free] ?? 0) !== 0) free += 1;
  }
  return Int32Array.from({ length: states.length + WIDTH }, (_, i) => states[i] ?? 0);
}

/** The state that follows on the letter with an index; 0 for none. */
function follow(states: Int32Array, state: TrieState, code: number): TrieState {
  const next = states[(state >> BASE_OFFSET) + code] ?? 0;
  return ((next >> LETTER_OFFSET) & LETTER_BITS) === code + 1 ? next : 0;
}

/** The state that follows on a letter, case and accents ignored; 0 for none. */
export function trieStep({ states, codes }: Trie, state: TrieState, unit: number): TrieState {
  const code = unit < LETTERS_END ? (codes[unit] ?? -1) : -1;
  return code < 0 ? 0 : follow(states, state, code);
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
  const { states, codes } = wordTrie();
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
    let state = TRIE_ROOT;
    const stop = Math.min(size, i + MAX_WORD);
    for (let k = i; k < stop; k += 1) {
      const code = letters[k] ?? -1;
      if (code < 0) break;
      state = follow(states, state, code);
      if (state === 0) break;
      const end = wordEnd(state);
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
