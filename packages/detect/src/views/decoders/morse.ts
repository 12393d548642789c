import { lazily } from '../character-classes.js';
import { judgeDecoded } from '../legibility.js';
import { PlacedText } from '../placed-text.js';
import { applyEdits, type Decoder } from '../reading.js';
import { WIDE_GAP } from '../run-traits.js';
import type { Tokens } from '../tokens.js';
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

/** Unit that each sign stands for, by its number; 0 for none. */
const codes: () => Uint8Array = lazily(() => {
  const table = new Uint8Array(256);
  const put = (sign: string, stands: string): void => {
    table[signNumber(sign)] = stands.charCodeAt(0);
  };
  for (const [sign, mark] of MARKS) put(sign, mark);
  LETTERS.split(/\s+/u).forEach((sign, i) => put(sign, String.fromCharCode(0x61 + i)));
  DIGITS.split(' ').forEach((sign, i) => put(sign, String(i)));
  return table;
});

/** 1 for a dot, 2 for a dash, 0 for any other unit. */
function dotOrDash(code: number): number {
  if (code < 0x80) return code === 0x2e ? 1 : code === 0x2d || code === 0x5f ? 2 : 0;
  if (code === 0xb7 || code === 0x2022 || code === 0x2219 || code === 0x22c5) return 1;
  return (code >= 0x2010 && code <= 0x2015) || code === 0x2212 ? 2 : 0;
}

/** Signs in one number: 1, and a bit for each dot or dash. */
function signNumber(sign: string): number {
  let value = 1;
  for (let i = 0; i < sign.length; i += 1) value = value * 2 + (sign.charAt(i) === '-' ? 1 : 0);
  return value;
}

function isBreak(code: number): boolean {
  return code === 0x2f || code === 0x7c;
}

/** Morse code; letters apart by a space, words by a slash, a bar, a line break or a wider gap. */
export function morsePieces(text: string): Piece[] {
  const table = codes();
  const pieces: Piece[] = [];
  let out: PlacedText | undefined;
  let at = 0;
  while (at < text.length) {
    if (dotOrDash(text.charCodeAt(at)) === 0) {
      at += 1;
      continue;
    }
    const start = at;
    let end = at;
    out ??= new PlacedText();
    out.size = 0;
    let signs = 0;
    let letters = 0;
    while (at < text.length) {
      const from = at;
      let sign = 1;
      while (at < text.length && sign < 128) {
        const mark = dotOrDash(text.charCodeAt(at));
        if (mark === 0) break;
        sign = sign * 2 + mark - 1;
        at += 1;
      }
      const letter = table[sign] ?? 0;
      if (letter === 0) break;
      out.put(letter, from);
      letters = out.size;
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
      if (parted || spaces > 1) out.put(0x20, end);
    }
    at = Math.max(at, start + 1);
    if (signs < LEAST) continue;
    const spelled = out.text(letters);
    const worth = judgeDecoded(spelled, 10);
    if (worth === 'noise') continue;
    const positions = out.places(letters);
    pieces.push({ start, end, text: spelled, positions, legible: worth === 'legible' });
  }
  return pieces;
}

/** Whether the signs of five letters stand between two runs of a normalised text. */
function mayHold(text: string, { count, start, end }: Tokens): boolean {
  for (let i = 0; i <= count; i += 1) {
    const from = i === 0 ? 0 : (end[i - 1] ?? 0);
    const to = i < count ? (start[i] ?? 0) : text.length;
    if (to - from < 2 * LEAST - 1) continue;
    let signs = 0;
    let inSign = false;
    for (let at = from; at < to; at += 1) {
      const sign = dotOrDash(text.charCodeAt(at)) !== 0;
      if (sign && !inSign) signs += 1;
      inSign = sign;
    }
    if (signs >= LEAST) return true;
  }
  return false;
}

/** Looks at the text as it was given, as white space tells words apart. */
export const morseDecoder: Decoder = {
  needs: 0,
  needsRuns: WIDE_GAP,
  decode({ source, shown, tokens }) {
    // Signs and the spaces between them are one gap between letters.
    if (!mayHold(shown.text, tokens)) return undefined;
    const pieces = morsePieces(source.text);
    if (pieces.length === 0) return undefined;
    const legible = pieces.some((piece) => piece.legible);
    return { name: 'decoded', layer: applyEdits(source, pieces), legible };
  },
};
