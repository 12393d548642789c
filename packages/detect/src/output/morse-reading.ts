import { textOfUnits } from '../views/placed-text.js';
import type { Folded } from './fold.js';

const LETTERS = `.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .--
-..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----.`;
const LONGEST_SIGN = 5;
/** Separators that may stand between two signs of one text. */
const WIDEST_GAP = 8;
const BREAK = 10;

/** A sign as a number: 1, then a bit for each dot (0) or dash (1). */
const UNITS: ReadonlyMap<number, number> = new Map(
  LETTERS.split(/\s+/).map((sign, i) => [
    Array.from(sign).reduce((bits, mark) => bits * 2 + (mark === '-' ? 1 : 0), 1),
    'abcdefghijklmnopqrstuvwxyz0123456789'.charCodeAt(i),
  ]),
);

/** 0 for a dot, 1 for a dash, -1 for anything else. */
function markOf(code: number): number {
  if (code === 46 || code === 0xb7 || code === 0x2022) return 0;
  if (code === 45 || code === 95 || (code >= 0x2010 && code <= 0x2015) || code === 0x2212) return 1;
  return -1;
}

/** Two signs with what may stand between them. */
const SIGNS =
  /[.\-_\u00b7\u2022\u2010-\u2015\u2212][\s/|,]{1,8}[.\-_\u00b7\u2022\u2010-\u2015\u2212]/;

/** Whether a text can have more than single letters in Morse code. */
export function hasMorse(text: string): boolean {
  return SIGNS.test(text);
}

/** A sign with which a text ends, and which another may follow. */
const LAST_SIGN = /[.\-_\u00b7\u2022\u2010-\u2015\u2212][\s/|,]{0,8}$/;

/** Whether a text has Morse code, or can have when it goes on. */
export function mayHaveMorse(text: string): boolean {
  return hasMorse(text) || LAST_SIGN.test(text.slice(-16));
}

/** White space, `/`, `|` and `,`. */
function isGap(code: number): boolean {
  return code === 32 || code === 47 || code === 124 || code === 44 || (code >= 9 && code <= 13);
}

export interface MorseReading extends Folded {
  /** Where a sign begins with which the text ends, and which may go on; the length of the text without one. */
  readonly unfinished: number;
  /** Units of the reading before that sign. */
  readonly finished: number;
}

/**
 * Letters and digits that stand in a text in Morse code, with a line end between those that are not one after the other.
 * One pass; what is no code gives letters only where dots and dashes stand apart from words.
 */
export function morseReading(text: string): MorseReading {
  let units = new Uint16Array(64);
  let starts = new Int32Array(64);
  let ends = new Int32Array(64);
  let size = 0;
  const put = (unit: number, start: number, end: number): void => {
    if (size === units.length) {
      units = widened(units, new Uint16Array(size * 2));
      starts = widened(starts, new Int32Array(size * 2));
      ends = widened(ends, new Int32Array(size * 2));
    }
    units[size] = unit;
    starts[size] = start;
    ends[size] = end;
    size += 1;
  };
  let unfinished = text.length;
  let finished = 0;
  /** Separators since the last sign; too many after anything else. */
  let gap = WIDEST_GAP + 1;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (markOf(code) === -1) {
      gap = isGap(code) ? gap + 1 : WIDEST_GAP + 1;
      at += 1;
      continue;
    }
    const start = at;
    let sign = 1;
    for (let mark = markOf(code); mark !== -1; mark = markOf(text.charCodeAt(at))) {
      sign = at - start < LONGEST_SIGN ? sign * 2 + mark : 0;
      at += 1;
    }
    const begins = sign !== 0 && !endsWord(text, start);
    const unit = begins ? UNITS.get(sign) : undefined;
    const goesOn = begins && gap <= WIDEST_GAP;
    if (!goesOn && size > 0 && units[size - 1] !== BREAK) put(BREAK, start, start);
    if (begins && at === text.length) {
      unfinished = start;
      finished = size;
    }
    if (unit !== undefined) put(unit, start, at);
    gap = unit === undefined ? WIDEST_GAP + 1 : 0;
  }
  // What follows the last sign shows that nothing goes on from it.
  if (gap > WIDEST_GAP && unfinished === text.length && size > 0) put(BREAK, at, at);
  if (unfinished === text.length) finished = size;
  return {
    text: textOfUnits(units, size),
    starts: starts.subarray(0, size),
    ends: ends.subarray(0, size),
    unfinished,
    finished,
  };
}

/** Whether a letter or a digit stands before a place, so that a dot there ends a sentence. */
function endsWord(text: string, at: number): boolean {
  return at > 0 && /[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

function widened<T extends Uint16Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
