import { PACK_WORDS } from './pack-words.js';
import {
  type GroupCache,
  type RequiredStep,
  type RequiredWord,
  requiredWords,
} from './required-words.js';

/** The steps of a pattern's alternatives, as numbers: `[farthest or -1, crosses, group]`. */
type WrittenStep = readonly [farthest: number, crosses: number, group: number];

/** Required words of patterns that are known beforehand. */
export interface KnownWords {
  readonly words: readonly string[];
  /** Lists of words that steps share; a word is four times its place and its marks. */
  readonly groups: readonly (readonly number[])[];
  readonly patterns: Readonly<Record<string, readonly (readonly WrittenStep[])[]>>;
}

const STARTS_WORD = 1;
const ENDS_WORD = 2;

/**
 * Gives the required words of patterns. Those of the shipped rules are read from a table, since
 * working them out takes most of the time of a first scan; a pattern that is not in it is read. Steps with the same words
 * share one list.
 */
export function wordsReader(): (pattern: string) => readonly (readonly RequiredStep[])[] {
  const known = JSON.parse(PACK_WORDS) as KnownWords;
  const cache: GroupCache = new Map();
  // One object for all places at which a word stands with the same marks, and one list for each group.
  const made: RequiredWord[] = [];
  const lists: (readonly RequiredWord[])[] = [];
  return (pattern) => {
    const key = patternKey(pattern);
    const branches = Object.hasOwn(known.patterns, key) ? known.patterns[key] : undefined;
    if (!branches) return requiredWords(pattern, cache);
    return branches.map((steps) =>
      steps.map(([farthest, crosses, group]) => {
        const words = lists[group] ?? readGroup(known, group, made);
        lists[group] = words;
        return {
          words,
          farthest: farthest < 0 ? Number.POSITIVE_INFINITY : farthest,
          crosses: crosses === 1,
        };
      }),
    );
  };
}

function readGroup(
  known: KnownWords,
  group: number,
  made: RequiredWord[],
): readonly RequiredWord[] {
  const words: RequiredWord[] = [];
  for (const written of known.groups[group] ?? []) {
    let word = made[written];
    if (!word) {
      const startsWord = (written & STARTS_WORD) !== 0;
      const text = known.words[written >> 2] ?? '';
      word = { text, startsWord, endsWord: (written & ENDS_WORD) !== 0 };
      made[written] = word;
    }
    words.push(word);
  }
  return words;
}

/** Works out the table for a list of patterns. */
export function knownWords(patterns: readonly string[]): KnownWords {
  const ids = new Map<string, number>();
  const groups = new Map<string, number>();
  const known: Record<string, readonly (readonly WrittenStep[])[]> = {};
  const cache: GroupCache = new Map();
  const groupOf = (words: readonly RequiredWord[]): number => {
    const written = words.map(({ text, startsWord, endsWord }) => {
      const id = ids.get(text) ?? ids.size;
      ids.set(text, id);
      return id * 4 + (startsWord ? STARTS_WORD : 0) + (endsWord ? ENDS_WORD : 0);
    });
    const key = JSON.stringify(written);
    const group = groups.get(key) ?? groups.size;
    groups.set(key, group);
    return group;
  };
  for (const pattern of patterns) {
    known[patternKey(pattern)] = requiredWords(pattern, cache).map((steps) =>
      steps.map(({ words, farthest, crosses }): WrittenStep => {
        const most = Number.isFinite(farthest) ? farthest : -1;
        return [most, crosses ? 1 : 0, groupOf(words)];
      }),
    );
  }
  const lists = [...groups.keys()].map((key): readonly number[] => JSON.parse(key) as number[]);
  return { words: [...ids.keys()], groups: lists, patterns: known };
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
