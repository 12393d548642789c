import { patternsOf, shippedRules } from './builtin-rules.js';
import { PACK_WORDS } from './pack-words.js';
import type { RequiredWord } from './required-words.js';
import { type TellingStep, tellingWords } from './telling-steps.js';

/** The words of patterns that are worth looking for, known beforehand. */
export interface KnownWords {
  readonly words: readonly string[];
  /** Lists of words that steps share, after the weight of all; a word is four times its place and its marks. */
  readonly groups: readonly (readonly number[])[];
  /**
   * For each of the patterns, in their order: of each alternative how many steps it has, and of each step how far it
   * reaches or -1, 1 if it crosses, and its group.
   */
  readonly patterns: readonly (readonly number[])[];
}

const STARTS_WORD = 1;
const ENDS_WORD = 2;
/** Numbers of a step. */
const STEP = 3;

/** What a group of the table stands for. */
interface Group {
  readonly words: readonly RequiredWord[];
  readonly weight: number;
}

/**
 * Gives the words of patterns that are worth looking for. Those of the shipped rules are read from a table, since
 * working them out takes most of the time of a first scan; a pattern that is not in it is read. Steps with the same words
 * share one list.
 */
export function wordsReader(): (pattern: string) => readonly (readonly TellingStep[])[] {
  const known = JSON.parse(PACK_WORDS) as KnownWords;
  const written = new Map<string, readonly number[]>();
  for (const [index, pattern] of patternsOf(shippedRules().rules).entries())
    written.set(pattern, known.patterns[index] ?? []);
  const read = tellingWords();
  // One object for all places at which a word stands with the same marks, and one for each group.
  const made = new Map<number, RequiredWord>();
  const groups: (Group | undefined)[] = known.groups.map(() => undefined);
  const groupOf = (group: number): Group => {
    const ready = groups[group] ?? readGroup(known, group, made);
    groups[group] = ready;
    return ready;
  };
  return (pattern) => {
    const branches = written.get(pattern);
    return branches ? readBranches(branches, groupOf) : read(pattern);
  };
}

function readBranches(
  written: readonly number[],
  groupOf: (group: number) => Group,
): readonly (readonly TellingStep[])[] {
  const branches: TellingStep[][] = [];
  for (let at = 0; at < written.length; ) {
    const end = at + 1 + (written[at] ?? 0) * STEP;
    const steps: TellingStep[] = [];
    for (let i = at + 1; i < end; i += STEP) {
      const farthest = written[i] ?? 0;
      const { words, weight } = groupOf(written[i + 2] ?? 0);
      steps.push({
        words,
        farthest: farthest < 0 ? Number.POSITIVE_INFINITY : farthest,
        crosses: written[i + 1] === 1,
        weight,
      });
    }
    branches.push(steps);
    at = end;
  }
  return branches;
}

function readGroup(known: KnownWords, group: number, made: Map<number, RequiredWord>): Group {
  const written = known.groups[group] ?? [];
  const words: RequiredWord[] = [];
  for (let i = 1; i < written.length; i++) {
    const mark = written[i] ?? 0;
    let word = made.get(mark);
    if (!word) {
      const startsWord = (mark & STARTS_WORD) !== 0;
      const text = known.words[mark >> 2] ?? '';
      word = { text, startsWord, endsWord: (mark & ENDS_WORD) !== 0 };
      made.set(mark, word);
    }
    words.push(word);
  }
  return { words, weight: written[0] ?? 0 };
}

/** Works out the table for a list of patterns. */
export function knownWords(patterns: readonly string[]): KnownWords {
  const ids = new Map<string, number>();
  const groups = new Map<string, number>();
  const read = tellingWords();
  const groupOf = ({ words, weight }: TellingStep): number => {
    const written = words.map(({ text, startsWord, endsWord }) => {
      const id = ids.get(text) ?? ids.size;
      ids.set(text, id);
      return id * 4 + (startsWord ? STARTS_WORD : 0) + (endsWord ? ENDS_WORD : 0);
    });
    const key = JSON.stringify([weight, ...written]);
    const group = groups.get(key) ?? groups.size;
    groups.set(key, group);
    return group;
  };
  const known = patterns.map((pattern) =>
    read(pattern).flatMap((steps) => [
      steps.length,
      ...steps.flatMap((step) => [
        Number.isFinite(step.farthest) ? step.farthest : -1,
        step.crosses ? 1 : 0,
        groupOf(step),
      ]),
    ]),
  );
  const lists = [...groups.keys()].map((key): readonly number[] => JSON.parse(key) as number[]);
  return { words: [...ids.keys()], groups: lists, patterns: known };
}
