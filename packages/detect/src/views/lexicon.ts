import { lazily } from './character-classes.js';
import { EVERYDAY_WORDS } from './everyday-words.js';
import {
  COMMON,
  CYRILLIC_TRIGGERS,
  LATIN_COMMON,
  LATIN_TRIGGERS,
  SPELLING_ALPHABET,
  TRIGGER_ADJECTIVES,
  TRIGGER_DETERMINERS,
  TRIGGER_NOUNS,
  TRIGGER_VERBS,
  TRIGGERS,
} from './words.js';

/** A vocabulary word as it stands. */
export const KNOWN = 1;
/** A vocabulary word that attacks turn on. */
export const TRIGGER = 2;
/** A vocabulary word with its letters back to front. */
export const BACKWARD = 4;
/** A vocabulary word in Atbash. */
export const MIRRORED = 8;
/** Part of speech, for telling a reversed word order. */
export const VERB = 16;
export const DETERMINER = 32;
export const ADJECTIVE = 64;
export const NOUN = 128;
/** Encoded form of a trigger rather than of a common word. */
export const ENCODED_TRIGGER = 256;
/** How far the letters were shifted (1–25) stands in the bits from here. */
export const SHIFT_OFFSET = 10;
export const SHIFT_MASK = 31 << SHIFT_OFFSET;
/** A word of the spelling alphabet. */
export const SPELLING_BIT = 15;
export const SPELLING = 1 << SPELLING_BIT;
/** A common English word beyond the vocabulary: nothing is decoded from it, and it tells nothing either. */
export const EVERYDAY = 1 << 16;

export const HASH_SEED = 0x811c9dc5 | 0;

/** One step of the word hash; the caller folds case. */
export function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

export function hashWord(word: string): number {
  let hash = HASH_SEED;
  for (let i = 0; i < word.length; i += 1) hash = hashStep(hash, word.charCodeAt(i));
  return hash;
}

function split(words: string): string[] {
  return words.split(/\s+/u).filter((word) => word !== '');
}

/** Words with their flags. */
export const vocabulary: () => ReadonlyMap<string, number> = lazily(() => {
  const words = new Map<string, number>();
  const add = (list: string, flags: number): void => {
    for (const word of split(list)) words.set(word, (words.get(word) ?? 0) | flags);
  };
  add(TRIGGER_VERBS, KNOWN | TRIGGER | VERB);
  add(TRIGGER_DETERMINERS, KNOWN | DETERMINER);
  add(TRIGGER_ADJECTIVES, KNOWN | TRIGGER | ADJECTIVE);
  add(TRIGGER_NOUNS, KNOWN | TRIGGER | NOUN);
  add(TRIGGERS, KNOWN | TRIGGER);
  add(COMMON, KNOWN);
  add(LATIN_TRIGGERS, KNOWN | TRIGGER);
  add(CYRILLIC_TRIGGERS, KNOWN | TRIGGER);
  add(LATIN_COMMON, KNOWN);
  return words;
});

/**
 * Open-addressing tables from word hash to flags. A cell holds the upper 24 bits of the mixed hash and the number of a
 * set of flags, so that a word touches one line of memory: what scans touch in all has to fit the nearest cache.
 */
export interface HashTable {
  /** Words as they stand, which most words of a text are. */
  readonly plain: Int32Array;
  /** What words become under letter ciphers. */
  readonly enciphered: Int32Array;
  /** Sets of flags by number; 0 is none. */
  readonly sets: Int32Array;
}

const PLAIN_CELLS = 1 << 14;
const ENCIPHERED_CELLS = 1 << 15;

function shifted(word: string, by: number): string {
  let out = '';
  for (let i = 0; i < word.length; i += 1) {
    out += String.fromCharCode(((word.charCodeAt(i) - 97 + by) % 26) + 97);
  }
  return out;
}

function mirrored(word: string): string {
  let out = '';
  for (let i = 0; i < word.length; i += 1) out += String.fromCharCode(219 - word.charCodeAt(i));
  return out;
}

const ASCII_WORD = /^[a-z]+$/u;

export function reverseText(text: string): string {
  let out = '';
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const code = text.charCodeAt(at);
    const before = at > 0 ? text.charCodeAt(at - 1) : 0;
    // A pair of surrogates stays in order.
    if (code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff) {
      at -= 1;
      out += text.slice(at, at + 2);
    } else out += text.charAt(at);
  }
  return out;
}

/**
 * All words and what they become under letter ciphers, so that one look-up per token tells which
 * cipher would make a word of it.
 */
export const wordTable: () => HashTable = lazily(() => {
  const flagsOf = new Map<number, number>();
  const insert = (word: string, flags: number): void => {
    const key = hashWord(word);
    const old = flagsOf.get(key) ?? 0;
    flagsOf.set(key, old | ((old & SHIFT_MASK) !== 0 ? flags & ~SHIFT_MASK : flags));
  };
  const words = vocabulary();
  for (const [word, flags] of words) insert(word, flags);
  for (const word of SPELLING_ALPHABET.match(/(?<=[:,])[a-z]+/gu) ?? []) insert(word, SPELLING);
  for (const word of split(EVERYDAY_WORDS)) insert(word, EVERYDAY);
  for (const [word, flags] of words) {
    if (word.length < 3) continue;
    const encoded = (flags & TRIGGER) !== 0 ? ENCODED_TRIGGER : 0;
    insert(reverseText(word), BACKWARD | encoded);
    if (!ASCII_WORD.test(word)) continue;
    insert(mirrored(word), MIRRORED | encoded);
    // Back to front and enciphered: turning the letters round leaves one cipher to undo.
    insert(reverseText(mirrored(word)), BACKWARD | encoded);
    insert(reverseText(shifted(word, 13)), BACKWARD | encoded);
    insert(shifted(word, 13), (13 << SHIFT_OFFSET) | encoded);
    if (word.length < 4 || (flags & (TRIGGER | DETERMINER)) === 0) continue;
    for (let by = 1; by < 26; by += 1) insert(shifted(word, by), (by << SHIFT_OFFSET) | encoded);
  }
  return packed(flagsOf);
});

function packed(flagsOf: ReadonlyMap<number, number>): HashTable {
  const plain = new Int32Array(PLAIN_CELLS);
  const enciphered = new Int32Array(ENCIPHERED_CELLS);
  const sets = [0];
  for (const [key, flags] of flagsOf) {
    let set = sets.indexOf(flags);
    if (set < 0) set = sets.push(flags) - 1;
    const cells = (flags & (KNOWN | EVERYDAY | SPELLING)) === 0 ? enciphered : plain;
    const mixed = mix(key);
    let at = mixed & (cells.length - 1);
    while (cells[at] !== 0) at = (at + 1) & (cells.length - 1);
    cells[at] = (mixed & TAG) | set;
  }
  return { plain, enciphered, sets: Int32Array.from(sets) };
}

/** Bits of a cell that tell words apart; the rest is the number of a set. */
const TAG = ~0xff;

function mix(key: number): number {
  return key ^ (key >>> 15);
}

/** Fewest letters of an enciphered word that count as one. */
const ENCIPHERED = 5;

/** Whether flags stand for a known word, or for a trigger under a cipher when it is long enough. */
export function isReadable(flags: number, length: number): boolean {
  return (flags & KNOWN) !== 0 || (length >= ENCIPHERED && (flags & ENCODED_TRIGGER) !== 0);
}

/** Flags of a hashed word; 0 for one that is not in the table. */
export function lookUp({ plain, enciphered, sets }: HashTable, key: number): number {
  const mixed = mix(key);
  for (let at = mixed & (PLAIN_CELLS - 1); ; at = (at + 1) & (PLAIN_CELLS - 1)) {
    const cell = plain[at] ?? 0;
    if (cell === 0) break;
    if (((cell ^ mixed) & TAG) === 0) return sets[cell & ~TAG] ?? 0;
  }
  for (let at = mixed & (ENCIPHERED_CELLS - 1); ; at = (at + 1) & (ENCIPHERED_CELLS - 1)) {
    const cell = enciphered[at] ?? 0;
    if (cell === 0) return 0;
    if (((cell ^ mixed) & TAG) === 0) return sets[cell & ~TAG] ?? 0;
  }
}
