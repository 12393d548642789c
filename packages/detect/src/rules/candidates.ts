import {
  ANY_DISTANCE,
  type ChainTable,
  CROSSES,
  chainTable,
  ENDS,
  ENDS_WORD,
  FACTS,
  FIRST,
  LAST,
  RARE,
  RARE_END,
  STARTS_AFTER,
  STARTS_WORD,
  type WordsOf,
} from './chain-table.js';
import { addPlace, type OpenPlace, type Place } from './places.js';
import { WordIndex } from './word-index.js';

export type { WordsOf } from './chain-table.js';

/** No match of a rule is looked for that is longer than this, in UTF-16 code units. */
export const LONGEST_MATCH = 512;

/** How far before an occurrence of a first word a match is looked for when another occurrence came before. */
const KEEP_START = 128;

/** Followed places in lists of words that are kept between searches. */
const KEPT = 4_096;

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
  /** Per first step the places where its words were found in this search. */
  readonly #firsts: (number[] | undefined)[];
  /** A bit for each word that the text holds, few enough to stay at hand; and these words. */
  readonly #present: Uint32Array;
  readonly #held: Int32Array;
  #holds = 0;
  /** Per group: the search that asked whether a word of it is there, negative when none is. */
  readonly #asked: Int32Array;
  /** Per step: the search that wrote it, where the chain that reached it began, and where its last word ended. */
  readonly #written: Int32Array;
  readonly #began: Int32Array;
  readonly #ended: Int32Array;
  /** Per word: the first place in the lists below, and the search that wrote that. */
  readonly #followed: Int32Array;
  readonly #head: Int32Array;
  /** Steps to follow for a word: the step, what it asks of the word, and the place of the next one or -1. */
  #links = new Int32Array(3 * 256);
  /** Per chain: the search that reached its rarest step. */
  readonly #reached: Int32Array;
  #search = 0;

  constructor(patterns: readonly string[], wordsOf?: WordsOf) {
    const table = chainTable(patterns, wordsOf);
    const [words, steps] = [table.words.length, table.flags.length];
    this.#table = table;
    this.#index = new WordIndex(table.words);
    this.#firsts = Array.from({ length: steps }, () => undefined);
    this.#present = new Uint32Array((words >> 5) + 1);
    this.#held = new Int32Array(words);
    this.#asked = new Int32Array(table.group.length);
    this.#written = new Int32Array(steps);
    this.#began = new Int32Array(steps);
    this.#ended = new Int32Array(steps);
    this.#followed = new Int32Array(words);
    this.#head = new Int32Array(words);
    this.#reached = new Int32Array(table.patternOf.length);
  }

  /** Patterns of which no word is known; they have to be tried on the whole text. */
  get unknown(): readonly number[] {
    return this.#table.unknown;
  }

  /**
   * For each pattern, where its matches can begin, up to their last required word; in ascending order and joined.
   */
  find(text: string, { from = 0, to = text.length, without }: Part = {}): Map<number, Place[]> {
    const found = new Map<number, OpenPlace[]>();
    const count = this.#index.find(text, from, to);
    if (count === 0) return found;
    if (this.#search === ANY_DISTANCE) {
      this.#search = 0;
      for (const list of [this.#written, this.#followed, this.#reached, this.#asked]) list.fill(0);
    }
    this.#search += 1;
    const kept = this.#look(text, count, without);
    if (kept > 0) this.#follow(text, from, kept, found);
    for (let i = 0; i < this.#holds; i++) this.#present[(this.#held[i] ?? 0) >> 5] = 0;
    this.#holds = 0;
    return found;
  }

  /**
   * Leaves the hits that stand where a word may stand, and puts the chains of which all steps have a word among them
   * up to be followed. Gives the length of the list of hits when there are any such chains, else 0.
   */
  #look(text: string, count: number, without: Uint8Array | undefined): number {
    const { facts, rareChain, patternOf } = this.#table;
    const [present, held, reached, search] = [
      this.#present,
      this.#held,
      this.#reached,
      this.#search,
    ];
    const hits = this.#index.hits;
    const possible: number[] = [];
    let kept = 0;
    let holds = 0;
    for (let h = 0; h < count; h += 2) {
      const word = hits[h] ?? 0;
      const end = hits[h + 1] ?? 0;
      const fact = word * FACTS;
      const before = facts[fact + STARTS_AFTER] ?? 0;
      if (before !== 0 && isWordAt(text, end - before)) continue;
      if (facts[fact + ENDS] === 1 && isWordAt(text, end)) continue;
      hits[kept] = word;
      hits[kept + 1] = end;
      kept += 2;
      const bits = present[word >> 5] ?? 0;
      if (((bits >>> (word & 31)) & 1) === 1) continue;
      present[word >> 5] = bits | (1 << (word & 31));
      held[holds] = word;
      holds += 1;
      const last = facts[fact + RARE_END] ?? 0;
      for (let i = facts[fact + RARE] ?? 0; i < last; i++) {
        const c = rareChain[i] ?? 0;
        if (reached[c] === search) continue;
        reached[c] = search;
        if (without !== undefined && without[patternOf[c] ?? 0] === 1) continue;
        possible.push(c);
      }
    }
    this.#holds = holds;
    let links = 0;
    for (const c of possible) if (this.#isComplete(c)) links = this.#putUp(c, links);
    return links > 0 ? kept : 0;
  }

  /** Whether the text holds a word for each step of a chain. */
  #isComplete(c: number): boolean {
    const { chain, groupOf, group, groupWords } = this.#table;
    const [present, asked, search] = [this.#present, this.#asked, this.#search];
    const last = chain[c + 1] ?? 0;
    for (let s = chain[c] ?? 0; s < last; s++) {
      const g = groupOf[s] ?? 0;
      const known = asked[g] ?? 0;
      if (known === search) continue;
      if (known === -search) return false;
      const stop = group[g + 1] ?? 0;
      let i = group[g] ?? 0;
      while (i < stop) {
        const word = groupWords[i] ?? 0;
        if ((((present[word >> 5] ?? 0) >>> (word & 31)) & 1) === 1) break;
        i += 1;
      }
      asked[g] = i < stop ? search : -search;
      if (i === stop) return false;
    }
    return true;
  }

  /** Later steps come first in the list of a word, so that one occurrence is not taken for two steps of a pattern. */
  #putUp(c: number, from: number): number {
    const { chain, groupOf, group, groupWords, groupAsks } = this.#table;
    const [present, followed, head] = [this.#present, this.#followed, this.#head];
    const search = this.#search;
    let links = this.#links;
    if (from === 0 && links.length > 3 * KEPT) links = this.#links = new Int32Array(3 * 256);
    let at = from;
    const last = chain[c + 1] ?? 0;
    for (let s = chain[c] ?? 0; s < last; s++) {
      const g = groupOf[s] ?? 0;
      const stop = group[g + 1] ?? 0;
      for (let i = group[g] ?? 0; i < stop; i++) {
        const word = groupWords[i] ?? 0;
        if ((((present[word >> 5] ?? 0) >>> (word & 31)) & 1) === 0) continue;
        if (at === links.length) links = this.#grow();
        links[at] = s;
        links[at + 1] = groupAsks[i] ?? 0;
        links[at + 2] = followed[word] === search ? (head[word] ?? 0) : -1;
        followed[word] = search;
        head[word] = at;
        at += 3;
      }
    }
    return at;
  }

  #grow(): Int32Array<ArrayBuffer> {
    const wider = new Int32Array(this.#links.length * 4);
    wider.set(this.#links);
    this.#links = wider;
    return wider;
  }

  #follow(text: string, begin: number, count: number, found: Map<number, OpenPlace[]>): void {
    const { lengths, farthest, flags: flagsOf, patternOf, ahead, chainOf, chain } = this.#table;
    const [followed, head, links] = [this.#followed, this.#head, this.#links];
    const [written, began, ended, firsts] = [this.#written, this.#began, this.#ended, this.#firsts];
    const [search, hits] = [this.#search, this.#index.hits];
    let read = begin;
    let stop = -1;
    for (let h = 0; h < count; h += 2) {
      const word = hits[h] ?? 0;
      if (followed[word] !== search) continue;
      const end = hits[h + 1] ?? 0;
      const start = end - (lengths[word] ?? 0);
      const missing =
        (isWordAt(text, start - 1) ? STARTS_WORD : 0) | (isWordAt(text, end) ? ENDS_WORD : 0);
      for (let i = head[word] ?? 0; i >= 0; i = links[i + 2] ?? -1) {
        if (((links[i + 1] ?? 0) & missing) !== 0) continue;
        const s = links[i] ?? 0;
        const flags = flagsOf[s] ?? 0;
        let from = start;
        if ((flags & FIRST) === 0) {
          if (written[s - 1] !== search) continue;
          from = began[s - 1] ?? 0;
          const over = ended[s - 1] ?? 0;
          if (end - from > LONGEST_MATCH + KEEP_START || start - over > (farthest[s] ?? 0))
            continue;
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
          const begins = (flags & FIRST) === 0 ? firsts[chain[c] ?? 0] : undefined;
          const room = ahead[c] ?? 0;
          addPlace(found, patternOf[c] ?? 0, { start: from, end, chain: c, ahead: room, begins });
          continue;
        }
        // A match may begin at a first word before this one.
        const again = (flags & FIRST) !== 0 && written[s] === search;
        if ((flags & FIRST) !== 0) {
          const list = again ? firsts[s] : undefined;
          if (list) list.push(start);
          else firsts[s] = [start];
        }
        began[s] = again ? Math.max(began[s] ?? 0, from - KEEP_START) : from;
        written[s] = search;
        ended[s] = end;
      }
    }
  }
}

/** Part of a word as RE2's `\b` sees it. */
function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const small = code | 0x20;
  return (small >= 97 && small <= 122) || (code >= 48 && code <= 57) || code === 95;
}
