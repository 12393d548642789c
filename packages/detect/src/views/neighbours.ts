import { characterTable, FOREIGN, FOREIGN_BIT } from './character-classes.js';
import { EVERYDAY, KNOWN } from './lexicon.js';
import {
  DASHED_PIG_LATIN,
  FALLING_ORDER,
  GLUED_SENTENCE,
  PIECES,
  PIG_LATIN,
  reach,
} from './run-traits.js';
import { TRIE_ROOT, trieStep, wordTrie } from './segment.js';
import type { Tokens } from './tokens.js';
import { beginsWord, mayFollow, wordBeginnings } from './word-beginnings.js';

/** Ranks of parts of speech in a sentence, by their four flags from {@link VERB} on; 0 for any other word. */
const RANKS = Uint8Array.of(0, 1, 2, 1, 3, 3, 2, 2, 4, 4, 2, 2, 3, 3, 2, 2);

/** Place of a word in "ignore all previous instructions": 1 to 4; 0 for a word that has none. */
export function rankOf(flags: number): number {
  return RANKS[(flags >> 4) & 15] ?? 0;
}

/** Runs of one length, a unit apart, that may be an enciphered sentence, and their least and greatest length. */
const ALIKE = 4;
const ALIKE_LEAST = 3;
const ALIKE_MOST = 8;
/** Longest run, widest gap and fewest pieces of words that were pushed apart. */
export const SHORT = 4;
export const MAX_GAP = 12;
export const MIN_PIECES = 5;
const ROW = (1 << MIN_PIECES) - 1;
/** Words of pig latin that are no chance, its longest ending, and its shortest and longest word. */
const PIG_WORDS = 3;
const PIG_ENDING = 7;
const PIG_LEAST = 4;
const PIG_MOST = 24;
/** Falls of the order of words. */
const FALLS = 2;
/** Signs between two words that stand for a space, at most. */
const MAX_JOINT = 3;

const SMALL_A = 0x61;
const SMALL_I = 0x69;
const SPACE = 0x20;
const APOSTROPHE = 0x27;
const CURLED_APOSTROPHE = 0x2019;

function endsInAy(text: string, end: number): boolean {
  return (text.charCodeAt(end - 1) | 0x20) === 0x79 && (text.charCodeAt(end - 2) | 0x20) === 0x61;
}

/** Whether two runs, put together, are what a word of the vocabulary begins with, or such a word. */
function isWithinWord(text: string, start: number, end: number, from: number, to: number): boolean {
  const trie = wordTrie();
  let state = TRIE_ROOT;
  for (let at = start; at < to; at += 1) {
    if (at === end) at = from;
    state = trieStep(trie, state, text.charCodeAt(at));
    if (state === 0) return false;
  }
  return true;
}

/** A letter by itself is a word when it is "a" or "i". */
function isWordByItself(unit: number): boolean {
  const small = unit | 0x20;
  return small === SMALL_A || small === SMALL_I;
}

/** Whether signs and no space stand between two words. */
function isJoint(text: string, from: number, to: number): boolean {
  if (to - from > MAX_JOINT) return false;
  const first = text.charCodeAt(from);
  if (to - from === 1) return first !== APOSTROPHE && first !== CURLED_APOSTROPHE;
  return text.charCodeAt(from + 1) !== SPACE && text.charCodeAt(to - 1) !== SPACE;
}

/** What runs tell that stand beside one another; the bits of `run-traits.ts`. */
export function neighbours(
  text: string,
  { count, start, end, flags, hash, shape }: Omit<Tokens, 'traits' | 'numerals'>,
): number {
  const beginnings = wordBeginnings();
  const { lower } = characterTable();
  let traits = 0;
  /** Of the run before: where it ends, its length, whether it is a known word, its rank, whether words begin with it. */
  let last = 0;
  let lengthBefore = 0;
  let knownBefore = 0;
  let rankBefore = 0;
  let beganWord = 0;
  let alike = 0;
  let chained = 0;
  let falls = 0;
  let short = 0;
  let strange = 0;
  let pigs = 0;
  let dashedPigs = 0;
  // Whether words are known and of what length no processor can foretell, so that few branches ask it.
  for (let i = 0; i < count; i += 1) {
    const from = start[i] ?? 0;
    const to = end[i] ?? 0;
    const found = flags[i] ?? 0;
    const length = to - from;
    const between = from - last;
    const lexical = found & KNOWN;

    const rank = rankOf(found);
    falls += ((rank - rankBefore) & -rank) >>> 31;
    rankBefore = rank;

    const other = (length ^ lengthBefore) | (between ^ 1);
    lengthBefore = length;
    alike = (alike + 1) & ~((other | -other) >> 31);
    if (alike >= ALIKE - 1 && length >= ALIKE_LEAST && length <= ALIKE_MOST) {
      traits |= GLUED_SENTENCE;
    }

    // One bit for each of the last runs: short ones near the one before, and those of them that are no words.
    const isShort = (length - SHORT - 1) >>> 31;
    short = (short << 1) | isShort;
    strange = (strange << 1) | (isShort & ((lexical ^ 1) | ((length - 2) >>> 31)));
    if (between > MAX_GAP) short = isShort;
    if ((short & ROW) === ROW && (strange & ROW) !== 0) traits |= PIECES;

    if ((found & (KNOWN | EVERYDAY)) === 0 && length >= PIG_LEAST && length <= PIG_MOST) {
      if (endsInAy(text, to)) pigs += 1;
    }

    const known = length > 1 || isWordByItself(text.charCodeAt(from)) ? lexical : 0;
    const candidate = beganWord & ~(known & knownBefore);
    if (candidate !== 0 && between <= MAX_GAP && (traits & PIECES) === 0) {
      const letter = lower[text.charCodeAt(from)] ?? 0;
      if (
        (((shape[i] ?? 0) & FOREIGN) !== 0 || mayFollow(beginnings, hash[i - 1] ?? 0, letter)) &&
        isWithinWord(text, start[i - 1] ?? 0, last, from, to)
      ) {
        traits |= PIECES;
      }
    }
    beganWord = beginsWord(beginnings, hash[i] ?? 0) | (((shape[i] ?? 0) >> FOREIGN_BIT) & 1);

    if (i === 0 || text.charCodeAt(from - 1) === SPACE) chained = 0;
    else {
      const joins = isJoint(text, last, from);
      chained = joins && (known & knownBefore) !== 0 ? chained + 1 : 0;
      if (chained > 1) traits |= PIECES;
      if (between === 1 && length > 1 && length <= PIG_ENDING && endsInAy(text, to)) {
        dashedPigs += 1;
      }
    }
    knownBefore = known;
    last = to;
  }
  return (
    traits |
    reach(pigs, PIG_WORDS, PIG_LATIN) |
    reach(dashedPigs, PIG_WORDS, DASHED_PIG_LATIN) |
    reach(falls, FALLS, FALLING_ORDER)
  );
}
