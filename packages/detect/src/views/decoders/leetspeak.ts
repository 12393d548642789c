import { lazily } from '../character-classes.js';
import { HASH_SEED, hashStep, isReadable, lookUp, wordTable } from '../lexicon.js';
import { textOfUnits } from '../placed-text.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { segment } from '../segment.js';
import { DIGITS, LEET } from '../traits.js';
import { isLetter } from './symbol-values.js';

/** Letters that a sign may stand for, the likeliest first. */
const SIGNS: readonly (readonly [string, string])[] = [
  ['0', 'o'],
  ['1', 'il'],
  ['2', 'z'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['6', 'gb'],
  ['7', 't'],
  ['8', 'b'],
  ['9', 'g'],
  ['@', 'a'],
  ['$', 's'],
  ['!', 'il'],
  ['|', 'il'],
  ['+', 't'],
  ['(', 'c'],
  ['<', 'c'],
  ['#', 'h'],
  ['\u20ac', 'e'],
  ['\u00a3', 'l'],
  ['\u00a1', 'i'],
];

/** Letters drawn with several signs, longest first. */
const DRAWN: readonly (readonly [string, string])[] = [
  ['/\\/\\', 'm'],
  ['\\/\\/', 'w'],
  ['|\\/|', 'm'],
  ['|\\|', 'n'],
  ['|-|', 'h'],
  ['|_|', 'u'],
  ['/\\', 'a'],
  ['\\/', 'v'],
  ['|)', 'd'],
  ['|<', 'k'],
  ['|=', 'f'],
  ['|_', 'l'],
  ['|3', 'b'],
  ['|2', 'r'],
  ['|*', 'p'],
  ['(_)', 'u'],
  ['()', 'o'],
  ['[]', 'o'],
];

/** The same by their first sign, all of ASCII, so that few are compared at one place. */
const drawnFrom: () => readonly (readonly (readonly [string, number])[] | undefined)[] = lazily(
  () => {
    const lists: [string, number][][] = [];
    for (const [drawn, stands] of DRAWN) {
      const first = drawn.charCodeAt(0);
      const list = lists[first] ?? [];
      list.push([drawn, stands.charCodeAt(0)]);
      lists[first] = list;
    }
    return lists;
  },
);

/** For each unit below U+20AD: 0, or the letter in the low byte and a second one in the high. */
const signTable: () => Uint16Array = lazily(() => {
  const table = new Uint16Array(0x20ad);
  for (let i = 0; i < 26; i += 1) {
    table[0x61 + i] = 0x61 + i;
    table[0x41 + i] = 0x61 + i;
  }
  for (const [sign, letters] of SIGNS) {
    const second = letters.length > 1 ? letters.charCodeAt(1) : 0;
    table[sign.charCodeAt(0)] = letters.charCodeAt(0) | (second << 8);
  }
  return table;
});

const MAX_WORD = 28;
/** Longest run that is cut into words. */
const MAX_GLUED = 512;
/** Signs of two meanings that are tried both ways; beyond this the likeliest is taken. */
const MAX_DOUBTS = 3;
/** Length from which leet without spaces is cut into words. */
const GLUED = 12;

/** One run of letters and signs, held in arrays that are used again for the next. */
class Run {
  start = 0;
  end = 0;
  count = 0;
  signs = 0;
  letters = 0;
  readonly codes = new Uint16Array(MAX_GLUED);
  readonly at = new Int32Array(MAX_GLUED);
  readonly sign = new Uint8Array(MAX_GLUED);
  readonly #spelled = new Uint16Array(MAX_GLUED);
  readonly #drawn = drawnFrom();

  /** Reads the run that begins at `at`; false when no letter or sign stands there. */
  read(text: string, at: number, table: Uint16Array): boolean {
    this.start = at;
    this.count = 0;
    this.signs = 0;
    this.letters = 0;
    let next = at;
    while (next < text.length && this.count < MAX_GLUED) {
      const code = text.charCodeAt(next);
      const plain = code < table.length ? (table[code] ?? 0) : 0;
      const small = code | 0x20;
      const letter = small >= 0x61 && small <= 0x7a;
      let width = plain === 0 ? 0 : 1;
      let found = plain;
      if (code === 0x2f || code === 0x5c || code === 0x7c || code === 0x28 || code === 0x5b) {
        const second = text.charCodeAt(next + 1);
        for (const [drawn, stands] of this.#drawn[code] ?? []) {
          if (drawn.charCodeAt(1) !== second || !text.startsWith(drawn, next)) continue;
          found = stands;
          width = drawn.length;
          break;
        }
      }
      if (width === 0) break;
      this.codes[this.count] = found;
      this.at[this.count] = next;
      this.sign[this.count] = letter ? 0 : 1;
      if (letter) this.letters += 1;
      else this.signs += 1;
      this.count += 1;
      next += width;
    }
    this.end = next;
    return next > at;
  }

  /** Leaves out signs at the end that may be punctuation; false when there are none. */
  trim(text: string): boolean {
    let count = this.count;
    while (count > 0 && '!|+(<'.includes(text.charAt(this.at[count - 1] ?? 0))) count -= 1;
    if (count === this.count) return false;
    this.end = this.at[count] ?? this.end;
    this.signs -= this.count - count;
    this.count = count;
    return true;
  }

  /** Tries both meanings of a few signs; the choice that makes a known word, or -1. */
  choose(): number {
    const table = wordTable();
    let doubts = 0;
    for (let i = 0; i < this.count && doubts < MAX_DOUBTS; i += 1) {
      if ((this.codes[i] ?? 0) > 0xff) doubts += 1;
    }
    for (let choice = 0; choice < 1 << doubts; choice += 1) {
      let hash = HASH_SEED;
      let doubt = 0;
      for (let i = 0; i < this.count; i += 1) {
        const code = this.codes[i] ?? 0;
        let letter = code & 0xff;
        if (code > 0xff && doubt < MAX_DOUBTS) {
          if ((choice & (1 << doubt)) !== 0) letter = code >> 8;
          doubt += 1;
        }
        hash = hashStep(hash, letter);
      }
      if (isReadable(lookUp(table, hash), this.count)) return choice;
    }
    return -1;
  }

  /** The run with its signs read by a choice; letters keep their case. */
  spell(text: string, choice: number): string {
    const units = this.#spelled;
    let doubt = 0;
    for (let i = 0; i < this.count; i += 1) {
      const code = this.codes[i] ?? 0;
      if ((this.sign[i] ?? 0) === 0) {
        units[i] = text.charCodeAt(this.at[i] ?? 0);
        continue;
      }
      let letter = code & 0xff;
      if (code > 0xff && doubt < MAX_DOUBTS) {
        if ((choice & (1 << doubt)) !== 0) letter = code >> 8;
        doubt += 1;
      }
      units[i] = letter;
    }
    return textOfUnits(units, this.count);
  }

  edit(text: string, choice: number): Edit {
    const { start, end } = this;
    const spelled = this.spell(text, choice);
    if (end - start === this.count) return { start, end, text: spelled, aligned: true };
    return { start, end, text: spelled, positions: this.at.slice(0, this.count) };
  }

  /** A letter, signs, and a letter again: what a version, a time or a size never looks like. */
  isWoven(): boolean {
    return this.letters > 1 && this.sign[0] === 0 && this.sign[this.count - 1] === 0;
  }
}

/** One for all texts, since a decoder is done with it when it returns. */
const sharedRun: () => Run = lazily(() => new Run());

/**
 * What to do with runs that are no known word, once the text is known to be leet. `starts`: where they begin; the
 * complement of that for one of which no choice makes a word.
 */
function others(text: string, starts: readonly number[], run: Run, edits: Edit[]): void {
  const table = signTable();
  for (const place of starts) {
    const failed = place < 0;
    run.read(text, failed ? ~place : place, table);
    run.trim(text);
    if (run.count < 2 || run.count > MAX_WORD) continue;
    const choice = failed ? -1 : run.choose();
    if (choice >= 0 || run.isWoven()) edits.push(run.edit(text, Math.max(0, choice)));
  }
  edits.sort((a, b) => a.start - b.start);
}

function isGlued(text: string, run: Run): boolean {
  if (run.count < GLUED || run.signs * 8 < run.count || run.letters === 0) return false;
  const { coverage, words } = segment(run.spell(text, 0));
  return coverage >= 0.75 && words > 1;
}

/**
 * Digits and signs that stand for letters. A word is changed when that makes a known word of it;
 * others only in a text that is written so throughout. Times, versions and addresses stay.
 */
export const leetspeakDecoder: Decoder = {
  needs: DIGITS | LEET,
  needsRuns: 0,
  decode({ shown: layer }) {
    const { text } = layer;
    const table = signTable();
    const run = sharedRun();
    const edits: Edit[] = [];
    const unknown: number[] = [];
    let at = 0;
    const sign = /[0-9@$!|+(<#/\\[\u20ac\u00a3\u00a1]/gu;
    while (sign.test(text)) {
      const found = sign.lastIndex - 1;
      let start = found;
      while (start > at && isLetter(text.charCodeAt(start - 1))) start -= 1;
      if (!run.read(text, start, table)) {
        at = start + 1;
        sign.lastIndex = at;
        continue;
      }
      at = run.end === found ? run.end + 1 : run.end;
      sign.lastIndex = at;
      if (run.signs === 0 || run.count < 2) continue;
      let choice = -1;
      let failed = false;
      if (run.letters > 0 && run.count <= MAX_WORD) {
        // A word may end in a sign that is punctuation, or in one that is a letter.
        const trimmed = run.trim(text);
        if (run.signs > 0) {
          choice = run.choose();
          failed = choice < 0;
        }
        if (choice < 0 && trimmed) {
          run.read(text, start, table);
          choice = run.choose();
        }
      }
      if (choice >= 0) edits.push(run.edit(text, choice));
      else if (isGlued(text, run)) edits.push(run.edit(text, 0));
      else unknown.push(failed ? ~start : start);
    }
    if (edits.length === 0) return undefined;
    if (edits.length > 1) others(text, unknown, run, edits);
    return { name: 'leetspeak', layer: applyEdits(layer, edits), legible: true };
  },
};
