import { characterTable } from '../character-classes.js';
import { EVERYDAY, KNOWN, TRIGGER } from '../lexicon.js';
import {
  isMisspelled,
  LONGEST_TARGET,
  letterBits,
  type Misspellings,
  misspellings,
  type Suspects,
  shapeOf,
  sortedLetters,
  type Target,
  withoutRepeats,
} from '../misspellings.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { STRANGER } from '../run-traits.js';
import type { Tokens } from '../tokens.js';

/** Shortest word that may be a misspelled target. */
const LEAST = 4;
/** Longest word that is looked at: a target with letters held down. */
const MOST = 48;
/** Tokens within which two signs of one attack stand. */
const NEAR = 6;

interface Text {
  readonly text: string;
  readonly tokens: Tokens;
  readonly lower: Uint16Array;
}

function wordAt({ text, tokens }: Text, i: number): string {
  return text.slice(tokens.start[i] ?? 0, tokens.end[i] ?? 0).toLowerCase();
}

function isPlain(word: string): boolean {
  return /^[a-z]+$/u.test(word);
}

/** Letters too many or missing that are tried, in this order. */
const CHANGES = [0, 1, -1] as const;
const LONG_CHANGES = [0, 1, -1, 2, -2] as const;
/** Length from which two letters may be missing or too many. */
const LONG = 9;

/** The target that a word in lower case misspells, or the empty string; `letters` are its letters as bits. */
function targetOf(word: string, letters: number, table: Misspellings): string {
  if (table.words.has(word)) return '';
  if (/(.)\1/u.test(word)) {
    const held = table.single.get(withoutRepeats(word));
    if (held !== undefined && held.length < word.length) return held;
  }
  if (word.length > LONGEST_TARGET + 2) return '';
  const first = word.charCodeAt(0);
  const second = word.charCodeAt(1);
  for (const change of word.length < LONG ? CHANGES : LONG_CHANGES) {
    const size = word.length + change;
    const found = targetIn(table.byShape[shapeOf(first, size)], word, letters);
    if (found !== '') return found;
    if (second === first) continue;
    const other = targetIn(table.byShape[shapeOf(second, size)], word, letters);
    if (other !== '') return other;
  }
  return '';
}

function targetIn(targets: readonly Target[] | undefined, word: string, letters: number): string {
  if (targets === undefined) return '';
  for (const target of targets) {
    const most = target.word.length >= LONG ? 4 : 2;
    if (countBits(letters ^ target.letters) <= most && isMisspelled(word, target.word)) {
      return target.word;
    }
  }
  return '';
}

function countBits(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Whether a word that begins with a letter may misspell a target: cheap, and right for nearly all words. */
function isSuspect(bits: number, first: number, size: number, suspects: Suspects): boolean {
  if (size > 31) return false;
  const { from, letters, most } = suspects;
  const shape = shapeOf(first, size);
  const end = from[shape + 1] ?? 0;
  for (let i = from[shape] ?? 0; i < end; i += 1) {
    if (countBits(bits ^ (letters[i] ?? 0)) <= (most[i] ?? 0)) return true;
  }
  return false;
}

/** Tokens that may misspell a target, by index; none when there are none. */
function suspected({ tokens, text, lower }: Text, table: Misspellings): number[] | undefined {
  let list: number[] | undefined;
  for (let i = 0; i < tokens.count; i += 1) {
    if (((tokens.flags[i] ?? 0) & (KNOWN | EVERYDAY)) !== 0) continue;
    const start = tokens.start[i] ?? 0;
    const end = tokens.end[i] ?? 0;
    const size = end - start;
    if (size < LEAST || size > MOST) continue;
    let letters = 0;
    let repeats = false;
    let before = 0;
    let at = start;
    for (; at < end; at += 1) {
      const code = lower[text.charCodeAt(at)] ?? 0;
      if (code < 0x61 || code > 0x7a) break;
      letters |= 1 << (code - 0x61);
      repeats ||= code === before;
      before = code;
    }
    if (at < end) continue;
    const first = lower[text.charCodeAt(start)] ?? 0;
    const second = lower[text.charCodeAt(start + 1)] ?? 0;
    const { suspects } = table;
    if (
      isSuspect(letters, first, size, suspects) ||
      (second !== first && isSuspect(letters, second, size, suspects)) ||
      (repeats && table.letters.has(letters))
    ) {
      list ??= [];
      list.push(i);
    }
  }
  return list;
}

/** The suspected tokens that misspell a target, with it; those that nothing could back are left out. */
function misspelled(
  scene: Text,
  list: readonly number[],
  table: Misspellings,
): Map<number, string> | undefined {
  let found: Map<number, string> | undefined;
  for (const [k, i] of list.entries()) {
    const near = i - (list[k - 1] ?? -MOST) <= NEAR || (list[k + 1] ?? i + MOST) - i <= NEAR;
    if (!near && !hasTrigger(scene, i)) continue;
    const word = wordAt(scene, i);
    const target = targetOf(word, letterBits(word), table);
    if (target === '') continue;
    found ??= new Map();
    found.set(i, target);
  }
  return found;
}

/** Whether a word of attacks stands near. */
function hasTrigger({ tokens }: Text, i: number): boolean {
  const to = Math.min(tokens.count - 1, i + NEAR);
  for (let k = Math.max(0, i - NEAR); k <= to; k += 1) {
    const size = (tokens.end[k] ?? 0) - (tokens.start[k] ?? 0);
    if (k !== i && size > 4 && ((tokens.flags[k] ?? 0) & TRIGGER) !== 0) return true;
  }
  return false;
}

/** Whether another misspelled target or a word of attacks stands near. */
function isBacked(scene: Text, i: number, found: ReadonlyMap<number, string>): boolean {
  for (let k = i - NEAR; k <= i + NEAR; k += 1) if (k !== i && found.has(k)) return true;
  return hasTrigger(scene, i);
}

/** What a short word near misspelled ones stands for: "teh", "yuor", "alll". */
function smallWord(word: string, table: Misspellings): string {
  if (!isPlain(word) || table.words.has(word)) return '';
  const found =
    table.small.get(sortedLetters(word)) ?? table.single.get(withoutRepeats(word)) ?? '';
  return found === word ? '' : found;
}

/**
 * Misspelled words of attacks, put right where they stand. One alone says nothing: another, or a
 * word of attacks as it should be, must stand near.
 */
export const typosDecoder: Decoder = {
  needs: 0,
  needsRuns: STRANGER,
  decode({ shown, tokens }) {
    const table = misspellings();
    const scene: Text = { text: shown.text, tokens, lower: characterTable().lower };
    const list = suspected(scene, table);
    const found = list === undefined ? undefined : misspelled(scene, list, table);
    if (found === undefined) return undefined;
    const words = new Map<number, string>();
    for (const [i, target] of found) {
      if (!isBacked(scene, i, found)) continue;
      words.set(i, target);
      const to = Math.min(tokens.count - 1, i + NEAR);
      for (let k = Math.max(0, i - NEAR); k <= to; k += 1) {
        const size = (tokens.end[k] ?? 0) - (tokens.start[k] ?? 0);
        if (size < 3 || size > 8 || words.has(k) || found.has(k)) continue;
        if (((tokens.flags[k] ?? 0) & KNOWN) !== 0) continue;
        const small = smallWord(wordAt(scene, k), table);
        if (small !== '') words.set(k, small);
      }
    }
    const edits: Edit[] = [];
    for (const i of [...words.keys()].toSorted((a, b) => a - b)) {
      const start = tokens.start[i] ?? 0;
      const end = tokens.end[i] ?? 0;
      const word = words.get(i) ?? '';
      const last = end - start - 1;
      const positions = Array.from(word, (_, k) => start + Math.min(k, last));
      const capital = shown.text.charAt(start) !== shown.text.charAt(start).toLowerCase();
      const text = capital ? word.charAt(0).toUpperCase() + word.slice(1) : word;
      edits.push({ start, end, text, positions });
    }
    if (edits.length === 0) return undefined;
    return { name: 'typos', layer: applyEdits(shown, edits), legible: true };
  },
};
