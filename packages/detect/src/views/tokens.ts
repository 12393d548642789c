import { characterTable, WORD } from './character-classes.js';
import { HASH_SEED, hashStep, KNOWN, lookUp, wordTable } from './lexicon.js';

/** Runs of letters and digits in a text, with what the lexicon knows of each. */
export interface Tokens {
  readonly count: number;
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly flags: Int32Array;
  /** Word hash of each run, case folded. */
  readonly hash: Int32Array;
  /** Units of the longest run, those too long for a word included. */
  readonly longest: number;
  /** All flags of runs that are no known word. */
  readonly unknown: number;
}

/** Longest run that is looked up; longer ones cannot be a word. */
const MAX_WORD = 24;

/** One pass over the text. */
export function tokenize(text: string): Tokens {
  const { word, lower } = characterTable();
  const table = wordTable();
  const size = text.length;
  const room = (size >> 1) + 1;
  const start = new Int32Array(room);
  const end = new Int32Array(room);
  const flags = new Int32Array(room);
  const hashes = new Int32Array(room);
  let count = 0;
  let longest = 0;
  let unknown = 0;
  let at = 0;
  while (at < size) {
    let code = text.charCodeAt(at);
    if ((word[code] ?? 0) !== WORD) {
      at += 1;
      continue;
    }
    const from = at;
    let hash = HASH_SEED;
    do {
      hash = hashStep(hash, lower[code] ?? code);
      at += 1;
      if (at >= size) break;
      code = text.charCodeAt(at);
    } while ((word[code] ?? 0) === WORD);
    start[count] = from;
    end[count] = at;
    hashes[count] = hash;
    if (at - from > longest) longest = at - from;
    const found = at - from <= MAX_WORD ? lookUp(table, hash) : 0;
    if ((found & KNOWN) === 0) unknown |= found;
    flags[count] = found;
    count += 1;
  }
  return { count, start, end, flags, hash: hashes, longest, unknown };
}
