import { characterTable, lazily, PLAIN, SPACE } from './character-classes.js';

/**
 * What characters are in a text, as bits, so that a decoder need not be called when nothing that it acts on is there;
 * see `run-traits.ts` for what runs of letters tell.
 */
/** White space that is no plain space. */
export const WHITE = 1;
/** Something that NFKC changes or that is not drawn. */
export const UNSTABLE = 1 << 1;
/** Characters that are not drawn and can carry bits, tags and variation selectors among them. */
export const HIDDEN = 1 << 2;
/** What is beyond ASCII and may be read as a letter. */
export const BEYOND = 1 << 3;
/** Letters that hardly anything but text upside down has. */
export const UPSIDE_DOWN = 1 << 4;
export const BRAILLE = 1 << 5;
/** What an escape begins with, other than an equals sign. */
export const ESCAPES = 1 << 7;
export const EQUALS = 1 << 8;
export const LESS_THAN = 1 << 9;
/** What lines of a quote, a list or a difference begin with. */
const LINE_MARKS = 1 << 10;
/** Plain spaces in a row, at the beginning or at the end. */
export const UNEVEN = 1 << 11;
/** Begins a terminal colour. */
export const ESC = 1 << 12;
/** Emphasis of Markdown. */
export const EMPHASIS = 1 << 13;
/** Other signs that markup begins with. */
export const MARKUP = 1 << 14;
/** Signs that stand for letters. */
export const LEET = 1 << 15;
export const DIGITS = 1 << 17;

/** Lines, and marks that lines begin with. */
export const MARKED_LINES = 1 << 31;
const TELLING: readonly (readonly [number, string])[] = [
  [UPSIDE_DOWN, 'ɐɔǝɟƃɥᴉɹʇʌʍʎʞɯ'],
  [ESCAPES, '&%\\'],
  [EQUALS, '='],
  [LESS_THAN, '<'],
  [LINE_MARKS, '>/#*-+;|'],
  [ESC, '\u001b'],
  [EMPHASIS, '*_~`'],
  [MARKUP, '}[/$'],
  [LEET, '@$!|+\u20ac\u00a3\u00a1'],
  [DIGITS, '0123456789'],
];

/** First units of what {@link HIDDEN} stands for, as ranges. */
const HIDDEN_RANGES: readonly (readonly [number, number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x115f, 0x1160],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2064],
  [0x206a, 0x206f],
  [0x3164, 0x3164],
  [0xdb40, 0xdb40],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
];

/** Dashes, curled quotation marks, bullets, ellipses and spaces, which look like no letter. */
function isPunctuation(unit: number): boolean {
  if (unit === 0xa0) return true;
  return (
    (unit >= 0x2010 && unit <= 0x2015) ||
    (unit >= 0x2018 && unit <= 0x201f) ||
    unit === 0x2022 ||
    unit === 0x2026
  );
}

const table: () => Int32Array = lazily(() => {
  const { kind } = characterTable();
  const bits = new Int32Array(65536);
  const add = (at: number, bit: number): void => {
    bits[at] = (bits[at] ?? 0) | bit;
  };
  for (let i = 0; i < bits.length; i += 1) {
    const type = kind[i] ?? PLAIN;
    if (type === SPACE) add(i, i === 0x20 ? UNEVEN : WHITE);
    else if (type !== PLAIN) add(i, UNSTABLE);
    if (i >= 0x80 && !isPunctuation(i)) add(i, BEYOND);
  }
  for (let i = 0x2800; i <= 0x283f; i += 1) add(i, BRAILLE);
  for (const [from, to] of HIDDEN_RANGES) for (let i = from; i <= to; i += 1) add(i, HIDDEN);
  for (const [bit, signs] of TELLING) {
    for (let i = 0; i < signs.length; i += 1) add(signs.charCodeAt(i), bit);
  }
  return bits;
});

/** What characters are in a text. */
export function charactersOf(text: string): number {
  const bits = table();
  let all = 0;
  let pairs = 0;
  let before = UNEVEN;
  for (let i = 0; i < text.length; i += 1) {
    const bit = bits[text.charCodeAt(i)] ?? 0;
    all |= bit;
    pairs |= bit & before;
    before = bit;
  }
  // Each plain space has the bit; what is asked is whether two of them meet, or one stands at an end.
  all = (all & ~UNEVEN) | ((pairs | before) & UNEVEN);
  return (all & LINE_MARKS) !== 0 && text.includes('\n') ? all | MARKED_LINES : all;
}
