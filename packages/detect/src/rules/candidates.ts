import { addPlace, type OpenPlace, type Place } from './places.js';
import { type RequiredStep, requiredWords } from './required-words.js';
import { tellingSteps, weigher } from './telling-steps.js';
import { WordIndex } from './word-index.js';

/** No match of a rule is looked for that is longer than this, in UTF-16 code units. */
export const LONGEST_MATCH = 512;

/** How far before an occurrence of a first word a match is looked for when another occurrence came before. */
const KEEP_START = 128;

/** What a step is to its pattern, and what it asks of the word, in one number. */
const FIRST = 1;
const LAST = 2;
const STARTS_WORD = 4;
const ENDS_WORD = 8;
const CROSSES = 16;

/** Numbers kept for a word. */
const FACTS = 5;
/** Its length and one when all its steps ask it to start a word, else 0. */
const STARTS_AFTER = 0;
/** 1 when all its steps ask it to end a word. */
const ENDS = 1;
/** The search that saw it. */
const SEEN = 2;
/** Where the list of chains begins of which it is in the rarest step, and where that ends. */
const RARE = 3;
const RARE_END = 4;

/** Most that a match is looked for before its first required word. */
const MOST_AHEAD = 96;

/** Stands for no bound. */
const ANY_DISTANCE = 0x7fffffff;

/** A part of a text, and what is not looked for in it. */
export interface Part {
  /** Words that end in `(from, to]` count. */
  readonly from?: number;
  readonly to?: number;
  /** 1 for each pattern that nothing depends on any more. */
  readonly without?: Uint8Array;
}

/** Gives the required words of a pattern, one list of steps for each alternative. */
export type WordsOf = (pattern: string) => readonly (readonly RequiredStep[])[];

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
  /** Patterns of which no word is known; they have to be tried on the whole text. */
  readonly unknown: readonly number[];
  readonly #index: WordIndex;
  readonly #lengths: Int32Array;
  /** What is looked up for each word that a text holds, side by side: see the names of the places below. */
  readonly #facts: Int32Array;
  readonly #rareChain: Int32Array;
  /** Steps of chain `c` stand from `chain[c]` to `chain[c + 1]`; a step is its own slot of state. */
  readonly #chain: Int32Array;
  /** Per step. */
  readonly #pattern: Int32Array;
  /** What a match may have before the first word of its chain. */
  readonly #ahead: Int32Array;
  /** Per step its chain. */
  readonly #chainOf: Int32Array;
  /** Per first step the places where its words were found in this search. */
  readonly #firsts: (number[] | undefined)[];
  /** Words of step `s` stand from `step[s]` to `step[s + 1]`, each with what it asks. */
  readonly #step: Int32Array;
  readonly #words: Int32Array;
  readonly #wordAsks: Uint8Array;
  readonly #farthest: Int32Array;
  readonly #flags: Uint8Array;
  readonly #ofStep: Int32Array;
  /** Per step: the search that wrote it, where the chain that reached it began, and where its last word ended. */
  readonly #written: Int32Array;
  readonly #began: Int32Array;
  readonly #ended: Int32Array;
  /** Per word: its first member that is followed, and the search that wrote that. */
  readonly #followed: Int32Array;
  readonly #head: Int32Array;
  /** Per place in the lists of words: the next one of the same word that is followed. */
  readonly #next: Int32Array;
  /** Per chain: the search that reached its rarest step. */
  readonly #reached: Int32Array;
  #search = 0;

  constructor(patterns: readonly string[], wordsOf: WordsOf = requiredWords) {
    const ids = new Map<string, number>();
    const weigh = weigher();
    const unknown: number[] = [];
    const chain: number[] = [0];
    const patternOf: number[] = [];
    const ahead: number[] = [];
    const chainOf: number[] = [];
    const step: number[] = [0];
    const farthest: number[] = [];
    const flags: number[] = [];
    const words: number[] = [];
    const asks: number[] = [];
    const ofStep: number[] = [];
    const rarest: number[] = [];
    patterns.forEach((source, pattern) => {
      const branches = wordsOf(source);
      if (branches.length === 0) unknown.push(pattern);
      for (const whole of branches) {
        const branch = tellingSteps(whole, weigh);
        let rare = step.length - 1;
        let least = Number.POSITIVE_INFINITY;
        branch.forEach((required, k) => {
          const place = (k === 0 ? FIRST : 0) | (k === branch.length - 1 ? LAST : 0);
          let weight = 0;
          for (const word of required.words) {
            const { text, startsWord, endsWord } = word;
            const id = ids.get(text) ?? ids.size;
            if (id === ids.size) ids.set(text, id);
            words.push(id);
            ofStep.push(step.length - 1);
            asks.push((startsWord ? STARTS_WORD : 0) | (endsWord ? ENDS_WORD : 0));
            weight += weigh(word);
          }
          if (weight < least) {
            least = weight;
            rare = step.length - 1;
          }
          farthest.push(Math.min(required.farthest, ANY_DISTANCE));
          patternOf.push(pattern);
          chainOf.push(rarest.length);
          ahead.push(Math.min(branch[0]?.farthest ?? 0, MOST_AHEAD));
          flags.push(place | (required.crosses ? CROSSES : 0));
          step.push(words.length);
        });
        rarest.push(rare);
        chain.push(step.length - 1);
      }
    });
    this.unknown = unknown;
    const texts = [...ids.keys()];
    this.#lengths = Int32Array.from(texts, (word) => word.length);
    this.#index = new WordIndex(texts);
    this.#chain = Int32Array.from(chain);
    this.#pattern = Int32Array.from(patternOf);
    this.#ahead = Int32Array.from(ahead);
    this.#chainOf = Int32Array.from(chainOf);
    this.#firsts = ahead.map(() => undefined);
    this.#step = Int32Array.from(step);
    this.#farthest = Int32Array.from(farthest);
    this.#flags = Uint8Array.from(flags);
    this.#words = Int32Array.from(words);
    this.#wordAsks = Uint8Array.from(asks);
    this.#ofStep = Int32Array.from(ofStep);
    const all = new Uint8Array(texts.length).fill(STARTS_WORD | ENDS_WORD);
    words.forEach((word, i) => {
      all[word] = (all[word] ?? 0) & (asks[i] ?? 0);
    });
    const eachRare = (visit: (word: number, c: number) => void): void => {
      rarest.forEach((s, c) => {
        for (let i = step[s] ?? 0; i < (step[s + 1] ?? 0); i++) visit(words[i] ?? 0, c);
      });
    };
    const counts = new Int32Array(texts.length);
    let total = 0;
    eachRare((word) => {
      counts[word] = (counts[word] ?? 0) + 1;
      total += 1;
    });
    this.#facts = new Int32Array(texts.length * FACTS);
    let first = 0;
    texts.forEach((word, w) => {
      const at = w * FACTS;
      this.#facts[at + STARTS_AFTER] = ((all[w] ?? 0) & STARTS_WORD) === 0 ? 0 : word.length + 1;
      this.#facts[at + ENDS] = ((all[w] ?? 0) & ENDS_WORD) === 0 ? 0 : 1;
      this.#facts[at + RARE] = first;
      this.#facts[at + RARE_END] = first;
      first += counts[w] ?? 0;
    });
    this.#rareChain = new Int32Array(total);
    eachRare((word, c) => {
      const at = word * FACTS + RARE_END;
      this.#rareChain[this.#facts[at] ?? 0] = c;
      this.#facts[at] = (this.#facts[at] ?? 0) + 1;
    });
    this.#written = new Int32Array(flags.length);
    this.#began = new Int32Array(flags.length);
    this.#ended = new Int32Array(flags.length);
    this.#followed = new Int32Array(texts.length);
    this.#head = new Int32Array(texts.length);
    this.#next = new Int32Array(words.length);
    this.#reached = new Int32Array(rarest.length);
  }

  /**
   * For each pattern, where its matches can begin, up to their last required word; in ascending order and joined.
   */
  find(text: string, { from = 0, to = text.length, without }: Part = {}): Map<number, Place[]> {
    const found = new Map<number, OpenPlace[]>();
    const count = this.#index.find(text, from, to);
    if (this.#search === ANY_DISTANCE) {
      this.#search = 0;
      for (const list of [this.#written, this.#followed, this.#reached]) list.fill(0);
      for (let at = SEEN; at < this.#facts.length; at += FACTS) this.#facts[at] = 0;
    }
    this.#search += 1;
    const kept = this.#look(text, count, without);
    if (kept > 0) this.#follow(text, from, kept, found);
    return found;
  }

  /**
   * Leaves the hits that stand where a word may stand, and puts the chains of which all steps have a word among them
   * up to be followed. Gives the length of the list of hits when there are any such chains, else 0.
   */
  #look(text: string, count: number, without: Uint8Array | undefined): number {
    const [facts, chains, reached] = [this.#facts, this.#rareChain, this.#reached];
    const [search, hits] = [this.#search, this.#index.hits];
    const possible: number[] = [];
    let kept = 0;
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
      if (facts[fact + SEEN] === search) continue;
      facts[fact + SEEN] = search;
      const last = facts[fact + RARE_END] ?? 0;
      for (let i = facts[fact + RARE] ?? 0; i < last; i++) {
        const c = chains[i] ?? 0;
        if (reached[c] === search) continue;
        reached[c] = search;
        if (without !== undefined && without[this.#pattern[this.#chain[c] ?? 0] ?? 0] === 1)
          continue;
        possible.push(c);
      }
    }
    let any = false;
    for (const c of possible) if (this.#isComplete(c)) any = this.#putUp(c);
    return any ? kept : 0;
  }

  /** Whether the text holds a word for each step of a chain. */
  #isComplete(c: number): boolean {
    const [step, words, facts, search] = [this.#step, this.#words, this.#facts, this.#search];
    const last = this.#chain[c + 1] ?? 0;
    for (let s = this.#chain[c] ?? 0; s < last; s++) {
      const stop = step[s + 1] ?? 0;
      let i = step[s] ?? 0;
      while (i < stop && facts[(words[i] ?? 0) * FACTS + SEEN] !== search) i++;
      if (i === stop) return false;
    }
    return true;
  }

  /** Later steps come first in the list of a word, so that one occurrence is not taken for two steps of a pattern. */
  #putUp(c: number): true {
    const [step, words, facts, search] = [this.#step, this.#words, this.#facts, this.#search];
    const stop = step[this.#chain[c + 1] ?? 0] ?? 0;
    for (let i = step[this.#chain[c] ?? 0] ?? 0; i < stop; i++) {
      const word = words[i] ?? 0;
      if (facts[word * FACTS + SEEN] !== search) continue;
      this.#next[i] = this.#followed[word] === search ? (this.#head[word] ?? 0) : -1;
      this.#followed[word] = search;
      this.#head[word] = i;
    }
    return true;
  }

  #follow(text: string, begin: number, count: number, found: Map<number, OpenPlace[]>): void {
    const [lengths, followed, head, next] = [this.#lengths, this.#followed, this.#head, this.#next];
    const [ofStep, wordAsks, farthest] = [this.#ofStep, this.#wordAsks, this.#farthest];
    const [flagsOf, written, began, ended] = [this.#flags, this.#written, this.#began, this.#ended];
    const [pattern, ahead, firsts] = [this.#pattern, this.#ahead, this.#firsts];
    const [chainOf, chains] = [this.#chainOf, this.#chain];
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
      for (let i = head[word] ?? 0; i >= 0; i = next[i] ?? -1) {
        if (((wordAsks[i] ?? 0) & missing) !== 0) continue;
        const s = ofStep[i] ?? 0;
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
          const begins = (flags & FIRST) === 0 ? firsts[chains[c] ?? 0] : undefined;
          const room = ahead[s] ?? 0;
          addPlace(found, pattern[s] ?? 0, { start: from, end, chain: c, ahead: room, begins });
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
