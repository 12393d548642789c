import { HASH_SEED, hashStep, KNOWN, lookUp, wordTable } from '../lexicon.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { segment } from '../segment.js';

/** Letters that a sign may stand for, the likeliest first. */
const SIGNS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'il',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'gb',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'il',
  '|': 'il',
  '+': 't',
  '(': 'c',
  '<': 'c',
  '€': 'e',
  '£': 'l',
  '¡': 'i',
};

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
  ['()', 'o'],
  ['[]', 'o'],
];

const MAX_WORD = 28;
/** Signs of two meanings that are tried both ways; beyond this the likeliest is taken. */
const MAX_DOUBTS = 3;
/** Length from which leet without spaces is cut into words. */
const GLUED = 12;

interface Unit {
  readonly at: number;
  readonly letters: string;
  readonly sign: boolean;
}

function isLetter(code: number): boolean {
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

function unitAt(
  text: string,
  at: number,
): { readonly unit: Unit; readonly end: number } | undefined {
  const code = text.charCodeAt(at);
  if (isLetter(code)) {
    const letters = text.charAt(at);
    return { unit: { at, letters, sign: false }, end: at + 1 };
  }
  if (code === 0x2f || code === 0x5c || code === 0x7c || code === 0x28 || code === 0x5b) {
    for (const [drawn, letters] of DRAWN) {
      if (text.startsWith(drawn, at)) {
        return { unit: { at, letters, sign: true }, end: at + drawn.length };
      }
    }
  }
  const letters = Object.hasOwn(SIGNS, text.charAt(at)) ? SIGNS[text.charAt(at)] : undefined;
  return letters === undefined ? undefined : { unit: { at, letters, sign: true }, end: at + 1 };
}

interface Run {
  readonly start: number;
  readonly end: number;
  readonly units: readonly Unit[];
  readonly signs: number;
}

function runs(text: string): Run[] {
  const found: Run[] = [];
  let at = 0;
  while (at < text.length) {
    let next = unitAt(text, at);
    if (next === undefined) {
      at += 1;
      continue;
    }
    const start = at;
    const units: Unit[] = [];
    let signs = 0;
    while (next !== undefined) {
      units.push(next.unit);
      if (next.unit.sign) signs += 1;
      at = next.end;
      next = at < text.length ? unitAt(text, at) : undefined;
    }
    if (signs > 0) found.push({ start, end: at, units, signs });
  }
  return found;
}

/** The known word that the units spell, trying both meanings of a few signs. */
function knownWord(units: readonly Unit[]): string | undefined {
  const table = wordTable();
  const doubts: number[] = [];
  for (let i = 0; i < units.length && doubts.length < MAX_DOUBTS; i += 1) {
    if ((units[i]?.letters.length ?? 0) > 1) doubts.push(i);
  }
  for (let choice = 0; choice < 1 << doubts.length; choice += 1) {
    let hash = HASH_SEED;
    let doubt = 0;
    let word = '';
    for (const [i, unit] of units.entries()) {
      let letter = unit.letters.charAt(0);
      if (doubts[doubt] === i) {
        if ((choice & (1 << doubt)) !== 0) letter = unit.letters.charAt(1);
        doubt += 1;
      }
      word += letter;
      hash = hashStep(hash, letter.charCodeAt(0) | 0x20);
    }
    if ((lookUp(table, hash) & KNOWN) !== 0) return word;
  }
  return undefined;
}

function plain(units: readonly Unit[]): string {
  return units.map((unit) => unit.letters.charAt(0)).join('');
}

/** Signs at the end that may be punctuation. */
function trimmed(run: Run): Run {
  let count = run.units.length;
  while (count > 0 && '!|+(<'.includes(lastSign(run.units[count - 1]))) count -= 1;
  const units = run.units.slice(0, count);
  const end = run.units[count]?.at ?? run.end;
  return { start: run.start, end, units, signs: units.filter((unit) => unit.sign).length };
}

function lastSign(unit: Unit | undefined): string {
  if (unit === undefined || !unit.sign) return '#';
  return unit.letters === 'il' ? '!' : unit.letters === 't' ? '+' : '#';
}

/** A letter, signs, and a letter again: what a version, a time or a size never looks like. */
function isWoven(units: readonly Unit[]): boolean {
  let turns = 0;
  for (let i = 1; i < units.length; i += 1) {
    if (units[i]?.sign !== units[i - 1]?.sign) turns += 1;
  }
  return turns >= 2 && units[0]?.sign === false && units.at(-1)?.sign === false;
}

function edit(run: Run, word: string): Edit {
  return { start: run.start, end: run.end, text: word, positions: run.units.map(({ at }) => at) };
}

function hasSign(text: string): boolean {
  return /[0-9@$!|+€£¡]/u.test(text);
}

/**
 * Digits and signs that stand for letters. A word is changed when that makes a known word of it;
 * others only in a text that is written so throughout. Times, versions and addresses stay.
 */
export const leetspeakDecoder: Decoder = {
  decode({ shown }) {
    if (!hasSign(shown.text)) return undefined;
    const edits: Edit[] = [];
    const unknown: Run[] = [];
    for (const whole of runs(shown.text)) {
      let run = trimmed(whole);
      let word = run.signs > 0 && run.units.length <= MAX_WORD ? knownWord(run.units) : undefined;
      if (word === undefined && run.end !== whole.end && whole.units.length <= MAX_WORD) {
        word = knownWord(whole.units);
        if (word !== undefined) run = whole;
      }
      const digitsOnly = run.units.every((unit) => unit.sign);
      if (word !== undefined && run.units.length >= 2 && !digitsOnly) edits.push(edit(run, word));
      else if (
        run.units.length >= GLUED &&
        run.signs * 8 >= run.units.length &&
        run.units.length <= 512
      ) {
        const letters = plain(run.units);
        const { coverage, words } = segment(letters.toLowerCase());
        if (coverage >= 0.75 && words > 1) edits.push(edit(run, letters));
        else unknown.push(run);
      } else if (run.signs > 0) unknown.push(run);
    }
    if (edits.length === 0) return undefined;
    if (edits.length >= 2) {
      for (const run of unknown) {
        if (run.units.length > MAX_WORD) continue;
        const word = run.units.every((unit) => unit.sign) ? knownWord(run.units) : plain(run.units);
        if (word !== undefined && (isWoven(run.units) || knownWord(run.units) !== undefined)) {
          edits.push(edit(run, word));
        }
      }
      edits.sort((a, b) => a.start - b.start);
    }
    return { name: 'leetspeak', layer: applyEdits(shown, edits), legible: true };
  },
};
