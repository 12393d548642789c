import type { Span } from '../types.js';
import { type GroupCache, type RequiredStep, requiredWords } from './required-words.js';
import { WordIndex } from './word-index.js';

/** No match of a rule is looked for that is longer than this, in UTF-16 code units. */
export const LONGEST_MATCH = 512;

/** One place of a group in the required words of a pattern. */
interface Step extends Omit<RequiredStep, 'words'> {
  readonly pattern: number;
  /** Slot of this step's state; the step before it has the slot before. */
  readonly slot: number;
  readonly first: boolean;
  readonly last: boolean;
  readonly startsWord: boolean;
  readonly endsWord: boolean;
}

/** A second occurrence of a first word keeps the window of one that is this near before it. */
const KEEP_START = 128;

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
  readonly #words: readonly string[];
  readonly #steps: readonly (readonly Step[])[];
  readonly #slots: number;

  constructor(patterns: readonly string[]) {
    const words = new Map<string, Step[]>();
    const unknown: number[] = [];
    const cache: GroupCache = new Map();
    let slots = 0;
    patterns.forEach((source, pattern) => {
      const branches = requiredWords(source, cache);
      if (branches.length === 0) unknown.push(pattern);
      for (const branch of branches) {
        branch.forEach(({ words: group, farthest, crosses }, k) => {
          for (const { text, startsWord, endsWord } of group) {
            const step: Step = {
              pattern,
              slot: slots + k,
              first: k === 0,
              last: k === branch.length - 1,
              farthest,
              crosses,
              startsWord,
              endsWord,
            };
            const steps = words.get(text);
            if (steps) steps.push(step);
            else words.set(text, [step]);
          }
        });
        slots += branch.length;
      }
    });
    this.unknown = unknown;
    this.#slots = slots;
    this.#words = [...words.keys()];
    this.#index = new WordIndex(this.#words);
    // Later steps first, so that one occurrence is not taken for two steps of a pattern.
    this.#steps = [...words.values()].map((steps) => steps.toSorted((a, b) => b.slot - a.slot));
  }

  /** For each pattern, the spans within which it can match, in ascending order and joined. */
  find(text: string): Map<number, Span[]> {
    const found = new Map<number, Span[]>();
    /** Per slot: where the chain that reached it began, and where its last word ended. */
    const began = new Int32Array(this.#slots).fill(-1);
    const ended = new Int32Array(this.#slots);
    let read = 0;
    let stop = -1;
    this.#index.visit(foldCase(text), (word, end) => {
      const start = end - (this.#words[word]?.length ?? 0);
      for (; read < start; read++) {
        const code = text.charCodeAt(read);
        if (code === 46 || code === 33 || code === 63) stop = read;
      }
      const startsWord = !isWordAt(text, start - 1);
      const endsWord = !isWordAt(text, end);
      for (const step of this.#steps[word] ?? []) {
        if ((step.startsWord && !startsWord) || (step.endsWord && !endsWord)) continue;
        let from = start;
        if (!step.first) {
          from = began[step.slot - 1] ?? -1;
          const before = ended[step.slot - 1] ?? 0;
          if (from < 0 || end - from > LONGEST_MATCH || start - before > step.farthest) continue;
          // A stop inside of a longer word that ended before is seen as none, which only adds places.
          if (!step.crosses && stop >= before && stop < start) continue;
        }
        if (step.last) {
          addSpan(found, step.pattern, from, end);
          continue;
        }
        const earlier = began[step.slot] ?? -1;
        began[step.slot] =
          step.first && earlier >= 0 && from - earlier < KEEP_START ? earlier : from;
        ended[step.slot] = end;
      }
    });
    return found;
  }
}

/** Part of a word as RE2's `\b` sees it. */
function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95
  );
}

function addSpan(found: Map<number, Span[]>, pattern: number, start: number, end: number): void {
  const spans = found.get(pattern);
  const last = spans?.at(-1);
  if (spans && last && start <= last.end)
    spans[spans.length - 1] = { start: Math.min(start, last.start), end };
  else if (spans) spans.push({ start, end });
  else found.set(pattern, [{ start, end }]);
}

/** Lower case with every offset kept, which `toLowerCase` alone does not promise. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? '';
    const folded = char.toLowerCase();
    out += folded.length === 1 ? folded : char;
  }
  return out;
}
