import {
  ANY_DISTANCE,
  type ChainTable,
  CROSSES,
  chainTable,
  ENDS_WORD,
  FIRST,
  LAST,
  STARTS_WORD,
  type WordsOf,
} from './chain-table.js';
import { Places } from './places.js';
import { WordIndex } from './word-index.js';
import { isWordUnit } from './word-units.js';

export type { WordsOf } from './chain-table.js';

/** No match of a rule is looked for that is longer than this, in UTF-16 code units. */
export const LONGEST_MATCH = 512;

/** How far before an occurrence of a first word a match is looked for when another occurrence came before. */
const KEEP_START = 128;

/** Steps to follow that are kept between searches. */
const KEPT = 4_096;

/** Numbers kept for a step of state. */
const STATE = 4;
const WRITTEN = 0;
const BEGAN = 1;
const ENDED = 2;
const FIRSTS = 3;

/** Numbers kept for a word of a group: the word, what the group asks of it, and the place of the next or -1. */
const MEMBER = 3;
const WORD = 0;
const ASKS = 1;
const OTHER = 2;

/** Numbers kept for a step to follow: the step, what it is and asks, its reach, and the place of the next or -1. */
const LINK = 4;
const STEP = 0;
const FLAGS = 1;
const FARTHEST = 2;
const NEXT = 3;

/** A part of a text, and what is not looked for in it. */
export interface Part {
  /** Words that end in `(from, to]` count. */
  readonly from?: number;
  readonly to?: number;
  /** 1 for each pattern that nothing depends on any more. */
  readonly without?: Uint8Array;
}

/**
 * Tells where patterns can match, from the words that each of them requires, in one pass over the
 * text. It may name a place where nothing matches after all, but misses none, except of matches that begin more than
 * 96 units before their first required word, or are longer than 512.
 *
 * Deterministic automata over many patterns with gaps multiply their states on hostile text; the
 * words alone do not, whatever the text. A chain of steps is followed only when the text holds a word for each of
 * them, which the step with the rarest words tells first.
 */
export class CandidateFinder {
  readonly #index: WordIndex;
  readonly #table: ChainTable;
  readonly #places: Places;
  /** A bit for each word that the text holds, few enough to stay at hand; and these words. */
  readonly #present: Uint32Array;
  readonly #held: Int32Array;
  #holds = 0;
  /** Per group: the search that saw a word of it. */
  readonly #seen: Int32Array;
  /** Groups of which words were seen that are the rarest of a chain, and one place more. */
  readonly #rares: Int32Array;
  /** Chains of which all words were seen. */
  #possible = new Int32Array(256);
  #complete = 0;
  /** Per group side by side: the search that asks for the words of it that the text holds, and the first of them. */
  readonly #asked: Int32Array;
  /** Words by group, side by side: see the names of the places above. */
  #members = new Int32Array(MEMBER * 64);
  /**
   * Per step side by side: the search that wrote it, where the chain that reached it began, where its last word ended,
   * and for a first step the list of where its words were found.
   */
  readonly #state: Int32Array;
  /** Per word side by side: the search that wrote what follows, and its first place in the list below. */
  readonly #followed: Int32Array;
  /** Steps to follow for a word, side by side: see the names of the places above. */
  #links = new Int32Array(LINK * 256);
  #search = 0;

  constructor(patterns: readonly string[], wordsOf?: WordsOf) {
    const table = chainTable(patterns, wordsOf);
    const [words, steps] = [table.words.length, table.flags.length];
    this.#table = table;
    this.#index = new WordIndex(table.words);
    this.#places = new Places(patterns.length);
    this.#present = new Uint32Array((words >> 5) + 1);
    this.#held = new Int32Array(words);
    this.#seen = new Int32Array(table.groups);
    this.#rares = new Int32Array(table.groups + 1);
    this.#asked = new Int32Array(table.groups * 2);
    this.#state = new Int32Array(steps * STATE);
    this.#followed = new Int32Array(words * 2);
  }

  /** Patterns of which no word is known; they have to be tried on the whole text. */
  get unknown(): readonly number[] {
    return this.#table.unknown;
  }

  /**
   * For each pattern, where its matches can begin, up to their last required word; in ascending order and joined. What
   * is given is written anew by the next search.
   */
  find(text: string, { from = 0, to = text.length, without }: Part = WHOLE): Places {
    const found = this.#places;
    found.clear();
    const count = this.#index.find(text, from, to);
    if (count === 0) return found;
    if (this.#search === ANY_DISTANCE) {
      this.#search = 0;
      for (const list of [this.#state, this.#followed, this.#seen, this.#asked]) list.fill(0);
    }
    this.#search += 1;
    const kept = this.#look(text, count, without);
    if (this.#complete > 0) {
      this.#ask();
      this.#putUp();
      this.#follow(text, from, kept, found);
    }
    for (let i = 0; i < this.#holds; i++) this.#present[(this.#held[i] ?? 0) >> 5] = 0;
    return found;
  }

  /**
   * Leaves the hits that stand where a word may stand, and gives the length of their list. Notes the chains of which all
   * steps have a word among them.
   */
  #look(text: string, count: number, without: Uint8Array | undefined): number {
    const { asks, lengths, groupsOf, raresUntil, inGroup } = this.#table;
    const [present, held, seen, search] = [this.#present, this.#held, this.#seen, this.#search];
    const [hits, rares] = [this.#index.hits, this.#rares];
    let rare = 0;
    let kept = 0;
    let holds = 0;
    for (let h = 0; h < count; h += 2) {
      const word = hits[h] ?? 0;
      const end = hits[h + 1] ?? 0;
      const ask = asks[word] ?? 0;
      if (ask !== 0) {
        if ((ask & ENDS_WORD) !== 0 && isWordAt(text, end)) continue;
        if ((ask & STARTS_WORD) !== 0 && isWordAt(text, end - 1 - (lengths[word] ?? 0))) continue;
      }
      hits[kept] = word;
      hits[kept + 1] = end;
      kept += 2;
      const bits = present[word >> 5] ?? 0;
      if (((bits >>> (word & 31)) & 1) === 1) continue;
      present[word >> 5] = bits | (1 << (word & 31));
      held[holds] = word;
      holds += 1;
      let i = groupsOf[word] ?? 0;
      for (const until = raresUntil[word] ?? 0; i < until; i++) {
        const g = inGroup[i] ?? 0;
        // Written over by the next when it was seen before, as most groups are not.
        rares[rare] = g;
        rare += seen[g] === search ? 0 : 1;
        seen[g] = search;
      }
      for (const until = groupsOf[word + 1] ?? 0; i < until; i++) seen[inGroup[i] ?? 0] = search;
    }
    this.#holds = holds;
    this.#complete = this.#completeOf(rare, without);
    return kept;
  }

  /** Lists the chains of which all steps have a word, among those of the rarest groups that have one. */
  #completeOf(rare: number, without: Uint8Array | undefined): number {
    const { rareOf, rareChain, rareBeside, chain, patternOf } = this.#table;
    const [seen, search, rares] = [this.#seen, this.#search, this.#rares];
    let possible = this.#possible;
    let complete = 0;
    for (let r = 0; r < rare; r++) {
      const g = rares[r] ?? 0;
      const until = rareOf[g + 1] ?? 0;
      for (let k = rareOf[g] ?? 0; k < until; k++) {
        if (seen[rareBeside[k] ?? 0] !== search) continue;
        const c = rareChain[k] ?? 0;
        if ((chain[c + 1] ?? 0) - (chain[c] ?? 0) > 2 && !this.#isComplete(c)) continue;
        if (without !== undefined && without[patternOf[c] ?? 0] === 1) continue;
        if (complete === possible.length) possible = this.#possible = widened(possible);
        possible[complete] = c;
        complete += 1;
      }
    }
    return complete;
  }

  /** Whether the text holds a word for each step of a chain. */
  #isComplete(c: number): boolean {
    const { chain, groupOf } = this.#table;
    const [seen, search] = [this.#seen, this.#search];
    const last = chain[c + 1] ?? 0;
    for (let s = chain[c] ?? 0; s < last; s++) if (seen[groupOf[s] ?? 0] !== search) return false;
    return true;
  }

  /** Lists the words that the text holds for each group that a chain asks for. */
  #ask(): void {
    const { chain, groupOf, groupsOf, inGroup, asksIn } = this.#table;
    const [asked, possible, search] = [this.#asked, this.#possible, this.#search];
    for (let i = 0; i < this.#complete; i++) {
      const c = possible[i] ?? 0;
      const last = chain[c + 1] ?? 0;
      for (let s = chain[c] ?? 0; s < last; s++) {
        const g = (groupOf[s] ?? 0) * 2;
        asked[g] = search;
        asked[g + 1] = -1;
      }
    }
    let members = this.#members;
    let at = 0;
    for (let h = 0; h < this.#holds; h++) {
      const word = this.#held[h] ?? 0;
      const last = groupsOf[word + 1] ?? 0;
      for (let i = groupsOf[word] ?? 0; i < last; i++) {
        const g = (inGroup[i] ?? 0) * 2;
        if (asked[g] !== search) continue;
        if (at === members.length) members = this.#members = widened(members);
        members[at + WORD] = word;
        members[at + ASKS] = asksIn[i] ?? 0;
        members[at + OTHER] = asked[g + 1] ?? -1;
        asked[g + 1] = at;
        at += MEMBER;
      }
    }
  }

  /** Later steps come first in the list of a word, so that one occurrence is not taken for two steps of a pattern. */
  #putUp(): void {
    const { chain, groupOf, flags, farthest } = this.#table;
    const [asked, members, followed, search] = [
      this.#asked,
      this.#members,
      this.#followed,
      this.#search,
    ];
    if (this.#links.length > LINK * KEPT) this.#links = new Int32Array(LINK * 256);
    let links = this.#links;
    let at = 0;
    for (let i = 0; i < this.#complete; i++) {
      const c = this.#possible[i] ?? 0;
      const last = chain[c + 1] ?? 0;
      for (let s = chain[c] ?? 0; s < last; s++) {
        let member = asked[(groupOf[s] ?? 0) * 2 + 1] ?? -1;
        while (member >= 0) {
          const word = members[member + WORD] ?? 0;
          if (at === links.length) links = this.#links = widened(links);
          links[at + STEP] = s;
          links[at + FLAGS] = (flags[s] ?? 0) | (members[member + ASKS] ?? 0);
          links[at + FARTHEST] = farthest[s] ?? 0;
          links[at + NEXT] = followed[word * 2] === search ? (followed[word * 2 + 1] ?? 0) : -1;
          followed[word * 2] = search;
          followed[word * 2 + 1] = at;
          at += LINK;
          member = members[member + OTHER] ?? -1;
        }
      }
    }
  }

  #follow(text: string, begin: number, count: number, found: Places): void {
    const { lengths, patternOf, ahead, chainOf, chain } = this.#table;
    const [followed, links] = [this.#followed, this.#links];
    const [state, firsts] = [this.#state, found.firsts];
    const [search, hits] = [this.#search, this.#index.hits];
    let read = begin;
    let stop = -1;
    for (let h = 0; h < count; h += 2) {
      const word = hits[h] ?? 0;
      if (followed[word * 2] !== search) continue;
      const end = hits[h + 1] ?? 0;
      const start = end - (lengths[word] ?? 0);
      const missing =
        (isWordAt(text, start - 1) ? STARTS_WORD : 0) | (isWordAt(text, end) ? ENDS_WORD : 0);
      for (let i = followed[word * 2 + 1] ?? 0; i >= 0; i = links[i + NEXT] ?? -1) {
        const flags = links[i + FLAGS] ?? 0;
        if ((flags & missing) !== 0) continue;
        const s = links[i + STEP] ?? 0;
        let from = start;
        if ((flags & FIRST) === 0) {
          const before = (s - 1) * STATE;
          if (state[before + WRITTEN] !== search) continue;
          from = state[before + BEGAN] ?? 0;
          const over = state[before + ENDED] ?? 0;
          if (end - from > LONGEST_MATCH + KEEP_START) continue;
          if (start - over > (links[i + FARTHEST] ?? 0)) continue;
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
          const c = chainOf[s] ?? 0;
          const begins =
            (flags & FIRST) === 0 ? (state[(chain[c] ?? 0) * STATE + FIRSTS] ?? -1) : -1;
          found.add(patternOf[c] ?? 0, c, from, end, ahead[c] ?? 0, begins);
          continue;
        }
        const own = s * STATE;
        if ((flags & FIRST) !== 0) {
          // A match may begin at a first word before this one.
          if (state[own + WRITTEN] === search) {
            firsts.push(state[own + FIRSTS] ?? 0, start);
            from = Math.max(Math.min(state[own + BEGAN] ?? 0, from), from - KEEP_START);
          } else state[own + FIRSTS] = firsts.open(start);
        }
        state[own + BEGAN] = from;
        state[own + WRITTEN] = search;
        state[own + ENDED] = end;
      }
    }
  }
}

const WHOLE: Part = {};

function widened(list: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(list.length * 4);
  wider.set(list);
  return wider;
}

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && isWordUnit(text.charCodeAt(at));
}
