import { characterTable, DIGIT, LOWER, NOT_HEX, UPPER, WORD } from './character-classes.js';
import { HASH_SEED, hashStep, KNOWN, lookUp, wordTable } from './lexicon.js';

/** Runs of letters and digits in a text, with what the lexicon knows of each. */
export interface Tokens {
  readonly count: number;
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly flags: Int32Array;
  /** Word hash of each run, case folded. */
  readonly hash: Int32Array;
  /** All {@link CharacterTable.shape} bits of each run, and {@link MIXED}. */
  readonly shape: Uint8Array;
  /** Units of the longest run, those too long for a word included. */
  readonly longest: number;
  /** All flags of runs that are no known word. */
  readonly unknown: number;
  /** All shapes together. */
  readonly shapes: number;
  /** Units of the longest stretch of runs that could be numbers in any base, prefixes included. */
  readonly numerals: number;
  /** Units of the longest gap before, between or after runs. */
  readonly gap: number;
  /** Whether three runs of the shape {@link MIXED} stand near each other. */
  readonly dense: boolean;
  /** Units of the longest stretch without white space in which a sign stands before a letter or digit. */
  readonly knot: number;
}

/** Shape of a run in which letters and digits mix, or a capital follows another letter beside small ones. */
export const MIXED = 128;

/** Runs among which three mixed ones stand near each other. */
const NEAR = 12;

/** Longest run that is looked up; longer ones cannot be a word. */
const MAX_WORD = 24;

/** Units for each run that are reckoned with at first. */
const USUAL = 4;

/** One pass over the text. */
export function tokenize(text: string): Tokens {
  const { shape: shapeOf, lower } = characterTable();
  const table = wordTable();
  const size = text.length;
  let room = Math.floor(size / USUAL) + 1;
  let start = new Int32Array(room);
  let end = new Int32Array(room);
  let flags = new Int32Array(room);
  let hashes = new Int32Array(room);
  let shapes = new Uint8Array(room);
  let count = 0;
  let longest = 0;
  let unknown = 0;
  let all = 0;
  let row = 0;
  let numerals = 0;
  let gap = 0;
  let knot = 0;
  /** Where the stretch without white space began, and whether a sign stood in it before a run. */
  let stretch = 0;
  let knotted = false;
  let last = 0;
  let dense = false;
  let lastMixed = -NEAR;
  let secondMixed = -NEAR;
  let at = 0;
  while (at < size) {
    let code = text.charCodeAt(at);
    let shape = shapeOf[code] ?? 0;
    if (shape === 0) {
      at += 1;
      if (code === 0x20) {
        if (knotted && at - 1 - stretch > knot) knot = at - 1 - stretch;
        knotted = false;
        stretch = at;
      }
      continue;
    }
    const from = at;
    if (from - last > gap) gap = from - last;
    if (from > stretch) knotted = true;
    let hash = HASH_SEED;
    const first = shape;
    let rest = 0;
    hash = hashStep(hash, lower[code] ?? code);
    at += 1;
    while (at < size) {
      code = text.charCodeAt(at);
      shape = shapeOf[code] ?? 0;
      if (shape === 0) break;
      rest |= shape;
      hash = hashStep(hash, lower[code] ?? code);
      at += 1;
    }
    last = at;
    if (count === room) {
      room = (size >> 1) + 1;
      start = grown(start, room);
      end = grown(end, room);
      flags = grown(flags, room);
      hashes = grown(hashes, room);
      const wider = new Uint8Array(room);
      wider.set(shapes);
      shapes = wider;
    }
    start[count] = from;
    end[count] = at;
    hashes[count] = hash;
    const length = at - from;
    if (length > longest) longest = length;
    let bits = first | rest;
    const letters = bits & (LOWER | UPPER);
    if ((letters !== 0 && (bits & DIGIT) !== 0) || ((rest & UPPER) !== 0 && (bits & LOWER) !== 0)) {
      bits |= MIXED;
      if (count - secondMixed < NEAR) dense = true;
      secondMixed = lastMixed;
      lastMixed = count;
    }
    shapes[count] = bits;
    all |= bits;
    // `0x` and `U+` go along with the digits that they stand before.
    if ((bits & NOT_HEX) === 0) row += length;
    else if ((bits & DIGIT) !== 0) row += Math.max(0, length - 2);
    else if (length > 1) row = 0;
    if (row > numerals) numerals = row;
    const found = length <= MAX_WORD ? lookUp(table, hash) : 0;
    if ((found & KNOWN) === 0) unknown |= found;
    flags[count] = found;
    count += 1;
  }
  if (size - last > gap) gap = size - last;
  if (knotted && size - stretch > knot) knot = size - stretch;
  return {
    count,
    start,
    end,
    flags,
    hash: hashes,
    shape: shapes,
    longest,
    unknown,
    shapes: all & ~WORD,
    numerals,
    gap,
    dense,
    knot,
  };
}

function grown(list: Int32Array, room: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(room);
  wider.set(list);
  return wider;
}
