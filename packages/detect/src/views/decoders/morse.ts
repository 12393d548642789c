import { lazily } from '../character-classes.js';
import { judgeDecoded } from '../legibility.js';
import { applyEdits, type Decoder } from '../reading.js';
import type { Piece } from './base64.js';

const LETTERS = `.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..-
...- .-- -..- -.-- --..`;
const DIGITS = '----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----.';
const MARKS: readonly (readonly [string, string])[] = [
  ['.-.-.-', '.'],
  ['--..--', ','],
  ['..--..', '?'],
  ['.----.', "'"],
  ['-.-.--', '!'],
  ['-....-', '-'],
  ['---...', ':'],
];
/** Signs that must follow one another. */
const LEAST = 5;

const codes: () => ReadonlyMap<string, string> = lazily(() => {
  const map = new Map(MARKS);
  LETTERS.split(/\s+/u).forEach((code, i) => map.set(code, String.fromCharCode(0x61 + i)));
  DIGITS.split(' ').forEach((code, i) => map.set(code, String(i)));
  return map;
});

function dotOrDash(code: number): string {
  if (code === 0x2e || code === 0xb7 || code === 0x2022 || code === 0x2219 || code === 0x22c5)
    return '.';
  if (code === 0x2d || code === 0x5f || (code >= 0x2010 && code <= 0x2015) || code === 0x2212)
    return '-';
  return '';
}

function isBreak(code: number): boolean {
  return code === 0x2f || code === 0x7c;
}

/** Morse code; letters apart by a space, words by a slash, a bar, a line break or a wider gap. */
export function morsePieces(text: string): Piece[] {
  const table = codes();
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    if (dotOrDash(text.charCodeAt(at)) === '') {
      at += 1;
      continue;
    }
    const start = at;
    let end = at;
    let out = '';
    const positions: number[] = [];
    let signs = 0;
    while (at < text.length) {
      const from = at;
      let sign = '';
      while (at < text.length && sign.length < 8) {
        const mark = dotOrDash(text.charCodeAt(at));
        if (mark === '') break;
        sign += mark;
        at += 1;
      }
      const letter = table.get(sign);
      if (letter === undefined) break;
      out += letter;
      for (let i = 0; i < letter.length; i += 1) positions.push(from);
      signs += 1;
      end = at;
      let spaces = 0;
      let parted = false;
      while (at < text.length && at - end < 8) {
        const code = text.charCodeAt(at);
        if (isBreak(code) || code === 0x0a) parted = true;
        else if (code === 0x20 || code === 0x0d) spaces += 1;
        else break;
        at += 1;
      }
      if (at === end) break;
      if (parted || spaces > 1) {
        out += ' ';
        positions.push(end);
      }
    }
    at = Math.max(at, start + 1);
    const trimmed = out.trimEnd();
    if (signs < LEAST) continue;
    const worth = judgeDecoded(trimmed, 10);
    if (worth === 'noise') continue;
    pieces.push({ start, end, text: trimmed, positions, legible: worth === 'legible' });
  }
  return pieces;
}

/** Looks at the text as it was given, as white space tells words apart. */
export const morseDecoder: Decoder = {
  decode({ source }) {
    const pieces = morsePieces(source.text);
    if (pieces.length === 0) return undefined;
    const legible = pieces.some((piece) => piece.legible);
    return { name: 'decoded', layer: applyEdits(source, pieces), legible };
  },
};
