import { characterTable, MARK, WORD } from '../character-classes.js';
import { confusables } from '../confusables.js';
import { HASH_SEED, hashStep, hashWord, isReadable, KNOWN, lookUp, wordTable } from '../lexicon.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';

/** Longest run of letters that is looked at as one word. */
const MAX_RUN = 64;
/** Shortest word of mixed scripts that is read as Latin without being a known one. */
const MIXED = 4;

interface Folded {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly positions: readonly number[];
  readonly ascii: number;
  /** Letters of other scripts, or symbols, that look like Latin ones. */
  readonly alike: number;
  /** Accents and other marks that were taken off. */
  readonly marks: number;
  /** Letters that look like no Latin one. */
  readonly foreign: number;
  readonly regional: number;
}

/** What one character is read as: `kind` tells what it was. */
interface Sign {
  readonly text: string;
  readonly kind: 'alike' | 'accented' | 'mark' | 'foreign' | 'none';
}

function signOf(point: number): Sign {
  const { kind, word } = characterTable();
  if (point < 65536 && (kind[point] ?? 0) === MARK) return { text: '', kind: 'mark' };
  const character = String.fromCodePoint(point);
  const [base = ''] = Array.from(character.normalize('NFD'));
  const table = confusables();
  const direct = table.get(point);
  if (direct !== undefined) return { text: direct, kind: 'alike' };
  if (/^[A-Za-z]$/u.test(base)) return { text: base, kind: 'accented' };
  const indirect = table.get(base.codePointAt(0) ?? 0);
  if (indirect !== undefined) return { text: indirect, kind: 'alike' };
  if (point < 65536 ? (word[point] ?? 0) === WORD : /\p{L}/u.test(character)) {
    return { text: character, kind: 'foreign' };
  }
  return { text: '', kind: 'none' };
}

function isRegional(point: number): boolean {
  return point >= 0x1f1e6 && point <= 0x1f1ff;
}

/** Runs of letters, marks and look-alikes that hold something beyond ASCII. */
function foldRuns(text: string): Folded[] {
  const signs = new Map<number, Sign>();
  const runs: Folded[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    let folded = '';
    const positions: number[] = [];
    const count = { ascii: 0, alike: 0, accented: 0, mark: 0, foreign: 0, none: 0 };
    let regional = 0;
    while (at < text.length && at - start < MAX_RUN) {
      const code = text.charCodeAt(at);
      if (code < 0x80) {
        const letter = code | 0x20;
        const digit = code >= 0x30 && code <= 0x39;
        if (!(letter >= 0x61 && letter <= 0x7a) && !digit) break;
        folded += text.charAt(at);
        positions.push(at);
        count.ascii += 1;
        at += 1;
        continue;
      }
      const point = text.codePointAt(at) ?? code;
      let sign = signs.get(point);
      if (sign === undefined) {
        sign = signOf(point);
        signs.set(point, sign);
      }
      if (sign.kind === 'none') break;
      folded += sign.text;
      for (let i = 0; i < sign.text.length; i += 1) positions.push(at);
      count[sign.kind] += 1;
      if (isRegional(point)) regional += 1;
      at += point > 0xffff ? 2 : 1;
    }
    const strange = count.alike + count.accented + count.mark + count.foreign;
    if (strange > 0) {
      runs.push({
        start,
        end: at,
        text: folded,
        positions,
        ascii: count.ascii,
        alike: count.alike,
        marks: count.accented + count.mark,
        foreign: count.foreign,
        regional,
      });
    }
    if (at === start) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return runs;
}

function isKnown(word: string): boolean {
  return isReadable(lookUp(wordTable(), hashWord(word.toLowerCase())), word.length);
}

/** The folded word; the strokes of i and l are told apart by what makes a word. */
function readWord(source: string, run: Folded): { readonly text: string; readonly known: boolean } {
  if (run.text.length < 2) return { text: run.text, known: false };
  if (isKnown(run.text)) return { text: run.text, known: true };
  if (run.alike === 0 || !/[il]/iu.test(run.text)) return { text: run.text, known: false };
  for (const stroke of ['i', 'l']) {
    let other = '';
    for (let i = 0; i < run.text.length; i += 1) {
      const letter = run.text.charAt(i);
      const written = source.charCodeAt(run.positions[i] ?? 0);
      other += written > 0x7f && (letter === 'i' || letter === 'l') ? stroke : letter;
    }
    if (isKnown(other)) return { text: other, known: true };
  }
  return { text: run.text, known: false };
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
  decode({ shown }) {
    const { text } = shown;
    if (!/[\u0080-\u{10ffff}]/u.test(text)) return undefined;
    const edits: Edit[] = [];
    let known = 0;
    let last: Folded | undefined;
    const runs = foldRuns(text);
    // Two regional letters are a flag, unless the text has words made of them.
    const spelled = runs.some((run) => run.regional > 2);
    for (const [i, run] of runs.entries()) {
      if (run.text === '' || (run.regional === 2 && !spelled) || isKnownAsWritten(text, run))
        continue;
      const word = readWord(text, run);
      const next = runs[i + 1];
      const single =
        run.text.length === 1 &&
        run.alike === 1 &&
        (isSingle(text, run.start, -1) ||
          isSingle(text, run.end, 1) ||
          near(run, last) ||
          near(next, run));
      last = run;
      const mixed = run.ascii > 0 && run.alike > 0 && run.foreign === 0 && run.text.length >= MIXED;
      const symbols =
        run.ascii === 0 && run.end - run.start === 2 * run.text.length && run.text.length >= MIXED;
      const stacked =
        run.marks > 1 &&
        run.ascii > 0 &&
        run.marks * 2 >= run.ascii &&
        run.end - run.start > run.text.length;
      if (!word.known && !mixed && !single && !symbols && !stacked) continue;
      if (word.known) known += 1;
      edits.push({ start: run.start, end: run.end, text: word.text, positions: run.positions });
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
  if (a === undefined || b === undefined || a.text.length !== 1 || b.text.length !== 1)
    return false;
  return Math.abs(a.start - b.end) <= 3 || Math.abs(b.start - a.end) <= 3;
}

/** Whether a lone letter stands a separator away from a unit, as in spaced-out text. */
function isSingle(text: string, edge: number, step: 1 | -1): boolean {
  const at = step === 1 ? edge + 1 : edge - 2;
  const letter = text.charAt(at);
  const beyond = text.charAt(at + step);
  return /^[A-Za-z]$/u.test(letter) && !/[A-Za-z]/u.test(beyond);
}
