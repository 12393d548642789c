import { judgeDecoded } from '../legibility.js';
import { ByteReader } from '../utf8.js';
import type { Piece } from './base64.js';

/** Decoded bytes from which on printable text cannot be chance. */
const CERTAIN = 12;
/** Numbers that must follow one another. */
const LEAST = 4;
/** Longest run of digits that is one number. */
const MAX_DIGITS = 8;
/** Units between two numbers: a comma and a space, a line break and an indent. */
const MAX_GAP = 4;

interface Numeral {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
}

function isHexDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

function isWordUnit(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) ||
    code > 0xbf
  );
}

/** The numeral that begins at a unit: hexadecimal digits, perhaps after `0x`, `0b`, `0o`, `U+`. */
function numeralAt(text: string, at: number): Numeral | undefined {
  let from = at;
  const second = text.charCodeAt(at + 1) | 0x20;
  const first = text.charCodeAt(at);
  if (first === 0x30 && (second === 0x78 || second === 0x6f)) from += 2;
  else if (first === 0x30 && second === 0x62 && text.charCodeAt(at + 2) <= 0x31) from += 2;
  else if ((first | 0x20) === 0x75 && text.charCodeAt(at + 1) === 0x2b) from += 2;
  let end = from;
  while (end < text.length && isHexDigit(text.charCodeAt(end))) end += 1;
  if (end === from || (end < text.length && isWordUnit(text.charCodeAt(end)))) return undefined;
  return { start: at, end, digits: text.slice(from, end) };
}

/** Reads one numeral in one base: the bytes or code points that it stands for, or undefined. */
type Reading = (digits: string) => readonly number[] | undefined;

const binary: Reading = (digits) => {
  if (!/^[01]{7,8}$/u.test(digits)) return undefined;
  return [Number.parseInt(digits, 2)];
};

const hexadecimal: Reading = (digits) => {
  if (digits.length % 2 !== 0 || digits.length > MAX_DIGITS) return undefined;
  if (digits.length > 2 && digits.startsWith('00')) return [Number.parseInt(digits, 16)];
  return Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
};

const decimal: Reading = (digits) => {
  if (!/^[0-9]{2,7}$/u.test(digits)) return undefined;
  const value = Number.parseInt(digits, 10);
  return value >= 9 && value <= 0x10ffff ? [value] : undefined;
};

const octal: Reading = (digits) => {
  if (!/^[0-7]{2,4}$/u.test(digits)) return undefined;
  return [Number.parseInt(digits, 8)];
};

/** Place in the alphabet, a = 1; 0 and 27 are spaces. */
const alphabetic: Reading = (digits) => {
  if (!/^[0-9]{1,2}$/u.test(digits)) return undefined;
  const value = Number.parseInt(digits, 10);
  if (value === 0 || value === 27) return [0x20];
  return value <= 26 ? [0x60 + value] : undefined;
};

const BASES: readonly { readonly read: Reading; readonly bytes: boolean }[] = [
  { read: binary, bytes: true },
  { read: hexadecimal, bytes: true },
  { read: decimal, bytes: false },
  { read: octal, bytes: true },
  { read: alphabetic, bytes: true },
];

/** Text that a list of numerals spells in one base, as far as it goes from `from`. */
function spell(
  list: readonly Numeral[],
  from: number,
  base: (typeof BASES)[number],
): Piece | undefined {
  const reader = new ByteReader();
  const origin: number[] = [];
  let text = '';
  const positions: number[] = [];
  let last = from;
  for (let i = from; i < list.length; i += 1) {
    const numeral = list[i];
    const values = numeral === undefined ? undefined : base.read(numeral.digits);
    if (numeral === undefined || values === undefined) break;
    if (base.bytes) {
      if (!values.every((value) => value <= 0xff && reader.push(value))) break;
      for (let k = 0; k < values.length; k += 1) origin.push(numeral.start);
    } else {
      const [value] = values;
      if (value === undefined || (value < 0x20 && value !== 10 && value !== 13 && value !== 9))
        break;
      if (value >= 0x7f && value < 0xa0) break;
      const character = String.fromCodePoint(value);
      text += character;
      for (let k = 0; k < character.length; k += 1) positions.push(numeral.start);
    }
    last = i + 1;
  }
  if (last - from < LEAST && !base.bytes) return undefined;
  if (base.bytes) {
    const decoded = reader.finish();
    text = decoded.text;
    for (const offset of decoded.offsets) positions.push(origin[offset] ?? 0);
  }
  if (text.length < LEAST) return undefined;
  const worth = judgeDecoded(text, CERTAIN);
  if (worth === 'noise') return undefined;
  const start = list[from]?.start ?? 0;
  return {
    start,
    end: list[last - 1]?.end ?? start,
    text,
    positions,
    legible: worth === 'legible',
  };
}

/** Best reading of a list: legible before a mere step, then the longest. */
function readList(list: readonly Numeral[], pieces: Piece[]): void {
  let from = 0;
  while (from + LEAST <= list.length) {
    let best: Piece | undefined;
    for (const base of BASES) {
      const piece = spell(list, from, base);
      if (piece === undefined) continue;
      const better =
        best === undefined ||
        (piece.legible && !best.legible) ||
        (piece.legible === best.legible && piece.end > best.end);
      if (better) best = piece;
    }
    if (best === undefined) {
      // Another try after the numeral at which every base gave up would start inside what failed.
      from += LEAST;
      continue;
    }
    pieces.push(best);
    while (from < list.length && (list[from]?.start ?? 0) < best.end) from += 1;
  }
}

/** Longest unbroken run of digits that is read as bytes. */
const unbrokenDigits = (digits: string): number[] | undefined => {
  if (/^[01]+$/u.test(digits.slice(0, 64)) && digits.length >= 24) {
    const width = digits.length % 8 === 0 ? 8 : digits.length % 7 === 0 ? 7 : 0;
    if (width > 0 && /^[01]+$/u.test(digits)) {
      return Array.from({ length: digits.length / width }, (_, i) =>
        Number.parseInt(digits.slice(width * i, width * (i + 1)), 2),
      );
    }
  }
  if (digits.length % 2 !== 0) return undefined;
  const bytes: number[] = [];
  for (let i = 0; i < digits.length; i += 2)
    bytes.push(Number.parseInt(digits.slice(i, i + 2), 16));
  return bytes;
};

function readUnbroken({ start, end, digits }: Numeral): Piece | undefined {
  const bytes = unbrokenDigits(digits);
  if (bytes === undefined) return undefined;
  const reader = new ByteReader();
  for (const value of bytes) if (!reader.push(value)) return undefined;
  const decoded = reader.finish();
  const worth = judgeDecoded(decoded.text, CERTAIN);
  if (worth === 'noise') return undefined;
  const width = (end - start) / bytes.length;
  const positions = decoded.offsets.map((i) => Math.min(end - 1, start + Math.floor(i * width)));
  return { start, end, text: decoded.text, positions, legible: worth === 'legible' };
}

/** Hexadecimal, binary, octal and decimal character codes, apart or unbroken, and a = 1. */
export function numberPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let list: Numeral[] = [];
  const close = (): void => {
    if (list.length >= 2) readList(list, pieces);
    list = [];
  };
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (!isWordUnit(code)) {
      at += 1;
      continue;
    }
    const numeral = numeralAt(text, at);
    if (numeral === undefined) {
      close();
      while (at < text.length && isWordUnit(text.charCodeAt(at))) at += 1;
      continue;
    }
    const last = list.at(-1);
    if (last !== undefined && numeral.start - last.end > MAX_GAP) close();
    if (numeral.digits.length > MAX_DIGITS) {
      close();
      const piece = readUnbroken(numeral);
      if (piece !== undefined) pieces.push(piece);
    } else list.push(numeral);
    at = numeral.end;
  }
  close();
  return pieces;
}
