import { characterTable, lazily, MARK, WORD } from '../character-classes.js';
import { confusables } from '../confusables.js';
import { HASH_SEED, hashStep, isReadable, KNOWN, lookUp, wordTable } from '../lexicon.js';
import { PlacedText } from '../placed-text.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { BEYOND } from '../traits.js';

/** Longest run of letters that is looked at as one word. */
const MAX_RUN = 64;
/** Shortest word of mixed scripts that is read as Latin without being a known one. */
const MIXED = 4;

/** A run of letters; what it is read as stands in the folded text. */
interface Folded {
  readonly start: number;
  readonly end: number;
  /** From its first to after its last unit in the folded text. */
  readonly from: number;
  readonly to: number;
  readonly ascii: number;
  /** Letters of other scripts, or symbols, that look like Latin ones. */
  readonly alike: number;
  /** Accents and other marks that were taken off. */
  readonly marks: number;
  /** Letters that look like no Latin one. */
  readonly foreign: number;
  readonly regional: number;
}

/** What one character was: nothing of a word, a look-alike, an accented letter, a mark, or another letter. */
const NONE = 0;
const ALIKE = 1;
const ACCENTED = 2;
const MARKED = 3;
const FOREIGN = 4;

/** Astral characters of which the sign is remembered. */
const MOST_ASTRAL = 8192;
/** Place of the unit, or of the longer text, in the number that stands for a sign. */
const TEXT_OFFSET = 8;
const LONGER = 8;
const KNOWN_SIGN = 16;

/** What characters are read as, worked out once for each: the kind, and the text that it stands for. */
class Signs {
  readonly #plane = new Int32Array(65536);
  readonly #astral = new Map<number, number>();
  readonly #longer: string[] = [];

  of(point: number): number {
    const known = point < 65536 ? (this.#plane[point] ?? 0) : (this.#astral.get(point) ?? 0);
    if (known !== 0) return known;
    const { text, kind } = signOf(point);
    let sign = kind | KNOWN_SIGN;
    if (text.length === 1) sign |= text.charCodeAt(0) << TEXT_OFFSET;
    else if (text.length > 1) {
      sign |= LONGER | (this.#longer.length << TEXT_OFFSET);
      this.#longer.push(text);
    }
    if (point < 65536) this.#plane[point] = sign;
    else if (this.#astral.size < MOST_ASTRAL) this.#astral.set(point, sign);
    else if (text.length > 1) this.#longer.pop();
    return sign;
  }

  put(point: number, sign: number, at: number, out: PlacedText): void {
    const text = sign >> TEXT_OFFSET;
    if (text === 0 && (sign & LONGER) === 0) return;
    if ((sign & LONGER) === 0) out.put(text, at);
    else out.putText(this.#longer[text] ?? signOf(point).text, at);
  }
}

const signs = lazily(() => new Signs());

function signOf(point: number): { readonly text: string; readonly kind: number } {
  const { kind, word } = characterTable();
  if (point < 65536 && (kind[point] ?? 0) === MARK) return { text: '', kind: MARKED };
  const character = String.fromCodePoint(point);
  const table = confusables();
  const direct = table.get(point);
  if (direct !== undefined) return { text: direct, kind: ALIKE };
  // Ideographs and Hangul do not come apart into Latin letters.
  if (point >= 0x3400 && point <= 0xd7ff) return { text: character, kind: FOREIGN };
  const [base = ''] = Array.from(character.normalize('NFD'));
  if (/^[A-Za-z]$/u.test(base)) return { text: base, kind: ACCENTED };
  const indirect = table.get(base.codePointAt(0) ?? 0);
  if (indirect !== undefined) return { text: indirect, kind: ALIKE };
  if (point < 65536 ? (word[point] ?? 0) === WORD : /\p{L}/u.test(character)) {
    return { text: character, kind: FOREIGN };
  }
  return { text: '', kind: NONE };
}

function isRegional(point: number): boolean {
  return point >= 0x1f1e6 && point <= 0x1f1ff;
}

/** Runs of letters, marks and look-alikes that hold something beyond ASCII. */
function foldRuns(text: string, out: PlacedText): Folded[] {
  const table = signs();
  const runs: Folded[] = [];
  const size = text.length;
  let at = 0;
  while (at < size) {
    const start = at;
    const from = out.size;
    let ascii = 0;
    let alike = 0;
    let marks = 0;
    let foreign = 0;
    let regional = 0;
    while (at < size && at - start < MAX_RUN) {
      const code = text.charCodeAt(at);
      if (code < 0x80) {
        const letter = code | 0x20;
        const digit = code >= 0x30 && code <= 0x39;
        if (!(letter >= 0x61 && letter <= 0x7a) && !digit) break;
        out.put(code, at);
        ascii += 1;
        at += 1;
        continue;
      }
      const point = text.codePointAt(at) ?? code;
      const sign = table.of(point);
      const kind = sign & 7;
      if (kind === NONE) break;
      table.put(point, sign, at, out);
      if (kind === ALIKE) alike += 1;
      else if (kind === FOREIGN) foreign += 1;
      else marks += 1;
      if (isRegional(point)) regional += 1;
      at += point > 0xffff ? 2 : 1;
    }
    if (alike + marks + foreign > 0) {
      runs.push({ start, end: at, from, to: out.size, ascii, alike, marks, foreign, regional });
    } else out.size = from;
    if (at === start) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return runs;
}

/**
 * Whether a run makes a known word, with `stroke` in place of every i and l that is not written as one; 0 leaves
 * them as they are.
 */
function isKnown(
  source: string,
  { from, to }: Folded,
  folded: PlacedText,
  stroke: number,
): boolean {
  const { lower } = characterTable();
  let hash = HASH_SEED;
  for (let i = from; i < to; i += 1) {
    let unit = folded.unit(i);
    if (stroke !== 0 && isStroke(source, unit, folded.place(i))) unit = stroke;
    hash = hashStep(hash, lower[unit] ?? unit);
  }
  return isReadable(lookUp(wordTable(), hash), to - from);
}

const SMALL_I = 0x69;
const SMALL_L = 0x6c;

function isStroke(source: string, unit: number, place: number): boolean {
  return (unit === SMALL_I || unit === SMALL_L) && source.charCodeAt(place) > 0x7f;
}

/** How the strokes of i and l are read so that the run is a known word: 0 as they are; -1 when none makes one. */
function readStrokes(source: string, run: Folded, folded: PlacedText): number {
  if (run.to - run.from < 2) return -1;
  if (isKnown(source, run, folded, 0)) return 0;
  let strokes = 0;
  if (run.alike > 0) {
    for (let i = run.from; i < run.to; i += 1) {
      if (isStroke(source, folded.unit(i), folded.place(i))) strokes += 1;
    }
  }
  if (strokes === 0) return -1;
  if (isKnown(source, run, folded, SMALL_I)) return SMALL_I;
  return isKnown(source, run, folded, SMALL_L) ? SMALL_L : -1;
}

/** Letters that digits are read as, from 0 on; a digit without one stays. */
const DIGIT_LETTERS = 'oizeasgtbg';
const ONE = 0x31;
/** Shortest word of letters, accents and digits. */
const LEET = 4;

/** Whether a run would be a known word with its digits read as letters: those are for the next decoder. */
function isLeet(run: Folded, folded: PlacedText): boolean {
  if (run.to - run.from < LEET || run.marks + run.alike === 0) return false;
  let digits = 0;
  for (let i = run.from; i < run.to; i += 1) if (isDigit(folded.unit(i))) digits += 1;
  if (digits === 0 || digits * 2 > run.to - run.from) return false;
  return isKnownLeet(run, folded, SMALL_I) || isKnownLeet(run, folded, SMALL_L);
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isKnownLeet({ from, to }: Folded, folded: PlacedText, one: number): boolean {
  const { lower } = characterTable();
  let hash = HASH_SEED;
  for (let i = from; i < to; i += 1) {
    const unit = folded.unit(i);
    let letter = lower[unit] ?? unit;
    if (unit === ONE) letter = one;
    else if (isDigit(unit)) letter = DIGIT_LETTERS.charCodeAt(unit - 0x30);
    hash = hashStep(hash, letter);
  }
  return (lookUp(wordTable(), hash) & KNOWN) !== 0;
}

function editOf(source: string, run: Folded, folded: PlacedText, stroke: number): Edit {
  const { start, end, from, to } = run;
  let text = '';
  let aligned = to - from === end - start;
  for (let i = from; i < to; i += 1) {
    const unit = folded.unit(i);
    const place = folded.place(i);
    const read = stroke > 0 && isStroke(source, unit, place) ? stroke : unit;
    text += String.fromCharCode(read);
    if (place - start !== i - from) aligned = false;
  }
  if (aligned) return { start, end, text, aligned };
  const positions: number[] = [];
  for (let i = from; i < to; i += 1) positions.push(folded.place(i));
  return { start, end, text, positions };
}

function isKnownAsWritten(text: string, { start, end }: Folded): boolean {
  const { lower } = characterTable();
  let hash = HASH_SEED;
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i);
    hash = hashStep(hash, lower[code] ?? code);
  }
  return (lookUp(wordTable(), hash) & KNOWN) !== 0;
}

/**
 * Letters that only look Latin, and accents and stacked marks on Latin ones. A word is changed when
 * that makes a known word of it, or when it mixes scripts; words of one other script stay.
 */
export const homoglyphDecoder: Decoder = {
  needs: BEYOND,
  needsRuns: 0,
  decode({ shown }) {
    const { text } = shown;
    if (!/[\u0080-\u{10ffff}]/u.test(text)) return undefined;
    const edits: Edit[] = [];
    let known = 0;
    let last: Folded | undefined;
    const folded = new PlacedText();
    const runs = foldRuns(text, folded);
    // Two regional letters are a flag, unless the text has words made of them.
    const spelled = runs.some((run) => run.regional > 2);
    for (let i = 0; i < runs.length; i += 1) {
      const run = runs[i];
      if (run === undefined) break;
      const units = run.to - run.from;
      if (units === 0 || (run.regional === 2 && !spelled) || isKnownAsWritten(text, run)) continue;
      const stroke = readStrokes(text, run, folded);
      const single =
        units === 1 &&
        run.alike === 1 &&
        (isSingle(text, run.start, -1) ||
          isSingle(text, run.end, 1) ||
          near(run, last) ||
          near(runs[i + 1], run));
      last = run;
      const mixed = run.ascii > 0 && run.alike > 0 && run.foreign === 0 && units >= MIXED;
      const symbols = run.ascii === 0 && run.end - run.start === 2 * units && units >= MIXED;
      const stacked =
        run.marks > 1 && run.ascii > 0 && run.marks * 2 >= run.ascii && run.end - run.start > units;
      if (stroke < 0 && !mixed && !single && !symbols && !stacked && !isLeet(run, folded)) continue;
      if (stroke >= 0) known += 1;
      edits.push(editOf(text, run, folded, stroke));
    }
    if (edits.length === 0) return undefined;
    return {
      name: 'homoglyph',
      layer: applyEdits(shown, edits),
      legible: known > 0 || edits.length > 2,
    };
  },
};

/** Whether two runs of one letter stand a separator apart. */
function near(a: Folded | undefined, b: Folded | undefined): boolean {
  if (a === undefined || b === undefined || a.to - a.from !== 1 || b.to - b.from !== 1)
    return false;
  return Math.abs(a.start - b.end) <= 3 || Math.abs(b.start - a.end) <= 3;
}

/** Whether a lone letter stands a separator away from a unit, as in spaced-out text. */
function isSingle(text: string, edge: number, step: 1 | -1): boolean {
  const at = step === 1 ? edge + 1 : edge - 2;
  return isLatin(text.charCodeAt(at)) && !isLatin(text.charCodeAt(at + step));
}

function isLatin(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}
