import { confusables } from '../views/confusables.js';
import { textOfUnits } from '../views/placed-text.js';

/** Text reduced to lower-case letters and digits, with the way back to the raw text. */
export interface Folded {
  readonly text: string;
  /** `starts[i]`, `ends[i]`: raw UTF-16 range that gave the folded unit `i`. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

export interface FoldOptions {
  /** Reads `%41`, `\x41`, `\u0041`, `\u{41}`, `&#65;` and `&#x41;` as the characters they stand for. */
  readonly unescape?: boolean;
  /** Characters that are kept beside letters and digits. */
  readonly signs?: string;
}

const PERCENT = 37;
const AMPERSAND = 38;
const BACKSLASH = 92;

interface Escape {
  readonly code: number;
  readonly length: number;
}

/** Digits of the given radix from `at`, at most `limit` of them: value and count; a count of 0 when there are none. */
function digits(text: string, at: number, radix: 10 | 16, limit: number): Escape {
  let code = 0;
  let length = 0;
  while (length < limit) {
    const digit = Number.parseInt(text.charAt(at + length), radix);
    if (Number.isNaN(digit)) break;
    code = code * radix + digit;
    length += 1;
  }
  return { code, length };
}

/** The escape that begins at `at`, when there is one. At most 12 characters are looked at. */
function escapeAt(text: string, at: number): Escape | undefined {
  const first = text.charCodeAt(at);
  if (first === PERCENT) {
    const hex = digits(text, at + 1, 16, 2);
    return hex.length === 2 ? { code: hex.code, length: 3 } : undefined;
  }
  const second = text.charAt(at + 1);
  if (first === AMPERSAND) {
    if (second !== '#') return undefined;
    const isHex = text.charAt(at + 2) === 'x' || text.charAt(at + 2) === 'X';
    const from = at + (isHex ? 3 : 2);
    const number = digits(text, from, isHex ? 16 : 10, 7);
    if (number.length === 0 || number.code > 0x10ffff) return undefined;
    const end = from + number.length;
    return { code: number.code, length: end - at + (text.charAt(end) === ';' ? 1 : 0) };
  }
  if (second === 'x') {
    const hex = digits(text, at + 2, 16, 2);
    return hex.length === 2 ? { code: hex.code, length: 4 } : undefined;
  }
  if (second !== 'u') return undefined;
  if (text.charAt(at + 2) === '{') {
    const hex = digits(text, at + 3, 16, 6);
    const end = at + 3 + hex.length;
    const closed = hex.length > 0 && hex.code <= 0x10ffff && text.charAt(end) === '}';
    return closed ? { code: hex.code, length: end + 1 - at } : undefined;
  }
  const hex = digits(text, at + 2, 16, 4);
  return hex.length === 4 ? { code: hex.code, length: 6 } : undefined;
}

/** Not the fillers of Hangul, which are letters that nobody sees. */
const LETTER_OR_DIGIT = /(?![\u115f\u1160\u3164\uffa0])[\p{L}\p{N}]/u;
/** Letters in boxes and circles, and those that flags are made of, which have no plain form of their own. */
const BOXED = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6];

/** Characters of which a call remembers what they fold to. */
const MOST_KNOWN = 4096;
/** Letters of one character that count; of a phrase in one, such as U+FDFA, the first do. */
const MOST_LETTERS = 4;

function foldedLetters(code: number): string {
  const boxed = BOXED.find((first) => code >= first && code < first + 26);
  if (boxed !== undefined) return String.fromCharCode(code - boxed + 97);
  // Taken apart, so that an accent is left out whether it is part of the letter or stands after it.
  return Array.from(String.fromCodePoint(code).normalize('NFKD'))
    .filter((character) => LETTER_OR_DIGIT.test(character))
    .map(plainLetter)
    .join('')
    .slice(0, MOST_LETTERS);
}

/** In lower case, and in Latin where it looks so; of some letters only the capital does. */
function plainLetter(character: string): string {
  const small = character.toLowerCase();
  const latin = confusables();
  return latin.get(character.codePointAt(0) ?? 0) ?? latin.get(small.codePointAt(0) ?? 0) ?? small;
}

/** Whether folding with `unescape` could read the text differently. */
export function hasEscapes(text: string): boolean {
  return /%[0-9a-f]{2}|&#|\\[xu]/i.test(text);
}

/**
 * Keeps letters and digits only, compatibility forms and look-alikes made plain and lower-cased, so that spacing, case,
 * punctuation, markup and invisible characters between them no longer matter. One pass.
 */
export function fold(text: string, { unescape = false, signs = '' }: FoldOptions = {}): Folded {
  let units = new Uint16Array(text.length + 16);
  let starts = new Int32Array(text.length + 16);
  let ends = new Int32Array(text.length + 16);
  let size = 0;
  const put = (unit: number, start: number, end: number): void => {
    if (size === units.length) {
      // Only a compatibility form that stands for several letters makes a text longer.
      const wider = new Uint16Array(size * 2);
      wider.set(units);
      units = wider;
      const widerStarts = new Int32Array(size * 2);
      widerStarts.set(starts);
      starts = widerStarts;
      const widerEnds = new Int32Array(size * 2);
      widerEnds.set(ends);
      ends = widerEnds;
    }
    units[size] = unit;
    starts[size] = start;
    ends[size] = end;
    size += 1;
  };
  // What each character folds to, since a text repeats few of them.
  const known = new Map<number, string>();
  const putWide = (code: number, start: number, end: number): void => {
    let plain = known.get(code);
    if (plain === undefined) {
      plain = foldedLetters(code);
      if (known.size < MOST_KNOWN) known.set(code, plain);
    }
    for (let i = 0; i < plain.length; i += 1) put(plain.charCodeAt(i), start, end);
  };
  let at = 0;
  while (at < text.length) {
    let code = text.charCodeAt(at);
    let length = 1;
    if (unescape && (code === PERCENT || code === AMPERSAND || code === BACKSLASH)) {
      const escape = escapeAt(text, at);
      if (escape !== undefined) ({ code, length } = escape);
    }
    if (code >= 97 && code <= 122) put(code, at, at + length);
    else if (code >= 48 && code <= 57) put(code, at, at + length);
    else if (code >= 65 && code <= 90) put(code + 32, at, at + length);
    else if (signs !== '' && signs.includes(text.charAt(at))) put(code, at, at + length);
    else if (code > 127) {
      if (length === 1) {
        code = text.codePointAt(at) ?? code;
        if (code > 0xffff) length = 2;
      }
      putWide(code, at, at + length);
    }
    at += length;
  }
  return {
    text: textOfUnits(units, size),
    starts: starts.subarray(0, size),
    ends: ends.subarray(0, size),
  };
}

/** What {@link fold} makes of a text, without the way back. */
export function foldedText(text: string): string {
  if (/[^\0-\x7f]/.test(text)) return fold(text).text;
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
}
