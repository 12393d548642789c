import { PACK_WORDS } from './pack-words.js';
import {
  type GroupCache,
  type RequiredStep,
  type RequiredWord,
  requiredWords,
} from './required-words.js';

/** The steps of a pattern's alternatives, as numbers: `[farthest or -1, crosses, ...words]`. */
type WrittenStep = readonly number[];

/** Required words of patterns that are known beforehand; a word is four times its place and its marks. */
export interface KnownWords {
  readonly words: readonly string[];
  readonly patterns: Readonly<Record<string, readonly (readonly WrittenStep[])[]>>;
}

const STARTS_WORD = 1;
const ENDS_WORD = 2;

/**
 * Gives the required words of patterns. Those of the shipped rules are read from a table, since
 * working them out takes most of the time of a first scan; a pattern that is not in it is read.
 */
export function wordsReader(): (pattern: string) => readonly (readonly RequiredStep[])[] {
  const known = JSON.parse(PACK_WORDS) as KnownWords;
  const cache: GroupCache = new Map();
  // One object for all places at which a word stands with the same marks.
  const made: RequiredWord[] = [];
  return (pattern) => {
    const key = patternKey(pattern);
    const branches = Object.hasOwn(known.patterns, key) ? known.patterns[key] : undefined;
    if (!branches) return requiredWords(pattern, cache);
    return branches.map((steps) => steps.map((step) => readStep(step, known.words, made)));
  };
}

function readStep(step: WrittenStep, words: readonly string[], made: RequiredWord[]): RequiredStep {
  const [farthest = 0, crosses = 0] = step;
  const group: RequiredWord[] = [];
  for (let i = 2; i < step.length; i++) {
    const written = step[i] ?? 0;
    let word = made[written];
    if (!word) {
      const startsWord = (written & STARTS_WORD) !== 0;
      word = { text: words[written >> 2] ?? '', startsWord, endsWord: (written & ENDS_WORD) !== 0 };
      made[written] = word;
    }
    group.push(word);
  }
  return {
    words: group,
    farthest: farthest < 0 ? Number.POSITIVE_INFINITY : farthest,
    crosses: crosses === 1,
  };
}

/** Works out the table for a list of patterns. */
export function knownWords(patterns: readonly string[]): KnownWords {
  const ids = new Map<string, number>();
  const known: Record<string, readonly (readonly WrittenStep[])[]> = {};
  const cache: GroupCache = new Map();
  for (const pattern of patterns) {
    known[patternKey(pattern)] = requiredWords(pattern, cache).map((steps) =>
      steps.map(({ words, farthest, crosses }) => [
        Number.isFinite(farthest) ? farthest : -1,
        crosses ? 1 : 0,
        ...words.map(({ text, startsWord, endsWord }) => {
          const id = ids.get(text) ?? ids.size;
          ids.set(text, id);
          return id * 4 + (startsWord ? STARTS_WORD : 0) + (endsWord ? ENDS_WORD : 0);
        }),
      ]),
    );
  }
  return { words: [...ids.keys()], patterns: known };
}

/** Length and 64 bits of two hashes, so that an edited pattern is not taken for the one in the table. */
function patternKey(pattern: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < pattern.length; i++) {
    const code = pattern.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    b ^= b >>> 15;
  }
  return `${pattern.length.toString(36)}.${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}
