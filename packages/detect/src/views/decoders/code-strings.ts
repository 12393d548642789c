import { countWordsOf } from '../legibility.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { LITERALS } from '../run-traits.js';
import { DIGITS } from '../traits.js';

/** Longest string that may be a piece of a longer one. */
const MAX_STRING = 80;
/** Code between two pieces: an operator, a call, an assignment to a further name. */
const MAX_GLUE = 40;
/** Pieces that make a chain. */
const LEAST = 3;
/** Words that must come about by joining. */
const MENDED = 2;

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '\u201c': '\u201d',
  '\u2018': '\u2019',
};

/** Code without a word of prose: at most two names, and a sign that only code has between strings. */
const GLUE = /^[\s\w$+.,;&|~^<>(){}[\]=:\\%!-]*$/u;
const PROSE = /[a-z]+\s+[a-z]+\s+[a-z]+/iu;
const SIGN = /[+.,;&|~^<>(){}[\]=:\\]/u;

interface Literal {
  readonly start: number;
  /** Where the content begins and ends. */
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

function isWordUnit(code: number): boolean {
  const small = code | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** The string that begins at a quotation mark; none when it does not end soon. */
function literalAt(text: string, at: number): Literal | undefined {
  const closing = CLOSING[text.charAt(at)];
  if (closing === undefined) return undefined;
  // An apostrophe within a word begins nothing.
  if (closing === "'" && at > 0 && isWordUnit(text.charCodeAt(at - 1))) return undefined;
  const stop = Math.min(text.length, at + MAX_STRING + 2);
  for (let end = at + 1; end < stop; end += 1) {
    const sign = text.charAt(end);
    if (sign === '\\') end += 1;
    else if (sign === closing) return { start: at, from: at + 1, to: end, end: end + 1 };
    else if (sign === '\n') return undefined;
  }
  return undefined;
}

function isGlue(text: string): boolean {
  if (text === '') return true;
  if (!GLUE.test(text) || PROSE.test(text)) return false;
  return SIGN.test(text) || /^\s*$/u.test(text);
}

/** Known words of four letters or more, roughly: what a join adds to. */
function wordsIn(text: string): number {
  const { known, triggers } = countWordsOf(text);
  return known + 2 * triggers;
}

function joined(text: string, chain: readonly Literal[]): Edit | undefined {
  if (chain.length < LEAST) return undefined;
  let content = '';
  let apart = '';
  const positions: number[] = [];
  for (const { from, to } of chain) {
    content += text.slice(from, to);
    apart += `${text.slice(from, to)} `;
    for (let at = from; at < to; at += 1) positions.push(at);
  }
  if (content.length < 8 || wordsIn(content) < wordsIn(apart) + MENDED) return undefined;
  return { start: chain[0]?.start ?? 0, end: chain.at(-1)?.end ?? 0, text: content, positions };
}

/** Strings with only code between them. */
function stringChains(text: string): Edit[] {
  const edits: Edit[] = [];
  let chain: Literal[] = [];
  let end = 0;
  const close = (): void => {
    const edit = joined(text, chain);
    if (edit !== undefined) edits.push(edit);
    chain = [];
  };
  const opening = /["'`\u201c\u2018]/gu;
  // No list is made for each mark: texts may have many.
  while (opening.test(text)) {
    const literal = literalAt(text, opening.lastIndex - 1);
    if (literal === undefined) continue;
    const gap = literal.start - end;
    if (chain.length > 0 && (gap > MAX_GLUE || !isGlue(text.slice(end, literal.start)))) close();
    chain.push(literal);
    end = literal.end;
    opening.lastIndex = end;
  }
  close();
  return edits;
}

/** One character by its number, as code writes it: `chr(105)`, `[char]105`, `(char) 0x69`. */
const CHARACTER =
  /(?:\bchr|\bchar|\bfrom_?char_?code|\bfromcodepoint|\[char\]|\(char\))[\s(]{0,3}(0x[\da-f]{1,6}|\d{1,7})\)?/giu;
const MAX_JOINT = 24;
/** Characters that make a chain. */
const CHARACTERS = 4;

function characterChains(text: string): Edit[] {
  const edits: Edit[] = [];
  let content = '';
  let positions: number[] = [];
  let start = 0;
  let end = -1;
  const close = (): void => {
    if (positions.length >= CHARACTERS) edits.push({ start, end, text: content, positions });
    content = '';
    positions = [];
  };
  for (const match of text.matchAll(CHARACTER)) {
    const gap = match.index - end;
    if (end >= 0 && (gap > MAX_JOINT || !isGlue(text.slice(end, match.index)))) close();
    const point = Number(match[1]);
    const plain = point >= 0x20 && point <= 0xffff && (point < 0xd800 || point > 0xdfff);
    if (!plain && point !== 10) continue;
    if (content === '') start = match.index;
    content += String.fromCharCode(point);
    positions.push(match.index);
    end = match.index + match[0].length;
  }
  close();
  return edits;
}

/** Both lists in order; a chain of characters inside a chain of strings is left out. */
function merged(strings: readonly Edit[], characters: readonly Edit[]): Edit[] {
  const edits: Edit[] = [];
  let at = 0;
  for (const edit of characters) {
    for (; (strings[at]?.start ?? edit.end) < edit.start; at += 1) {
      const before = strings[at];
      if (before !== undefined) edits.push(before);
    }
    const free = (edits.at(-1)?.end ?? 0) <= edit.start;
    if (free && (strings[at]?.start ?? edit.end) >= edit.end) edits.push(edit);
  }
  return [...edits, ...strings.slice(at)];
}

/** Strings that code puts together by joining, appending, naming or formatting, and `chr(…)` chains. */
export const codeStringsDecoder: Decoder = {
  needs: DIGITS,
  needsRuns: LITERALS,
  decode({ source, traits, runs }) {
    const { text } = source;
    const strings = (runs & LITERALS) === 0 ? [] : stringChains(text);
    const numbered =
      (traits & DIGITS) !== 0 && /[Cc][Hh](?:[Rr]|[Aa][Rr])[\](\s)C_]|odePoint/u.test(text);
    const characters = numbered ? characterChains(text) : [];
    if (strings.length === 0 && characters.length === 0) return undefined;
    const edits = merged(strings, characters);
    return { name: 'concatenation', layer: applyEdits(source, edits), legible: true };
  },
};
