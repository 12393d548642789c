import { characterTable, WORD } from './character-classes.js';
import {
  ENCODED_TRIGGER,
  HASH_SEED,
  hashStep,
  KNOWN,
  lookUp,
  TRIGGER,
  wordTable,
} from './lexicon.js';
import type { Tokens } from './tokens.js';

/** How much of a text is words, in counts of tokens. */
export interface WordCount {
  /** Known words of three letters or more. */
  readonly known: number;
  readonly triggers: number;
  /** Words that a letter cipher would make triggers. */
  readonly hidden: number;
}

export function countWords(tokens: Tokens): WordCount {
  let known = 0;
  let triggers = 0;
  let hidden = 0;
  for (let i = 0; i < tokens.count; i += 1) {
    const flags = tokens.flags[i] ?? 0;
    if (flags === 0) continue;
    if ((flags & KNOWN) !== 0) {
      if ((tokens.end[i] ?? 0) - (tokens.start[i] ?? 0) >= 3) known += 1;
      if ((flags & TRIGGER) !== 0) triggers += 1;
    } else if ((flags & ENCODED_TRIGGER) !== 0) hidden += 1;
  }
  return { known, triggers, hidden };
}

/** Longest run that can be a word. */
const MAX_WORD = 24;

/** As {@link countWords}, for a text of which nothing else is wanted. */
export function countWordsOf(text: string): WordCount {
  const { word, lower } = characterTable();
  const table = wordTable();
  const size = text.length;
  const count = { known: 0, triggers: 0, hidden: 0 };
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
    const flags = at - from > MAX_WORD ? 0 : lookUp(table, hash);
    if ((flags & KNOWN) === 0) {
      if ((flags & ENCODED_TRIGGER) !== 0) count.hidden += 1;
      continue;
    }
    if (at - from >= 3) count.known += 1;
    if ((flags & TRIGGER) !== 0) count.triggers += 1;
  }
  return count;
}

/** Share of letters, digits and spaces, 0 to 1, and whether a known word stands among them. */
function wordsIn(text: string): { readonly share: number; readonly known: boolean } {
  const { word, lower } = characterTable();
  const table = wordTable();
  const size = text.length;
  let count = 0;
  let known = false;
  let at = 0;
  while (at < size) {
    let code = text.charCodeAt(at);
    if ((word[code] ?? 0) !== WORD) {
      if (code === 0x20) count += 1;
      at += 1;
      continue;
    }
    const from = at;
    // One known word is enough; from there on letters are only counted.
    let hash = HASH_SEED;
    do {
      if (!known) hash = hashStep(hash, lower[code] ?? code);
      at += 1;
      if (at >= size) break;
      code = text.charCodeAt(at);
    } while ((word[code] ?? 0) === WORD);
    count += at - from;
    if (known || at - from < 2 || at - from > MAX_WORD || text.charCodeAt(from) < 0x40) continue;
    const flags = lookUp(table, hash);
    known = (flags & KNOWN) !== 0 && (at - from > 2 || (flags & TRIGGER) !== 0);
  }
  return { share: size === 0 ? 0 : count / size, known };
}

/** What a decoded piece of text is worth. */
export type Worth = 'noise' | 'step' | 'legible';

const UNDRAWN = /\u00ad|\u034f|[\u200b-\u200f]|[\u2060-\u2064]|[\ufe00-\ufe0f]|\ufeff/u;
const ALL_UNDRAWN = new RegExp(UNDRAWN.source, 'gu');
const NON_ASCII_LETTERS = /[\u00c0-\u{10ffff}]{3}/u;

/**
 * Judges decoded text: words make it legible; a long printable piece without words may be another
 * encoding and is worth a further step; anything else came about by chance. `certain` is the number
 * of printable bytes from which on chance is ruled out.
 */
export function judgeDecoded(decoded: string, certain: number): Worth {
  // What is not drawn between letters does not keep them from being words.
  const text = UNDRAWN.test(decoded) ? decoded.replaceAll(ALL_UNDRAWN, '') : decoded;
  const { share, known } = wordsIn(text);
  if (known) return share > 0.4 ? 'legible' : 'noise';
  const foreign = NON_ASCII_LETTERS.test(text);
  if (text.length * (foreign ? 3 : 1) < certain) return 'noise';
  if (foreign) return share > 0.6 ? 'legible' : 'noise';
  return 'step';
}
