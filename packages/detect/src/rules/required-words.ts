import { type CharClass, readClass, readEscape } from './char-class.js';
import {
  apart,
  endsApart,
  isTelling,
  joinBranches,
  literal,
  type Part,
  type Step,
  span,
  type Word,
  widest,
} from './pattern-part.js';

/** A word that has to stand in the text; `\b` beside it in the pattern is kept as a flag. */
export interface RequiredWord {
  /** In lower case. */
  readonly text: string;
  /** Nothing of a word may stand directly before it, or after it. */
  readonly startsWord: boolean;
  readonly endsWord: boolean;
}

/** One of `words` has to stand here; the rest bounds how far after the step before it. */
export interface RequiredStep {
  readonly words: readonly RequiredWord[];
  /** Most UTF-16 code units between the step before and this one. */
  readonly farthest: number;
  /** Whether a `.`, `!` or `?` may stand between. */
  readonly crosses: boolean;
}

/**
 * What has to stand in a text for a pattern to match: words in order, each one of a group.
 * `\bignor(?:e|ing)\b.*\b(?:rules|orders)` needs ignor, and after it rules or orders.
 *
 * One list for each alternative at the top of the pattern; none when an alternative requires no
 * word that tells anything, so that the pattern has to be tried everywhere.
 */
export function requiredWords(
  pattern: string,
  cache: GroupCache = new Map(),
): readonly (readonly RequiredStep[])[] {
  const parts = alternativesOf(pattern);
  const branches = parts.flatMap((part) => new Parser(part, cache).alternatives(false));
  if (branches.some((branch) => branch.steps.length === 0)) return [];
  // Of alternatives of a group those with one step make one list together, as they do in any group.
  const single = branches.filter((branch) => branch.steps.length === 1);
  if (parts.length === 1 || single.length < 2) return branches.map((branch) => branch.steps);
  const joined = joinBranches(single);
  const rest = branches.filter((branch) => branch.steps.length > 1);
  const all = joined.steps.length === 0 ? branches : [withHead(joined), ...rest];
  return all.map((branch) => branch.steps);
}

/** Puts what may stand before the first step of a part into the step. */
function withHead(part: Part): Part {
  const [first, ...rest] = part.steps;
  if (!first) return part;
  const farthest = first.farthest + part.head.farthest;
  const crosses = first.crosses || part.head.crosses;
  return { ...part, steps: [{ ...first, farthest, crosses }, ...rest] };
}

/**
 * A pattern that is one group, with nothing but edges of words round it, as its alternatives with these edges; else the
 * pattern itself. What each alternative requires tells more than one step for all of them.
 */
function alternativesOf(pattern: string): readonly string[] {
  const [, before = '', after = ''] = /^((?:\\b)?)\(\?:[^]*\)((?:\\b)?)$/.exec(pattern) ?? [];
  const from = before.length;
  if (!pattern.startsWith('(?:', from)) return [pattern];
  const closers = closersOf(pattern);
  const close = pattern.length - after.length - 1;
  if (closers.get(from) !== close) return [pattern];
  const alternatives: string[] = [];
  let start = from + 3;
  for (let i = start; i <= close; i++) {
    const code = pattern.charCodeAt(i);
    if (code === 92) i++;
    else if (code === 91) i = readClass(pattern, i).end - 1;
    else if (code === 40) i = closers.get(i) ?? close;
    else if (code === 124 || i === close) {
      alternatives.push(`${before}${pattern.slice(start, i)}${after}`);
      start = i + 1;
    }
  }
  return alternatives;
}

const MOST_REPEATED = 16;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;
const RUN = /[A-Za-z0-9 _,:;'"-]+/y;
const ONCE = { least: 1, most: 1 };

/** Groups read before, by their source; one cache serves all patterns of a set. */
export type GroupCache = Map<string, Part>;

/** Shorter groups are read anew faster than they are looked up. */
const WORTH_KEEPING = 24;

function copyOf(part: Part): Part {
  return {
    ...part,
    steps: part.steps.map((step) => ({ ...step, words: step.words.map((word) => ({ ...word })) })),
    head: { ...part.head },
    tail: { ...part.tail },
  };
}

/** For each `(` that opens a group, where it is closed. */
function closersOf(source: string): ReadonlyMap<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (let i = 0; i < source.length; i++) {
    const code = source.charCodeAt(i);
    if (code === 92) i++;
    else if (code === 91) i = readClass(source, i).end - 1;
    else if (code === 40) open.push(i);
    else if (code === 41) {
      const from = open.pop();
      if (from !== undefined) closers.set(from, i);
    }
  }
  return closers;
}

/** RE2 takes both small forms of the Greek sigma for the capital one, and `WordIndex` reads them as one. */
function lowerOf(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** Letters that RE2 and `WordIndex` do not read as the same: `\u0130` has a small form of two, pairs have none there. */
const OTHER_CASE = /\u0130|(?=[\u{10000}-\u{10ffff}])[\p{Lu}\p{Ll}]/u;

/** Reads RE2 syntax as far as is needed; what it does not know requires nothing. */
class Parser {
  readonly #source: string;
  readonly #cache: GroupCache;
  readonly #closers: ReadonlyMap<number, number>;
  #at = 0;

  constructor(source: string, cache: GroupCache) {
    this.#source = source;
    this.#cache = cache;
    this.#closers = closersOf(source);
  }

  alternatives(boundary: boolean): Part[] {
    const branches = [this.#sequence(boundary)];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      branches.push(this.#sequence(boundary));
    }
    return branches;
  }

  #sequence(boundary: boolean): Part {
    const out = new Sequence(boundary);
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at];
      if (char === '|' || char === ')') break;
      const run = this.#run();
      if (run !== '') {
        out.literal(run);
        continue;
      }
      const part = this.#item(out.boundary);
      out.add(part, this.#repeat());
    }
    return out.finish();
  }

  /** Plain characters, but for one that is repeated. */
  #run(): string {
    RUN.lastIndex = this.#at;
    let run = RUN.exec(this.#source)?.[0] ?? '';
    const next = this.#source[this.#at + run.length] ?? '';
    if (next === '?' || next === '*' || next === '+' || next === '{') run = run.slice(0, -1);
    this.#at += run.length;
    return lowerOf(run);
  }

  #item(boundary: boolean): Part {
    const char = this.#source[this.#at] ?? '';
    if (char === '(') return this.#group(boundary);
    if (char === '[') return this.#take(readClass(this.#source, this.#at));
    if (char === '\\') return this.#take(readEscape(this.#source, this.#at));
    const point = this.#source.codePointAt(this.#at) ?? 0;
    this.#at += point > 0xffff ? 2 : 1;
    if (char === '.') return span(2, true);
    if (char === '^' || char === '$') return apart(0, false);
    const letter = String.fromCodePoint(point);
    return OTHER_CASE.test(letter) ? span(2, false) : literal(lowerOf(letter));
  }

  #take(read: CharClass): Part {
    this.#at = read.end;
    if (read.literal !== undefined && !OTHER_CASE.test(read.literal)) {
      return literal(lowerOf(read.literal));
    }
    return read.boundary ? apart(read.width, read.crosses) : span(read.width, read.crosses);
  }

  /** Words that many patterns share stand in groups, so a group that was read before is copied. */
  #group(boundary: boolean): Part {
    const from = this.#at;
    const close = this.#closers.get(from);
    const key =
      close === undefined ? '' : `${boundary ? 'b' : ''}${this.#source.slice(from, close + 1)}`;
    const known = this.#cache.get(key);
    if (known && close !== undefined) {
      this.#at = close + 1;
      return copyOf(known);
    }
    const part = this.#readGroup(boundary);
    if (key.length > WORTH_KEEPING) this.#cache.set(key, copyOf(part));
    return part;
  }

  #readGroup(boundary: boolean): Part {
    if (this.#source.startsWith('(?:', this.#at)) this.#at += 3;
    else {
      const rest = this.#source.slice(this.#at, this.#at + 80);
      const flags = /^\(\?[a-zA-Z-]+\)/.exec(rest)?.[0];
      if (flags) {
        this.#at += flags.length;
        return { ...span(0, false), boundary };
      }
      this.#at += /^\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:))?/.exec(rest)?.[0].length ?? 1;
    }
    const branches = this.alternatives(boundary);
    if (this.#source[this.#at] === ')') this.#at++;
    const [only] = branches;
    return branches.length === 1 && only ? only : joinBranches(branches);
  }

  #repeat(): { readonly least: number; readonly most: number } {
    QUANTIFIER.lastIndex = this.#at;
    const found = QUANTIFIER.exec(this.#source);
    if (!found) return ONCE;
    this.#at += found[0].length;
    if (found[1] !== undefined) {
      const least = Number(found[1]);
      return {
        least,
        most: found[3] ? Number(found[3]) : found[2] ? Number.POSITIVE_INFINITY : least,
      };
    }
    const [sign] = found[0];
    return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
  }
}

/** Puts parts one after another. */
class Sequence {
  readonly #steps: Step[] = [];
  readonly #head = { farthest: 0, crosses: false };
  #pending = { farthest: 0, crosses: false };
  #word = '';
  #wordStarts = false;
  /** A word begins at what comes next. */
  boundary: boolean;
  /** Whether a word ends where the first thing begins; unknown before there is one. */
  #opens: boolean | undefined;

  constructor(boundary: boolean) {
    this.boundary = boundary;
  }

  literal(text: string): void {
    this.#opens ??= endsApart(text.slice(0, 1));
    if (this.#word === '') {
      this.#wordStarts = this.boundary;
      for (const word of this.#last()) word.last = false;
    }
    this.#word += text;
    this.boundary = endsApart(text);
  }

  add(part: Part, { least, most }: { readonly least: number; readonly most: number }): void {
    if (part.literal !== undefined && least > 0 && most > 1) {
      this.#flush();
      this.add({ ...part, literal: part.literal.repeat(Math.min(least, MOST_REPEATED)) }, ONCE);
      this.#flush();
      this.#extend(most, false);
      return;
    }
    if (part.literal !== undefined && least === 1 && most === 1) {
      this.literal(part.literal);
      return;
    }
    const edge = part.boundary && part.steps.length === 0;
    this.#opens ??= part.opens && least > 0;
    this.#flush();
    // Before a space, `\b` asks for a part of a word, not for none.
    if (edge && part.opens && least > 0)
      for (const word of this.#last())
        if (/\w$/.test(word.text)) word.endsWord = word.last || word.endsWord;
    if (part.literal === undefined && least > 0 && part.steps.length > 0) {
      this.#append(part, most);
      return;
    }
    const width =
      part.head.farthest +
      part.tail.farthest +
      part.steps.reduce((sum, step) => sum + widest(step), 0);
    const crosses =
      part.head.crosses || part.tail.crosses || part.steps.some((step) => step.crosses);
    this.#extend(
      most === 0 || width === 0 ? 0 : width * most,
      crosses || /[.!?]/.test(part.literal ?? ''),
    );
    if (width > 0) for (const word of this.#last()) word.last = false;
    // What may be left out leaves the edge that was there before it.
    this.boundary = least > 0 ? edge : this.boundary && part.boundary;
  }

  #append(part: Part, most: number): void {
    for (const word of this.#last()) word.last = false;
    const [first, ...rest] = part.steps;
    if (!first) return;
    this.#step({
      words: first.words,
      farthest: this.#pending.farthest + part.head.farthest + first.farthest,
      crosses: this.#pending.crosses || part.head.crosses || first.crosses,
    });
    this.#steps.push(...rest);
    this.#pending = { ...part.tail };
    if (most > 1) {
      this.#pending = { farthest: Number.POSITIVE_INFINITY, crosses: true };
      for (const word of this.#last()) word.last = false;
    }
    this.boundary = part.boundary;
  }

  finish(): Part {
    this.#flush();
    const last = this.#last();
    return {
      steps: this.#steps,
      head: this.#steps.length > 0 ? { farthest: 0, crosses: false } : this.#head,
      tail: this.#steps.length > 0 ? this.#pending : { farthest: 0, crosses: false },
      boundary: this.boundary && last.every((word) => !word.last || word.endsWord),
      opens: this.#opens === true,
    };
  }

  #flush(): void {
    const word = this.#word;
    if (word === '') return;
    this.#word = '';
    if (!isTelling(word)) {
      this.#extend(word.length, /[.!?]/.test(word));
      return;
    }
    this.#step({
      words: [
        {
          text: word,
          startsWord: this.#wordStarts && /^\w/.test(word),
          endsWord: false,
          last: true,
        },
      ],
      ...this.#pending,
    });
    this.#pending = { farthest: 0, crosses: false };
  }

  #step(step: Step): void {
    this.#steps.push(step);
  }

  #extend(farthest: number, crosses: boolean): void {
    this.#pending.farthest += farthest;
    this.#pending.crosses ||= crosses;
    if (this.#steps.length === 0) {
      this.#head.farthest = this.#pending.farthest;
      this.#head.crosses = this.#pending.crosses;
    }
  }

  #last(): readonly Word[] {
    return this.#pending.farthest === 0 ? (this.#steps.at(-1)?.words ?? []) : [];
  }
}
