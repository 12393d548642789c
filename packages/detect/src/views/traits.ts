import { characterTable, lazily, PLAIN, SPACE } from './character-classes.js';
import { BACKWARD, MIRRORED, SHIFT_MASK } from './lexicon.js';
import { MIXED, type Tokens } from './tokens.js';

/**
 * What is in a text, as bits, so that a decoder need not be called when nothing that it acts on is there. The first
 * ones tell the characters.
 */
/** White space that is no plain space. */
export const WHITE = 1;
/** Something that NFKC changes or that is not drawn. */
export const UNSTABLE = 1 << 1;
/** Characters that are not drawn and can carry bits, tags and variation selectors among them. */
export const HIDDEN = 1 << 2;
/** Anything beyond ASCII. */
export const BEYOND = 1 << 3;
/** Letters that hardly anything but text upside down has. */
export const UPSIDE_DOWN = 1 << 4;
export const BRAILLE = 1 << 5;
/** Quotation marks, apostrophes among them. */
export const QUOTES = 1 << 6;
/** What an escape begins with, other than an equals sign. */
export const ESCAPES = 1 << 7;
export const EQUALS = 1 << 8;
export const LESS_THAN = 1 << 9;
/** What lines of a quote, a list or a difference begin with. */
const LINE_MARKS = 1 << 10;
/** Set for every text: what a decoder needs that any text may concern. */
export const ANYTHING = 1 << 11;
/** Begins a terminal colour. */
export const ESC = 1 << 12;
/** Emphasis of Markdown. */
export const EMPHASIS = 1 << 13;
/** Other signs that markup begins with. */
export const MARKUP = 1 << 14;
/** Signs that stand for letters. */
export const LEET = 1 << 15;
/** Marks of a character code. */
export const CODE_MARKS = 1 << 16;
export const DIGITS = 1 << 17;
export const DASHES = 1 << 18;

/** A run in which letters and digits, or capitals and small letters, mix. */
export const MIXED_RUN = 1 << 19;
/** The same, as long as a sentence in base64. */
export const LONG_MIXED_RUN = 1 << 20;
/** Numbers in a row. */
export const NUMERALS = 1 << 21;
/** A run of eight letters or more that is no word. */
export const LONG_STRANGER = 1 << 22;
/** A run of three letters or more that is no word. */
export const STRANGER = 1 << 23;
/** Ten units with signs and letters, and no white space. */
export const KNOT = 1 << 24;
/** Mixed runs near each other. */
export const DENSE = 1 << 25;
/** Signs without a letter for as long as five letters of Morse code take. */
export const WIDE_GAP = 1 << 26;
export const SHIFTED_WORD = 1 << 27;
export const MIRRORED_WORD = 1 << 28;
export const BACKWARD_WORD = 1 << 29;
/** Words of the spelling alphabet for several letters. */
export const SPELLED_OUT = 1 << 30;
/** Lines, and marks that lines begin with. */
export const MARKED_LINES = 1 << 31;
const TELLING: readonly (readonly [number, string])[] = [
  [UPSIDE_DOWN, 'ɐɔǝɟƃɥᴉɹʇʌʍʎʞɯ'],
  [QUOTES, '"\'`\u201c\u201d\u2018\u2019'],
  [ESCAPES, '&%\\'],
  [EQUALS, '='],
  [LESS_THAN, '<'],
  [LINE_MARKS, '>/#*-+;|'],
  [ESC, '\u001b'],
  [EMPHASIS, '*_~`'],
  [MARKUP, '}[/$'],
  [LEET, '@$!|+\u20ac\u00a3\u00a1'],
  [CODE_MARKS, '#\\$+'],
  [DIGITS, '0123456789'],
  [DASHES, '-\u2010'],
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

const table: () => Int32Array = lazily(() => {
  const { kind } = characterTable();
  const bits = new Int32Array(65536);
  const add = (at: number, bit: number): void => {
    bits[at] = (bits[at] ?? 0) | bit;
  };
  for (let i = 0; i < bits.length; i += 1) {
    const type = kind[i] ?? PLAIN;
    if (type === SPACE) add(i, i === 0x20 ? 0 : WHITE);
    else if (type !== PLAIN) add(i, UNSTABLE);
    if (i >= 0x80) add(i, BEYOND);
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
  let all = ANYTHING;
  for (let i = 0; i < text.length; i += 1) all |= bits[text.charCodeAt(i)] ?? 0;
  return (all & LINE_MARKS) !== 0 && text.includes('\n') ? all | MARKED_LINES : all;
}

/** Units of these stretches below which no decoder looks at them. */
const NUMERAL_UNITS = 8;
const KNOT_UNITS = 10;
const GAP_UNITS = 9;
const MIXED_UNITS = 16;
const STRANGER_UNITS = 8;
/** Words of the spelling alphabet that are no flight of fancy. */
const SPELLED = 6;

/** What the tokens tell. */
export function runsOf(tokens: Tokens): number {
  const { shapes, longest, unknown, stranger } = tokens;
  let all = 0;
  if ((shapes & MIXED) !== 0)
    all |= longest >= MIXED_UNITS ? MIXED_RUN | LONG_MIXED_RUN : MIXED_RUN;
  if (tokens.numerals >= NUMERAL_UNITS) all |= NUMERALS;
  if (stranger > 2) all |= stranger >= STRANGER_UNITS ? STRANGER | LONG_STRANGER : STRANGER;
  if (tokens.knot >= KNOT_UNITS) all |= KNOT;
  if (tokens.dense) all |= DENSE;
  if (tokens.gap >= GAP_UNITS) all |= WIDE_GAP;
  if ((unknown & SHIFT_MASK) !== 0) all |= SHIFTED_WORD;
  if ((unknown & MIRRORED) !== 0) all |= MIRRORED_WORD;
  if ((unknown & BACKWARD) !== 0) all |= BACKWARD_WORD;
  if (tokens.spelled >= SPELLED) all |= SPELLED_OUT;
  return all;
}
