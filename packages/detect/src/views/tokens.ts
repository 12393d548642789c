import { characterTable, DIGIT, LOWER, NOT_HEX, UPPER, WORD } from './character-classes.js';
import { EVERYDAY, HASH_SEED, hashStep, KNOWN, lookUp, SPELLING, wordTable } from './lexicon.js';

/** Runs of letters and digits in a text, with what the lexicon knows of each. */
export interface Tokens {
  readonly count: number;
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
  readonly flags: ArrayLike<number>;
  /** Word hash of each run, case folded. */
  readonly hash: ArrayLike<number>;
  /** All shape bits of each run, see {@link CharacterTable.run}, and {@link MIXED}. */
  readonly shape: ArrayLike<number>;
  /** Units of the longest run, those too long for a word included. */
  readonly longest: number;
  /** Units of the longest run that is neither a known word nor an everyday one. */
  readonly stranger: number;
  /** Words of the spelling alphabet. */
  readonly spelled: number;
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

/** From this number on a unit of {@link CharacterTable.run} belongs to a run. */
const RUN = 1 << 16;

/** Longest run that is looked up; longer ones cannot be a word. */
const MAX_WORD = 24;

/** Arrays of one text, to be used again for the next, as it takes long to make them. */
export interface TokenRoom {
  readonly start: Int32Array<ArrayBuffer>;
  readonly end: Int32Array<ArrayBuffer>;
  readonly flags: Int32Array<ArrayBuffer>;
  readonly hash: Int32Array<ArrayBuffer>;
  readonly shape: Uint8Array<ArrayBuffer>;
}

export function tokenRoom(runs: number): TokenRoom {
  return {
    start: new Int32Array(runs),
    end: new Int32Array(runs),
    flags: new Int32Array(runs),
    hash: new Int32Array(runs),
    shape: new Uint8Array(runs),
  };
}

/** One pass over the text. With a room of arrays, the tokens are written there, and hold until it is used again. */
export function tokenize(text: string, given?: TokenRoom): Tokens {
  const { run: runOf } = characterTable();
  const table = wordTable();
  const size = text.length;
  let { start, end, flags, hash: hashes, shape: shapes } = given ?? tokenRoom((size >> 2) + 1);
  let room = start.length;
  let count = 0;
  let longest = 0;
  let stranger = 0;
  let spelled = 0;
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
    let unit = runOf[text.charCodeAt(at)] ?? 0;
    if (unit < RUN) {
      at += 1;
      if (unit === 0x20) {
        if (knotted && at - 1 - stretch > knot) knot = at - 1 - stretch;
        knotted = false;
        stretch = at;
      }
      continue;
    }
    const from = at;
    if (from - last > gap) gap = from - last;
    if (from > stretch) knotted = true;
    const first = unit >> 16;
    let hash = hashStep(HASH_SEED, unit & 0xffff);
    let rest = 0;
    at += 1;
    while (at < size) {
      unit = runOf[text.charCodeAt(at)] ?? 0;
      if (unit < RUN) break;
      rest |= unit;
      hash = hashStep(hash, unit & 0xffff);
      at += 1;
    }
    rest >>= 16;
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
    if ((found & SPELLING) !== 0) spelled += 1;
    if ((found & KNOWN) === 0) {
      unknown |= found;
      if (length > stranger && (found & EVERYDAY) === 0) stranger = length;
    }
    flags[count] = found;
    count += 1;
  }
  if (given !== undefined) {
    // What was there of another text ends here.
    for (let i = count; i < count + 2 && i < room; i += 1) {
      start[i] = 0;
      end[i] = 0;
      flags[i] = 0;
      hashes[i] = 0;
      shapes[i] = 0;
    }
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
    stranger,
    spelled,
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
