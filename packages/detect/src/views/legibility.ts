import { characterTable, WORD } from './character-classes.js';
import { ENCODED_TRIGGER, KNOWN, TRIGGER } from './lexicon.js';
import type { Tokens } from './tokens.js';
import { tokenize } from './tokens.js';

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

/** Share of letters, digits and spaces, 0 to 1. */
export function wordShare(text: string): number {
  const { word } = characterTable();
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if ((word[code] ?? 0) === WORD || code === 0x20) count += 1;
  }
  return text.length === 0 ? 0 : count / text.length;
}

/** What a decoded piece of text is worth. */
export type Worth = 'noise' | 'step' | 'legible';

const NON_ASCII_LETTERS = /[\u00c0-\u{10ffff}]{3}/u;
const ANY_LETTERS = /\p{L}{2}/u;

/**
 * Judges decoded text: words make it legible; a long printable piece without words may be another
 * encoding and is worth a further step; anything else came about by chance. `certain` is the number
 * of printable bytes from which on chance is ruled out.
 */
export function judgeDecoded(text: string, certain: number): Worth {
  const share = wordShare(text);
  if (ANY_LETTERS.test(text)) {
    const words = countWords(tokenize(text));
    if (words.known > 0 || words.triggers > 0) return share > 0.4 ? 'legible' : 'noise';
  }
  const foreign = NON_ASCII_LETTERS.test(text);
  if (text.length * (foreign ? 3 : 1) < certain) return 'noise';
  if (foreign) return share > 0.6 ? 'legible' : 'noise';
  return 'step';
}
