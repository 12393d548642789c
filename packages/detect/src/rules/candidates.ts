import type { Span } from '../types.js';
import { requiredWords } from './required-words.js';
import { WordIndex } from './word-index.js';

/** No match of a rule is looked for that is longer than this, in UTF-16 code units. */
export const LONGEST_MATCH = 512;

/** One place of a group in the required words of a pattern. */
interface Step {
  readonly pattern: number;
  /** Slot of this step's state; the step before it has the slot before. */
  readonly slot: number;
  readonly first: boolean;
  readonly last: boolean;
}

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
  readonly #steps: readonly (readonly Step[])[];
  readonly #slots: number;

  constructor(patterns: readonly string[]) {
    const words = new Map<string, Step[]>();
    const unknown: number[] = [];
    let slots = 0;
    patterns.forEach((source, pattern) => {
      const branches = requiredWords(source);
      if (branches.length === 0) unknown.push(pattern);
      for (const groups of branches) {
        groups.forEach((group, k) => {
          const step: Step = {
            pattern,
            slot: slots + k,
            first: k === 0,
            last: k === groups.length - 1,
          };
          for (const word of group) {
            const steps = words.get(word);
            if (steps) steps.push(step);
            else words.set(word, [step]);
          }
        });
        slots += groups.length;
      }
    });
    this.unknown = unknown;
    this.#slots = slots;
    this.#index = new WordIndex([...words.keys()]);
    // Later steps first, so that one occurrence is not taken for two steps of a pattern.
    this.#steps = [...words.values()].map((steps) => steps.toSorted((a, b) => b.slot - a.slot));
  }

  /** For each pattern, the spans within which it can match, in ascending order and joined. */
  find(text: string): Map<number, Span[]> {
    const found = new Map<number, Span[]>();
    const starts = new Int32Array(this.#slots).fill(-1);
    this.#index.visit(foldCase(text), (word, end) => {
      for (const step of this.#steps[word] ?? []) {
        let start = end;
        if (!step.first) {
          start = starts[step.slot - 1] ?? -1;
          if (start < 0 || end - start > LONGEST_MATCH) continue;
        }
        if (step.last) addSpan(found, step.pattern, start, end);
        else starts[step.slot] = start;
      }
    });
    return found;
  }
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
