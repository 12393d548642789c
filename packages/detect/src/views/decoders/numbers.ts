import { DIGIT, NOT_HEX } from '../character-classes.js';
import { judgeDecoded } from '../legibility.js';
import { PlacedText } from '../placed-text.js';
import type { Tokens } from '../tokens.js';
import { ByteReader } from '../utf8.js';
import type { Piece } from './base64.js';
import { hexValue } from './symbol-values.js';

/** Decoded bytes from which on printable text cannot be chance. */
const CERTAIN = 12;
/** Numbers that must follow one another. */
const LEAST = 4;
/** Longest run of digits that is one number. */
const MAX_DIGITS = 8;
/** Units between two numbers: a comma and a space, a line break and an indent. */
const MAX_GAP = 4;

function isWordUnit(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true;
  const small = code | 0x20;
  return (small >= 0x61 && small <= 0x7a) || code > 0xbf;
}

/** Numerals of a text, as arrays: where each begins, where its digits begin, where it ends. */
class Numerals {
  count = 0;
  readonly start: number[] = [];
  readonly digits: number[] = [];
  readonly end: number[] = [];
  /** Largest digit, which tells the bases that are possible. */
  readonly top: number[] = [];
  /** First numeral that no attempt so far has read. */
  reach = 0;
  readonly text: string;
  #reader: ByteReader | undefined;
  #points: PlacedText | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Made when the first run of numbers comes; most texts have none. */
  get reader(): ByteReader {
    this.#reader ??= new ByteReader();
    return this.#reader;
  }

  get points(): PlacedText {
    this.#points ??= new PlacedText();
    return this.#points;
  }

  add(start: number, digits: number, end: number, top: number): void {
    const at = this.count;
    this.start[at] = start;
    this.digits[at] = digits;
    this.end[at] = end;
    this.top[at] = top;
    this.count = at + 1;
  }

  value(i: number, base: number): number {
    let value = 0;
    const end = this.end[i] ?? 0;
    for (let at = this.digits[i] ?? 0; at < end; at += 1) {
      value = value * base + hexValue(this.text.charCodeAt(at));
    }
    return value;
  }

  width(i: number): number {
    return (this.end[i] ?? 0) - (this.digits[i] ?? 0);
  }
}

/** How numerals are read: in a base, as bytes, code points or places in the alphabet. */
interface Base {
  readonly base: number;
  readonly least: number;
  readonly most: number;
  readonly kind: 'byte' | 'pairs' | 'point' | 'place';
}

const BASES: readonly Base[] = [
  { base: 2, least: 6, most: 8, kind: 'byte' },
  { base: 16, least: 2, most: MAX_DIGITS, kind: 'pairs' },
  { base: 10, least: 2, most: 7, kind: 'point' },
  { base: 8, least: 2, most: 4, kind: 'byte' },
  { base: 10, least: 1, most: 2, kind: 'place' },
];

function pushPairs(list: Numerals, i: number): boolean {
  const width = list.width(i);
  if (width % 2 !== 0) return false;
  const from = list.digits[i] ?? 0;
  const zeros = width > 2 && list.text.startsWith('00', from);
  for (let k = zeros ? width - 2 : 0; k < width; k += 2) {
    const high = hexValue(list.text.charCodeAt(from + k));
    const low = hexValue(list.text.charCodeAt(from + k + 1));
    if (!list.reader.push(high * 16 + low, list.start[i] ?? 0)) return false;
  }
  return true;
}

/** Text that the numerals from `from` on spell in one base, as far as it goes. */
function spell(list: Numerals, from: number, { base, least, most, kind }: Base): Piece | undefined {
  const { reader, points } = list;
  reader.clear();
  points.size = 0;
  let last = from;
  for (let i = from; i < list.count; i += 1) {
    const width = list.width(i);
    if ((list.top[i] ?? 0) >= base || width < least || width > most) break;
    if (kind === 'pairs') {
      if (!pushPairs(list, i)) break;
    } else if (!pushValue(list, i, list.value(i, base), kind)) break;
    last = i + 1;
  }
  if (last > list.reach) list.reach = last;
  const out = kind === 'point' ? points : reader;
  if (last === from || (kind === 'point' ? points.size : reader.units) < LEAST) return undefined;
  const text = out.text();
  const worth = judgeDecoded(text, CERTAIN);
  if (worth === 'noise') return undefined;
  const start = list.start[from] ?? 0;
  const positions = kind === 'point' ? points.places() : reader.positions();
  return { start, end: list.end[last - 1] ?? start, text, positions, legible: worth === 'legible' };
}

/** Takes in one numeral as a code point, a byte or a place in the alphabet; false when it is none. */
function pushValue(list: Numerals, i: number, value: number, kind: Base['kind']): boolean {
  const place = list.start[i] ?? 0;
  if (kind === 'point') {
    if (value > 0x10ffff || (value < 0x20 && value !== 10 && value !== 13 && value !== 9))
      return false;
    if ((value >= 0x7f && value < 0xa0) || (value >= 0xd800 && value <= 0xdfff)) return false;
    if (value > 0xffff) {
      list.points.put(0xd800 + ((value - 0x10000) >> 10), place);
      list.points.put(0xdc00 + ((value - 0x10000) & 0x3ff), place);
    } else list.points.put(value, place);
    return true;
  }
  if (kind === 'place' && value > 27) return false;
  const space = value === 0 || value === 27;
  const byte = kind === 'byte' ? value : space ? 0x20 : 0x60 + value;
  return byte <= 0xff && list.reader.push(byte, place);
}

/** Best reading of a list: legible before a mere step, then the longest. */
function readList(list: Numerals, pieces: Piece[]): void {
  let from = 0;
  while (from + 2 <= list.count) {
    let best: Piece | undefined;
    list.reach = from;
    for (const base of BASES) {
      const piece = spell(list, from, base);
      if (piece === undefined) continue;
      const longer = piece.legible === best?.legible && piece.end > best.end;
      if (best === undefined || (piece.legible && !best.legible) || longer) best = piece;
    }
    if (best === undefined) {
      // A short failure is tried again one further; a long one is not, so that the cost stays linear.
      from = list.reach - from > AGAIN ? list.reach : from + 1;
      continue;
    }
    pieces.push(best);
    while (from < list.count && (list.start[from] ?? 0) < best.end) from += 1;
  }
}

/** Numerals up to which a failed attempt is repeated from the next one. */
const AGAIN = 8;

function readUnbroken(
  { text, reader }: Numerals,
  start: number,
  digits: number,
  end: number,
): Piece | undefined {
  let binary = true;
  for (let at = digits; at < end && binary; at += 1) {
    const code = text.charCodeAt(at);
    binary = code === 0x30 || code === 0x31;
  }
  const size = end - digits;
  const bits = size % 8 === 0 ? 8 : 7;
  const width = binary && size >= 24 && size % bits === 0 ? bits : 2;
  const base = width === 2 ? 16 : 2;
  if (size % width !== 0) return undefined;
  reader.clear();
  for (let at = digits; at < end; at += width) {
    let value = 0;
    for (let k = 0; k < width; k += 1) value = value * base + hexValue(text.charCodeAt(at + k));
    if (!reader.push(value, at)) return undefined;
  }
  const decoded = reader.text();
  const worth = judgeDecoded(decoded, CERTAIN);
  if (worth === 'noise') return undefined;
  const positions = reader.positions();
  return { start, end, text: decoded, positions, legible: worth === 'legible' };
}

/** Whether two numerals are too far apart for one list, or the second is part of an escape. */
function isApart(text: string, end: number, start: number): boolean {
  const last = text.charCodeAt(start - 1);
  const escape = last === 0x25 || last === 0x5c || last === 0x23 || last === 0x3d;
  return start - end > MAX_GAP || escape;
}

/** Where the digits begin: after `0x`, `0b`, `0o`, `U+`. */
function afterPrefix(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  if ((first | 0x20) === 0x75) return second === 0x2b ? at + 2 : at;
  if (first !== 0x30) return at;
  const small = second | 0x20;
  if (small === 0x78 || small === 0x6f) return at + 2;
  const third = text.charCodeAt(at + 2);
  return small === 0x62 && (third === 0x30 || third === 0x31) ? at + 2 : at;
}

/** Digits of a row of numbers below which it spells nothing that matters. */
const LEAST_NUMERALS = 8;

/** Hexadecimal, binary, octal and decimal character codes, apart or unbroken, and a = 1. */
export function numberPieces(text: string, { count, start, end, shape }: Tokens): Piece[] {
  const pieces: Piece[] = [];
  let list: Numerals | undefined;
  let first = -1;
  let digits = 0;
  for (let i = 0; i <= count; i += 1) {
    const bits = i < count ? (shape[i] ?? 0) : NOT_HEX;
    const size = i < count ? (end[i] ?? 0) - (start[i] ?? 0) : 2;
    // `0x` and `U+` go along with the digits that they stand before.
    if ((bits & NOT_HEX) === 0 || (bits & DIGIT) !== 0 || size < 2) {
      if (first < 0) first = i;
      digits += (bits & NOT_HEX) === 0 ? size : Math.max(0, size - 2);
      continue;
    }
    if (digits >= LEAST_NUMERALS) {
      list ??= new Numerals(text);
      readRow(list, start[first] ?? 0, end[i - 1] ?? 0, pieces);
    }
    first = -1;
    digits = 0;
  }
  return pieces;
}

/** Reads the numbers between two places. */
function readRow(list: Numerals, from: number, to: number, pieces: Piece[]): void {
  const { text } = list;
  const close = (): void => {
    if (list.count >= 2) readList(list, pieces);
    list.count = 0;
  };
  let at = from;
  while (at < to) {
    if (!isWordUnit(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const start = at;
    const digits = afterPrefix(text, at);
    let top = 0;
    let end = digits;
    while (end < to) {
      const value = hexValue(text.charCodeAt(end));
      if (value < 0) break;
      if (value > top) top = value;
      end += 1;
    }
    if (end === digits || (end < to && isWordUnit(text.charCodeAt(end)))) {
      close();
      at = Math.max(end, start + 1);
      while (at < to && isWordUnit(text.charCodeAt(at))) at += 1;
      continue;
    }
    if (list.count > 0 && isApart(text, list.end[list.count - 1] ?? 0, start)) close();
    if (end - digits > MAX_DIGITS) {
      close();
      const piece = readUnbroken(list, start, digits, end);
      if (piece !== undefined) pieces.push(piece);
    } else {
      list.add(start, digits, end, top);
    }
    at = end;
  }
  close();
}
