import type { Span } from '../types.js';
import { type RequiredStep, requiredWords } from './required-words.js';
import { WordIndex } from './word-index.js';

/** No match of a rule is looked for that is longer than this, in UTF-16 code units. */
export const LONGEST_MATCH = 512;

/** A second occurrence of a first word keeps the window of one that is this near before it. */
const KEEP_START = 128;

/** What a step is to its pattern, and what it asks of the word, in one number. */
const FIRST = 1;
const LAST = 2;
const STARTS_WORD = 4;
const ENDS_WORD = 8;
const CROSSES = 16;

/** Stands for no bound. */
const ANY_DISTANCE = 0x7fffffff;

/** Gives the required words of a pattern, one list of steps for each alternative. */
export type WordsOf = (pattern: string) => readonly (readonly RequiredStep[])[];

/**
 * Tells where patterns can match, from the words that each of them requires, in one pass over the
 * text. It may name a place where nothing matches after all, never miss one.
 *
 * Deterministic automata over many patterns with gaps multiply their states on hostile text; the
 * words alone do not, whatever the text.
 */
export class CandidateFinder {
  /** Patterns of which no word is known; they have to be tried on the whole text. */
  readonly unknown: readonly number[];
  readonly #index: WordIndex;
  readonly #lengths: Int32Array;
  /** What all steps of a word ask of it. */
  readonly #asks: Uint8Array;
  /** Steps of word `w` stand from `first[w]` to `first[w + 1]` in the lists below. */
  readonly #first: Int32Array;
  readonly #pattern: Int32Array;
  /** Slot of a step's state, and of the step before it in its pattern; slot 0 comes before all first steps. */
  readonly #slot: Int32Array;
  readonly #before: Int32Array;
  readonly #farthest: Int32Array;
  readonly #flags: Uint8Array;
  /** Per slot: the search that wrote it, where the chain that reached it began, and where its last word ended. */
  readonly #written: Int32Array;
  readonly #began: Int32Array;
  readonly #ended: Int32Array;
  #search = 0;

  constructor(patterns: readonly string[], wordsOf: WordsOf = requiredWords) {
    const ids = new Map<string, number>();
    const unknown: number[] = [];
    // Five numbers for each step: word, pattern, slot, farthest, flags.
    const steps: number[] = [];
    let slots = 1;
    patterns.forEach((source, pattern) => {
      const branches = wordsOf(source);
      if (branches.length === 0) unknown.push(pattern);
      for (const branch of branches) {
        for (let k = 0; k < branch.length; k++) {
          const step = branch[k];
          if (!step) continue;
          const place = (k === 0 ? FIRST : 0) | (k === branch.length - 1 ? LAST : 0);
          const flags = place | (step.crosses ? CROSSES : 0);
          const farthest = Math.min(step.farthest, ANY_DISTANCE);
          for (const { text, startsWord, endsWord } of step.words) {
            let id = ids.get(text);
            if (id === undefined) {
              id = ids.size;
              ids.set(text, id);
            }
            const asks = (startsWord ? STARTS_WORD : 0) | (endsWord ? ENDS_WORD : 0);
            steps.push(id, pattern, slots + k, farthest, flags | asks);
          }
        }
        slots += branch.length;
      }
    });
    this.unknown = unknown;
    const words = [...ids.keys()];
    this.#lengths = Int32Array.from(words, (word) => word.length);
    this.#index = new WordIndex(words);
    this.#written = new Int32Array(slots);
    this.#began = new Int32Array(slots);
    this.#ended = new Int32Array(slots);
    const count = steps.length / 5;
    this.#first = new Int32Array(words.length + 1);
    this.#asks = new Uint8Array(words.length).fill(STARTS_WORD | ENDS_WORD);
    for (let i = 0; i < steps.length; i += 5) {
      const word = steps[i] ?? 0;
      this.#first[word + 1] = (this.#first[word + 1] ?? 0) + 1;
      this.#asks[word] = (this.#asks[word] ?? 0) & (steps[i + 4] ?? 0);
    }
    for (let w = 0; w < words.length; w++) {
      this.#first[w + 1] = (this.#first[w + 1] ?? 0) + (this.#first[w] ?? 0);
    }
    this.#pattern = new Int32Array(count);
    this.#slot = new Int32Array(count);
    this.#before = new Int32Array(count);
    this.#farthest = new Int32Array(count);
    this.#flags = new Uint8Array(count);
    const next = this.#first.slice();
    // Later steps first, so that one occurrence is not taken for two steps of a pattern.
    for (let i = steps.length - 5; i >= 0; i -= 5) {
      const word = steps[i] ?? 0;
      const at = next[word] ?? 0;
      next[word] = at + 1;
      this.#pattern[at] = steps[i + 1] ?? 0;
      this.#slot[at] = steps[i + 2] ?? 0;
      this.#before[at] = ((steps[i + 4] ?? 0) & FIRST) === 0 ? (steps[i + 2] ?? 0) - 1 : 0;
      this.#farthest[at] = steps[i + 3] ?? 0;
      this.#flags[at] = steps[i + 4] ?? 0;
    }
  }

  /** For each pattern, the spans within which it can match, in ascending order and joined. */
  find(text: string): Map<number, Span[]> {
    let found: Map<number, Span[]> | undefined;
    const count = this.#index.find(text);
    const hits = this.#index.hits;
    const [lengths, firsts, asks, before] = [this.#lengths, this.#first, this.#asks, this.#before];
    const [slots, farthest] = [this.#slot, this.#farthest];
    const [flagsOf, written, began, ended] = [this.#flags, this.#written, this.#began, this.#ended];
    this.#search = this.#search === ANY_DISTANCE ? 1 : this.#search + 1;
    const search = this.#search;
    if (search === 1) written.fill(0);
    // A first step comes after the slot that is always written.
    written[0] = search;
    let read = 0;
    let stop = -1;
    for (let h = 0; h < count; h += 2) {
      const word = hits[h] ?? 0;
      const end = hits[h + 1] ?? 0;
      const start = end - (lengths[word] ?? 0);
      const missing =
        (isWordAt(text, start - 1) ? STARTS_WORD : 0) | (isWordAt(text, end) ? ENDS_WORD : 0);
      if ((missing & (asks[word] ?? 0)) !== 0) continue;
      const last = firsts[word + 1] ?? 0;
      for (let i = firsts[word] ?? 0; i < last; i++) {
        const previous = before[i] ?? 0;
        if (written[previous] !== search) continue;
        const flags = flagsOf[i] ?? 0;
        if ((flags & missing) !== 0) continue;
        const slot = slots[i] ?? 0;
        let from = start;
        if (previous !== 0) {
          from = began[previous] ?? 0;
          const over = ended[previous] ?? 0;
          if (end - from > LONGEST_MATCH || start - over > (farthest[i] ?? 0)) continue;
          if ((flags & CROSSES) === 0) {
            for (; read < start; read++) {
              const code = text.charCodeAt(read);
              if (code === 46 || code === 33 || code === 63) stop = read;
            }
            // A stop inside of a longer word that ended before is seen as none, which only adds places.
            if (stop >= over && stop < start) continue;
          }
        }
        if ((flags & LAST) !== 0) {
          found ??= new Map();
          addSpan(found, this.#pattern[i] ?? 0, from, end);
          continue;
        }
        const keeps =
          previous === 0 && written[slot] === search && from - (began[slot] ?? 0) < KEEP_START;
        if (!keeps) began[slot] = from;
        written[slot] = search;
        ended[slot] = end;
      }
    }
    return found ?? new Map();
  }
}

/** Part of a word as RE2's `\b` sees it. */
function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 0x20;
  if (code >= 97 && code <= 122) return code < 128;
  const plain = text.charCodeAt(at);
  return (plain >= 48 && plain <= 57) || plain === 95;
}

function addSpan(found: Map<number, Span[]>, pattern: number, start: number, end: number): void {
  const spans = found.get(pattern);
  const last = spans?.at(-1);
  if (spans && last && start <= last.end)
    spans[spans.length - 1] = { start: Math.min(start, last.start), end };
  else if (spans) spans.push({ start, end });
  else found.set(pattern, [{ start, end }]);
}
