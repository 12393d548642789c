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

const INVISIBLE_RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0e, 0x1f],
  [0x7f, 0x84],
  [0x86, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
];

/** Large blocks that NFKC leaves alone; skipping them makes building the table cheap. */
const STABLE_RANGES: readonly (readonly [number, number])[] = [
  [0x3400, 0x9fff],
  [0xac00, 0xd7a3],
  [0xe000, 0xf8ff],
];

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

/** A mark, or a vowel or last consonant of a Hangul syllable. */
const JOINS = /^[\p{M}\u1161-\u11ff]/u;

/** Characters that are looked at together: most blocks hold nothing that changes, which is seen at once. */
const BLOCK = 64;

function buildTable(): CharacterTable {
  const kind = new Uint8Array(65536);
  const word = new Uint8Array(65536);
  const lower = new Uint16Array(65536);
  for (let i = 0; i < 65536; i += 1) lower[i] = i;
  const stable = new Uint8Array(65536);
  for (const [from, to] of STABLE_RANGES) {
    stable.fill(1, from, to + 1);
    if (from < 0xe000) word.fill(WORD, from, to + 1);
  }
  kind.fill(SURROGATE, 0xd800, 0xe000);
  for (let from = 0; from < 65536; from += BLOCK) {
    if (from >= 0xd800 && from < 0xe000) continue;
    if (stable[from] === 1 && stable[from + BLOCK - 1] === 1) continue;
    const block = String.fromCharCode(...Array.from(lower.subarray(from, from + BLOCK)));
    for (const { 0: run, index } of block.matchAll(/[\p{L}\p{Nd}\p{Nl}]+/gu))
      word.fill(WORD, from + index, from + index + run.length);
    if (block.toLowerCase() !== block) lowerEach(block, from, lower);
    if (from < 0x80) continue;
    if (block.normalize('NFKC') !== block) compatibleEach(block, from, kind);
    for (const { 0: run, index } of block.matchAll(/[\p{M}\u1161-\u11ff]+/gu)) {
      kind.fill(MARK, from + index, from + index + run.length);
      word.fill(WORD, from + index, from + index + run.length);
    }
    for (let i = from; i < from + BLOCK; i += 1) {
      if (stable[i] !== 1) continue;
      kind[i] = PLAIN;
      word[i] = i < 0xe000 ? WORD : 0;
    }
  }
  for (const [from, to] of INVISIBLE_RANGES) {
    kind.fill(INVISIBLE, from, to + 1);
    word.fill(0, from, to + 1);
  }
  const spaces = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f];
  for (const at of [...spaces, 0x205f, 0x3000]) kind[at] = SPACE;
  kind.fill(SPACE, 0x2000, 0x200b);
  const shape = shapesOf(word);
  const run = Int32Array.from(lower, (small, i) => {
    const bits = shape[i] ?? 0;
    return bits === 0 ? 0 : (bits << 16) | small;
  });
  run[0x20] = BLANK;
  for (const [signs, bit] of SIGNS) {
    for (let i = 0; i < signs.length; i += 1) {
      const code = signs.charCodeAt(i);
      run[code] = (run[code] ?? 0) | bit;
    }
  }
  return { kind, word, lower, run };
}

function lowerEach(block: string, from: number, lower: Uint16Array): void {
  for (let i = 0; i < block.length; i += 1) {
    const small = block.charAt(i).toLowerCase();
    if (small.length === 1) lower[from + i] = small.charCodeAt(0);
  }
}

function compatibleEach(block: string, from: number, kind: Uint8Array): void {
  for (let i = 0; i < block.length; i += 1) {
    const character = block.charAt(i);
    const normal = character.normalize('NFKC');
    if (normal !== character) kind[from + i] = JOINS.test(normal) ? JOINING : COMPATIBLE;
  }
}

function shapesOf(word: Uint8Array): Uint8Array {
  const shape = new Uint8Array(65536);
  for (let i = 0; i < 65536; i += 1) if (word[i] === WORD) shape[i] = WORD | NOT_HEX | FOREIGN;
  for (let i = 0; i < 26; i += 1) {
    const hex = i < 6 ? 0 : NOT_HEX;
    shape[0x61 + i] = WORD | LOWER | hex;
    shape[0x41 + i] = WORD | UPPER | hex;
  }
  shape.fill(WORD | DIGIT, 0x30, 0x3a);
  return shape;
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
