import {
  BLANK,
  characterTable,
  DIGIT,
  LOWER,
  MARKUP_SIGN,
  NOT_HEX,
  OPERATOR,
  QUOTE_SIGN,
  SINGLE,
  UPPER,
  WEIGHT,
} from './character-classes.js';
import {
  BACKWARD,
  EVERYDAY,
  HASH_SEED,
  hashStep,
  KNOWN,
  lookUp,
  MIRRORED,
  SHIFT_MASK,
  SPELLING,
  SPELLING_BIT,
  wordTable,
} from './lexicon.js';
import { neighbours } from './neighbours.js';
import {
  BACKWARD_WORD,
  CODES,
  DENSE,
  GLUED_SENTENCE,
  JOINED_LITERALS,
  KNOT,
  LITERALS,
  LONG_MIXED_RUN,
  LONG_STRANGER,
  LONG_WORD,
  MARKED_WORD,
  MIRRORED_WORD,
  MIXED_RUN,
  NUMERALS,
  reach,
  SHIFTED_WORD,
  SPELLED_OUT,
  STRANGER,
  TURNABLE,
  WIDE_GAP,
} from './run-traits.js';

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
  /** What the runs tell together; the bits of `run-traits.ts`. */
  readonly traits: number;
  /** Units of the longest stretch of runs that could be numbers in any base, prefixes included. */
  readonly numerals: number;
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

/** Units of these stretches below which no decoder looks at them. */
const NUMERAL_UNITS = 8;
const CODE_UNITS = 6;
const KNOT_UNITS = 10;
const TURNED_UNITS = 3;
const GAP_UNITS = 9;
const MIXED_UNITS = 16;
const STRANGER_UNITS = 4;
const LONG_STRANGER_UNITS = 8;
const GLUED_UNITS = 9;
const SENTENCE_UNITS = 14;
/** Words of the spelling alphabet that are no flight of fancy. */
const SPELLED = 6;
/** Weight of the quotation marks of three strings of code. */
const QUOTED = 12;

/** One pass over the text. With a room of arrays, the tokens are written there, and hold until it is used again. */
export function tokenize(text: string, given?: TokenRoom): Tokens {
  const { run: runOf } = characterTable();
  const table = wordTable();
  const size = text.length;
  let { start, end, flags, hash: hashes, shape: shapes } = given ?? tokenRoom((size >> 2) + 1);
  let room = start.length;
  let traits = 0;
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
  let lastMixed = -NEAR;
  let secondMixed = -NEAR;
  /** The last quotation mark and operator, and the weight of all such marks. */
  let quote = -1;
  let operator = -1;
  let quoted = 0;
  let at = 0;
  while (at < size) {
    let unit = runOf[text.charCodeAt(at)] ?? 0;
    if (unit < RUN) {
      if (unit === BLANK) {
        if (knotted && at - stretch > knot) knot = at - stretch;
        knotted = false;
        stretch = at + 1;
      } else if (unit !== 0) {
        if ((unit & OPERATOR) !== 0) operator = at;
        if ((unit & MARKUP_SIGN) !== 0 && at === last) traits |= MARKED_WORD;
        if ((unit & QUOTE_SIGN) !== 0) {
          if (operator > quote && quote >= last) traits |= JOINED_LITERALS;
          quote = at;
          // An apostrophe behind a letter begins nothing.
          const behind = at === last && at > 0 && text.charCodeAt(at - 1) < 0x80;
          if ((unit & SINGLE) === 0 || !behind) quoted += unit & WEIGHT;
        }
      }
      at += 1;
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
      if (count - secondMixed < NEAR) traits |= DENSE;
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
    flags[count] = found;
    const known = found & KNOWN;
    unknown |= found & (known - 1);
    spelled += (found & SPELLING) >>> SPELLING_BIT;
    if ((found & (KNOWN | EVERYDAY)) === 0 && length > stranger) stranger = length;
    last = at;
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

  // Every one is reckoned for every text: a branch that no text has taken so far would throw away the compiled loop.
  const mixed = all & MIXED;
  traits |=
    reach(mixed, MIXED, MIXED_RUN) |
    (reach(mixed, MIXED, LONG_MIXED_RUN) & reach(longest, MIXED_UNITS, LONG_MIXED_RUN)) |
    reach(numerals, NUMERAL_UNITS, NUMERALS) |
    reach(numerals, CODE_UNITS, CODES) |
    reach(stranger, STRANGER_UNITS, STRANGER) |
    reach(stranger, LONG_STRANGER_UNITS, LONG_STRANGER) |
    reach(stranger, GLUED_UNITS, LONG_WORD) |
    reach(stranger, SENTENCE_UNITS, GLUED_SENTENCE) |
    reach(knot, KNOT_UNITS, KNOT) |
    reach(knot, TURNED_UNITS, TURNABLE) |
    reach(all & DIGIT, DIGIT, TURNABLE) |
    reach(gap, GAP_UNITS, WIDE_GAP) |
    reach(unknown & SHIFT_MASK, 1, SHIFTED_WORD) |
    reach(unknown & MIRRORED, 1, MIRRORED_WORD) |
    reach(unknown & BACKWARD, 1, BACKWARD_WORD) |
    reach(spelled, SPELLED, SPELLED_OUT) |
    reach(quoted, QUOTED, LITERALS);
  traits |= neighbours(text, { count, start, end, flags, hash: hashes, shape: shapes });
  return { count, start, end, flags, hash: hashes, shape: shapes, traits, numerals };
}

function grown(list: Int32Array, room: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(room);
  wider.set(list);
  return wider;
}
