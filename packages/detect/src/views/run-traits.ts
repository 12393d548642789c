/**
 * What the runs of letters and digits of a text tell, as bits, so that a decoder need not be called when nothing that it
 * acts on is there. The rest is told by the characters, see `traits.ts`.
 */
/** A run in which letters and digits, or capitals and small letters, mix. */
export const MIXED_RUN = 1;
/** The same, as long as a sentence in base64. */
export const LONG_MIXED_RUN = 1 << 1;
/** Numbers in a row. */
export const NUMERALS = 1 << 2;
/** Digits of six character codes in a row, or more. */
export const CODES = 1 << 3;
/** A run of four letters or more that is no word. */
export const STRANGER = 1 << 4;
/** A run of eight letters or more that is no word. */
export const LONG_STRANGER = 1 << 5;
/** Ten units with signs and letters, and no white space. */
export const KNOT = 1 << 6;
/** Mixed runs near each other. */
export const DENSE = 1 << 7;
/** Signs without a letter for as long as five letters of Morse code take. */
export const WIDE_GAP = 1 << 8;
export const SHIFTED_WORD = 1 << 9;
export const MIRRORED_WORD = 1 << 10;
export const BACKWARD_WORD = 1 << 11;
/** Words of the spelling alphabet for several letters. */
export const SPELLED_OUT = 1 << 12;
/** Three signs or letters with signs among them and no white space, or digits. */
export const TURNABLE = 1 << 13;
/** A run that could be a sentence without spaces, or a row of runs of one length. */
export const GLUED_SENTENCE = 1 << 14;
/** Runs that could be pieces of words, or words with signs for spaces. */
export const PIECES = 1 << 15;
/** A run of nine letters or more that is no word, and could be several. */
export const LONG_WORD = 1 << 22;
/** Unknown words that end in "ay". */
export const PIG_LATIN = 1 << 16;
/** Endings in "ay" behind a sign. */
export const DASHED_PIG_LATIN = 1 << 17;
/** Verb, determiner, adjective and noun back to front, more than once. */
export const FALLING_ORDER = 1 << 18;
/** Quotation marks of several strings of code. */
export const LITERALS = 1 << 19;
/** Quotation marks with an operator between them. */
export const JOINED_LITERALS = 1 << 20;
/** A sign of markup right behind a letter. */
export const MARKED_WORD = 1 << 21;

/** A bit when a count is large enough, else 0. */
export function reach(value: number, least: number, bit: number): number {
  return ((least - 1 - value) >> 31) & bit;
}
