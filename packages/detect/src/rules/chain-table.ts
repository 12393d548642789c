import type { RequiredWord } from './required-words.js';
import { type TellingStep, tellingWords } from './telling-steps.js';

/** Gives the words of a pattern that are worth looking for, one list of steps for each alternative. */
export type WordsOf = (pattern: string) => readonly (readonly TellingStep[])[];

/** What a step is to its chain, and what it asks of the word, in one number. */
export const FIRST = 1;
export const LAST = 2;
export const STARTS_WORD = 4;
export const ENDS_WORD = 8;
export const CROSSES = 16;

/** Most that a match is looked for before its first required word. */
const MOST_AHEAD = 96;

/** Stands for no bound. */
export const ANY_DISTANCE = 0x7fffffff;

/**
 * The words that patterns require, as flat lists. A chain is an alternative of a pattern: its steps, each with the
 * group of words of which one has to stand there.
 */
export interface ChainTable {
  /** Patterns of which no word is known; they have to be tried on the whole text. */
  readonly unknown: readonly number[];
  readonly words: readonly string[];
  readonly lengths: Int32Array;
  /** Per word what all its groups ask of it. */
  readonly asks: Uint8Array;
  /**
   * Groups of word `w` stand from `groupsOf[w]` to `groupsOf[w + 1]` in `inGroup`, each with what it asks of the word;
   * those before `raresUntil[w]` are the rarest of some chain.
   */
  readonly groupsOf: Int32Array;
  readonly raresUntil: Int32Array;
  readonly inGroup: Uint16Array | Int32Array;
  readonly asksIn: Uint8Array;
  /**
   * Chains of which group `g` is the rarest stand from `rareOf[g]` to `rareOf[g + 1]` in `rareChain`, each with another
   * group of it in `rareBeside`, or `g` where it has none.
   */
  readonly rareOf: Int32Array;
  readonly rareChain: Uint16Array | Int32Array;
  readonly rareBeside: Uint16Array | Int32Array;
  /** Steps of chain `c` stand from `chain[c]` to `chain[c + 1]`; a step is its own slot of state. */
  readonly chain: Int32Array;
  readonly patternOf: Int32Array;
  /** What a match may have before the first word of its chain. */
  readonly ahead: Uint8Array;
  /** Per step. */
  readonly chainOf: Int32Array;
  readonly groupOf: Int32Array;
  readonly farthest: Int32Array;
  readonly flags: Uint8Array;
  readonly groups: number;
}

/** Lists while they grow. */
class Groups {
  readonly ids = new Map<string, number>();
  readonly starts: number[] = [0];
  readonly words: number[] = [];
  readonly asks: number[] = [];
  readonly #known = new Map<readonly RequiredWord[], number>();

  of(words: readonly RequiredWord[]): number {
    const known = this.#known.get(words);
    if (known !== undefined) return known;
    const group = this.#known.size;
    this.#known.set(words, group);
    for (const { text, startsWord, endsWord } of words) {
      const id = this.ids.get(text) ?? this.ids.size;
      if (id === this.ids.size) this.ids.set(text, id);
      this.words.push(id);
      this.asks.push((startsWord ? STARTS_WORD : 0) | (endsWord ? ENDS_WORD : 0));
    }
    this.starts.push(this.words.length);
    return group;
  }
}

export function chainTable(
  patterns: readonly string[],
  wordsOf: WordsOf = tellingWords(),
): ChainTable {
  const groups = new Groups();
  const unknown: number[] = [];
  const chain: number[] = [0];
  const patternOf: number[] = [];
  const ahead: number[] = [];
  const chainOf: number[] = [];
  const groupOf: number[] = [];
  const farthest: number[] = [];
  const flags: number[] = [];
  const rarest: number[] = [];
  patterns.forEach((source, pattern) => {
    const branches = wordsOf(source);
    if (branches.length === 0) unknown.push(pattern);
    for (const branch of branches) {
      let rare = 0;
      let least = Number.POSITIVE_INFINITY;
      branch.forEach((required, k) => {
        const group = groups.of(required.words);
        if (required.weight < least) {
          least = required.weight;
          rare = group;
        }
        farthest.push(Math.min(required.farthest, ANY_DISTANCE));
        chainOf.push(patternOf.length);
        groupOf.push(group);
        const place = (k === 0 ? FIRST : 0) | (k === branch.length - 1 ? LAST : 0);
        flags.push(place | (required.crosses ? CROSSES : 0));
      });
      rarest.push(rare);
      patternOf.push(pattern);
      ahead.push(Math.min(branch[0]?.farthest ?? 0, MOST_AHEAD));
      chain.push(groupOf.length);
    }
  });
  const words = [...groups.ids.keys()];
  const count = groups.starts.length - 1;
  const beside = rarest.map((rare, c) => {
    for (let s = chain[c] ?? 0; s < (chain[c + 1] ?? 0); s++)
      if (groupOf[s] !== rare) return groupOf[s] ?? rare;
    return rare;
  });
  return {
    unknown,
    words,
    lengths: lengthsOf(words),
    asks: asksOf(words.length, groups),
    ...groupsOf(words.length, groups, marksOf(count, rarest)),
    ...raresOf(count, rarest, beside),
    chain: Int32Array.from(chain),
    patternOf: Int32Array.from(patternOf),
    ahead: Uint8Array.from(ahead),
    chainOf: Int32Array.from(chainOf),
    groupOf: Int32Array.from(groupOf),
    farthest: Int32Array.from(farthest),
    flags: Uint8Array.from(flags),
    groups: count,
  };
}

function lengthsOf(words: readonly string[]): Int32Array {
  const lengths = new Int32Array(words.length);
  for (let i = 0; i < words.length; i++) lengths[i] = words[i]?.length ?? 0;
  return lengths;
}

function asksOf(words: number, groups: Groups): Uint8Array {
  const asks = new Uint8Array(words).fill(STARTS_WORD | ENDS_WORD);
  for (let i = 0; i < groups.words.length; i++) {
    const word = groups.words[i] ?? 0;
    asks[word] = (asks[word] ?? 0) & (groups.asks[i] ?? 0);
  }
  return asks;
}

/** 1 for each of the numbers below `count` that stand in a list. */
function marksOf(count: number, list: readonly number[]): Uint8Array {
  const marks = new Uint8Array(count);
  for (const one of list) marks[one] = 1;
  return marks;
}

function groupsOf(
  words: number,
  groups: Groups,
  rare: Uint8Array,
): Pick<ChainTable, 'groupsOf' | 'raresUntil' | 'inGroup' | 'asksIn'> {
  const own = new Int32Array(groups.words.length);
  const group = new Int32Array(groups.words.length);
  const asks = new Uint8Array(groups.words.length);
  // A word may stand in a group twice, with other marks; then it need have those only that both ask for.
  const last = new Int32Array(words).fill(-1);
  const placed = new Int32Array(words);
  let count = 0;
  // The rarest groups first, so that they come first for each word.
  for (const rares of [1, 0]) {
    for (let g = 0; g + 1 < groups.starts.length; g++) {
      if (rare[g] !== rares) continue;
      const end = groups.starts[g + 1] ?? 0;
      for (let i = groups.starts[g] ?? 0; i < end; i++) {
        const word = groups.words[i] ?? 0;
        const ask = groups.asks[i] ?? 0;
        if (last[word] === g) {
          const before = placed[word] ?? 0;
          asks[before] = (asks[before] ?? 0) & ask;
          continue;
        }
        last[word] = g;
        placed[word] = count;
        own[count] = word;
        group[count] = g;
        asks[count] = ask;
        count += 1;
      }
    }
  }
  const starts = startsOf(words, own, count);
  const next = starts.slice();
  const raresUntil = starts.slice(0, words);
  const inGroup = groups.starts.length <= 65_536 ? new Uint16Array(count) : new Int32Array(count);
  const asksIn = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const word = own[i] ?? 0;
    const at = next[word] ?? 0;
    next[word] = at + 1;
    inGroup[at] = group[i] ?? 0;
    asksIn[at] = asks[i] ?? 0;
    if (rare[group[i] ?? 0] === 1) raresUntil[word] = at + 1;
  }
  return { groupsOf: starts, raresUntil, inGroup, asksIn };
}

function raresOf(
  groups: number,
  rarest: readonly number[],
  beside: readonly number[],
): Pick<ChainTable, 'rareOf' | 'rareChain' | 'rareBeside'> {
  const starts = startsOf(groups, rarest, rarest.length);
  const next = starts.slice();
  const narrow = Math.max(rarest.length, groups) <= 65_536;
  const chains = narrow ? new Uint16Array(rarest.length) : new Int32Array(rarest.length);
  const others = narrow ? new Uint16Array(rarest.length) : new Int32Array(rarest.length);
  for (let c = 0; c < rarest.length; c++) {
    const group = rarest[c] ?? 0;
    const at = next[group] ?? 0;
    next[group] = at + 1;
    chains[at] = c;
    others[at] = beside[c] ?? group;
  }
  return { rareOf: starts, rareChain: chains, rareBeside: others };
}

/** Where the values of each key stand in a list that is ordered by key: from `starts[k]` to `starts[k + 1]`. */
function startsOf(keys: number, keyOf: ArrayLike<number>, count: number): Int32Array {
  const starts = new Int32Array(keys + 1);
  for (let i = 0; i < count; i++) {
    const next = (keyOf[i] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let k = 0; k < keys; k++) starts[k + 1] = (starts[k + 1] ?? 0) + (starts[k] ?? 0);
  return starts;
}
