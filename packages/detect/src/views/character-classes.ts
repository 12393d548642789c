import { KINDS, LOWERS } from './characters-table.js';

/** Kinds of UTF-16 units, as the normaliser and the tokeniser tell them apart. */
export const PLAIN = 0;
export const SPACE = 1;
export const INVISIBLE = 2;
/** NFKC changes the character by itself. */
export const COMPATIBLE = 3;
/** A mark, which may compose with what stands before it. */
export const MARK = 4;
export const SURROGATE = 5;
/** NFKC changes the character into what may compose with what stands before it, as the vowels of Hangul that stand alone. */
export const JOINING = 6;

/** Bit set in {@link CharacterTable.word} for letters and digits. */
export const WORD = 1;

/** Bits of a shape, see {@link CharacterTable.run}, besides {@link WORD}; letters and digits of ASCII only. */
export const LOWER = 2;
export const UPPER = 4;
export const DIGIT = 8;
/** A letter or digit of a word that is no hexadecimal digit. */
export const NOT_HEX = 16;
/** A letter, digit or mark beyond ASCII. */
export const FOREIGN_BIT = 5;
export const FOREIGN = 1 << FOREIGN_BIT;

/** What {@link CharacterTable.run} tells of units that belong to no word: a plain space, or the bits of signs. */
export const BLANK = 1;
/** How much a quotation mark counts: one for a mark that opens and closes, two for one that opens only. */
export const WEIGHT = 6;
/** An operator between strings of code. */
export const OPERATOR = 8;
/** A sign of markup that may stand within a word. */
export const MARKUP_SIGN = 16;
export const QUOTE_SIGN = 32;
/** A mark that is an apostrophe as well. */
export const SINGLE = 64;

const SIGNS: readonly (readonly [string, number])[] = [
  ['+.&|~<', OPERATOR],
  ['<*_~`', MARKUP_SIGN],
  ['"`\'\u2018\u2019\u201c\u201d', QUOTE_SIGN],
  ['"`', 2],
  ["'\u2018\u201c", 4],
  ["'", SINGLE],
];

export interface CharacterTable {
  /** One of the kinds above for every UTF-16 unit. */
  readonly kind: Uint8Array;
  /** {@link WORD} for units that belong to a word. */
  readonly word: Uint8Array;
  /** Lower case of every unit, when that is one unit; else the unit itself. */
  readonly lower: Uint16Array;
  /**
   * For one look at each unit: the lower case, and from bit 16 on {@link WORD} and what kind of letter or digit it is.
   * Of units that belong to no word {@link BLANK}, bits of signs, or 0.
   */
  readonly run: Int32Array;
}

/** Whether an astral code point is drawn as nothing: tags and supplementary variation selectors. */
export function isInvisibleAstral(code: number): boolean {
  return (
    (code >= 0xe0000 && code <= 0xe0fff) ||
    (code >= 0x1d173 && code <= 0x1d17a) ||
    (code >= 0x1bca0 && code <= 0x1bca3)
  );
}

/** Whether NFKC may change an astral code point (letters in mathematical, squared … form). */
export function isCompatibleAstral(code: number): boolean {
  return (
    (code >= 0x1d400 && code <= 0x1d7ff) ||
    (code >= 0x1f100 && code <= 0x1f2ff) ||
    (code >= 0x1ee00 && code <= 0x1eeff) ||
    (code >= 0x1fbf0 && code <= 0x1fbf9) ||
    (code >= 0x10780 && code <= 0x107bf) ||
    (code >= 0x2f800 && code <= 0x2fa1f)
  );
}

/** Reads the kinds of all units, and which belong to a word; see `characterData`. */
function readKinds(kind: Uint8Array, word: Uint8Array): void {
  let at = 0;
  let length = 0;
  for (let i = 0; i < KINDS.length; i += 1) {
    const code = KINDS.charCodeAt(i);
    if (code >= 97 || code < 65) {
      length = length * 36 + (code >= 97 ? code - 87 : code - 48);
      continue;
    }
    const value = code - 65;
    kind.fill(value >> 1, at, at + length);
    word.fill(value & WORD, at, at + length);
    at += length;
    length = 0;
  }
}

/** Calls back with each unit that has another lower case, and with that. */
function readLowers(put: (code: number, small: number) => void): void {
  let from = 0;
  for (const record of LOWERS.split(',')) {
    const [gap = 0, count = 0, step = 0, by = 0] = record.split(' ').map(inBase36);
    from += gap;
    for (let k = 0; k < count; k += 1) put(from + k * step, from + k * step + by);
    from += (count - 1) * step + 1;
  }
}

function inBase36(number: string): number {
  return Number.parseInt(number, 36);
}

function buildTable(): CharacterTable {
  const kind = new Uint8Array(65536);
  const word = new Uint8Array(65536);
  readKinds(kind, word);
  const lower = new Uint16Array(65536);
  const run = new Int32Array(65536);
  const foreign = (WORD | NOT_HEX | FOREIGN) << 16;
  for (let i = 0; i < 65536; i += 1) {
    lower[i] = i;
    if (word[i] === WORD) run[i] = foreign | i;
  }
  readLowers((code, small) => {
    lower[code] = small;
    if (word[code] === WORD) run[code] = foreign | small;
  });
  shapeAscii(run);
  run[0x20] = BLANK;
  for (const [signs, bit] of SIGNS) {
    for (let i = 0; i < signs.length; i += 1) {
      const code = signs.charCodeAt(i);
      run[code] = (run[code] ?? 0) | bit;
    }
  }
  return { kind, word, lower, run };
}

/** What kind of letter or digit those of ASCII are. */
function shapeAscii(run: Int32Array): void {
  for (let i = 0; i < 26; i += 1) {
    const small = 0x61 + i;
    const hex = i < 6 ? 0 : NOT_HEX;
    run[small] = ((WORD | LOWER | hex) << 16) | small;
    run[0x41 + i] = ((WORD | UPPER | hex) << 16) | small;
  }
  for (let code = 0x30; code < 0x3a; code += 1) run[code] = ((WORD | DIGIT) << 16) | code;
}

/** Defers building a constant until it is first needed, so that importing does nothing. */
export function lazily<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}

/** The table for the Basic Multilingual Plane, built on first use. */
export const characterTable: () => CharacterTable = lazily(buildTable);
