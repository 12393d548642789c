import type { Mention } from '../mention.js';
import type { Span } from '../types.js';
import { CandidateFinder, LONGEST_MATCH } from './candidates.js';
import type { Places } from './places.js';
import { indicesOf, type Ready, readyOf } from './ready-condition.js';
import type { Filter, Rule } from './rule.js';
import { joint, type RuleMatch, rank } from './rule-match.js';
import { type CompiledPattern, SharedPatterns } from './shared-patterns.js';
import { Sparing } from './sparing.js';
import { cutsOf, NO_CUTS, overlaps, windowsOver } from './windows.js';

/** Judges one match; gives the reason when the text mentions the words rather than using them. */
export type MentionJudge = (text: string, span: Span, rule: Rule) => Mention | undefined;

/** What a view has lost: where lines of the text began. */
export interface Lines {
  /** Whether a new line begins another sentence somewhere in a stretch of the view. */
  readonly part: (stretch: Span) => boolean;
  /** Whether a line begins at a unit of the view. */
  readonly startAt: (at: number) => boolean;
}

const ONE_LINE: Lines = { part: () => false, startAt: () => false };

/** How far around a match an exclusion is looked for. */
const AROUND = 160;
/** A place that needs more exclusions or mentions than this is hiding something among them. */
const MOST_SPARED = 32;
/** What a pattern may have after its last required word: all but that word. */
const AFTER = LONGEST_MATCH;

/** A text is looked through in parts of this many units, which overlap by what a match may take up. */
const PART = 16_384;
const OVERLAP = 1_024;

type Known = Map<readonly string[], Map<number, RuleMatch>>;

interface Compiled {
  readonly rule: Rule;
  readonly ready: Ready;
}

/** Rules made ready for one scope. Nothing is compiled before a text needs it. */
export class RuleMatcher {
  readonly rules: readonly Rule[];
  readonly #compiled: readonly Compiled[];
  readonly #sources: readonly string[];
  /** Per pattern, the places of the rules that use it. */
  readonly #usedBy: readonly (readonly number[])[];
  readonly #patterns: SharedPatterns;
  /** By index, made when a text first needs one. */
  readonly #made: (CompiledPattern | undefined)[] = [];
  /** Per rule, its patterns that have places in the text at hand, in ascending order; and the rules that have some. */
  readonly #present: readonly number[][];
  readonly #possible: number[] = [];
  #finder: CandidateFinder | undefined;
  /** Per list of what may take matches away; made when a rule of the list has a match. */
  readonly #sparing = new Map<readonly string[], Sparing>();

  constructor(
    rules: readonly Rule[],
    filters: readonly Filter[],
    patterns: SharedPatterns = new SharedPatterns(),
  ) {
    this.rules = rules;
    this.#patterns = patterns;
    const index = new Map<string, number>();
    const indexOf = (pattern: string): number => {
      const known = index.get(pattern) ?? index.size;
      index.set(pattern, known);
      return known;
    };
    const usedBy: number[][] = [];
    this.#compiled = rules.map((rule, place) => {
      const others = filters
        .filter((filter) => filter.rules.includes(rule.id) || filter.rules.includes('*'))
        .flatMap((filter) => filter.exclude);
      const ready = readyOf(rule, rule.detection.condition, others, indexOf);
      for (const pattern of new Set(indicesOf(ready))) {
        usedBy[pattern] = [...(usedBy[pattern] ?? []), place];
      }
      return { rule, ready };
    });
    this.#usedBy = usedBy;
    this.#sources = [...index.keys()];
    this.#present = rules.map(() => []);
  }

  /** Finds, for every rule that fires, its first use, or else its first mention. */
  match(
    text: string,
    judge: MentionJudge,
    skip: ReadonlySet<string>,
    lines: Lines = ONE_LINE,
  ): ReadonlyMap<Rule, RuleMatch> {
    if (this.rules.length === 0) return NOTHING_FOUND;
    this.#finder ??= new CandidateFinder(this.#sources, this.#patterns.wordsOf);
    if (text.length <= PART + OVERLAP) {
      const places = this.#finder.find(text);
      this.#addUnknown(places, text);
      if (places.patterns.length === 0) return NOTHING_FOUND;
      const scan: Scan = { text, judge, lines, known: undefined, places, present: NONE };
      return this.#matchPart(scan, skip, undefined) ?? NOTHING_FOUND;
    }
    // Part by part, so that what has been found is not looked for in the rest.
    const found = new Map<Rule, RuleMatch>();
    const known: Known = new Map();
    const done = new Set(skip);
    const without = new Uint8Array(this.#sources.length);
    for (let start = 0; start < text.length; start += PART) {
      const from = Math.max(0, start - OVERLAP);
      this.#leaveOut(done, without);
      const places = this.#finder.find(text, {
        from,
        to: Math.min(text.length, start + PART),
        without,
      });
      if (start === 0) this.#addUnknown(places, text);
      this.#matchPart({ text, judge, lines, known, places, present: NONE }, done, found);
      for (const [rule, match] of found) if (match.mention === undefined) done.add(rule.id);
    }
    return found;
  }

  /** Patterns without a required word are tried on the whole text. */
  #addUnknown(places: Places, text: string): void {
    for (const pattern of this.#finder?.unknown ?? []) places.addWhole(pattern, text.length);
  }

  /** Marks the patterns of which all rules are done. */
  #leaveOut(done: ReadonlySet<string>, without: Uint8Array): void {
    this.#usedBy.forEach((users, pattern) => {
      const open = users.some((place) => !done.has(this.#compiled[place]?.rule.id ?? ''));
      without[pattern] = open ? 0 : 1;
    });
  }

  /** Adds to what was found; gives nothing when there is nothing. */
  #matchPart(
    scan: Scan,
    skip: ReadonlySet<string>,
    before: Map<Rule, RuleMatch> | undefined,
  ): Map<Rule, RuleMatch> | undefined {
    const possible = this.#possible;
    for (const place of possible) {
      const list = this.#present[place];
      if (list) list.length = 0;
    }
    possible.length = 0;
    for (const pattern of scan.places.patterns) {
      for (const place of this.#usedBy[pattern] ?? NONE) {
        const present = this.#present[place];
        if (!present) continue;
        if (present.length === 0) possible.push(place);
        insert(present, pattern);
      }
    }
    let found = before;
    for (const place of possible) {
      const compiled = this.#compiled[place];
      const present = this.#present[place];
      if (!compiled || !present || skip.has(compiled.rule.id)) continue;
      scan.present = present;
      const match = this.#evaluate(compiled.rule, compiled.ready, scan);
      const earlier = found?.get(compiled.rule);
      if (!match || (earlier && rank(match) >= rank(earlier))) continue;
      found ??= new Map();
      found.set(compiled.rule, match);
    }
    return found;
  }

  #evaluate(rule: Rule, ready: Ready, scan: Scan): RuleMatch | undefined {
    switch (ready.kind) {
      case 'selection':
        return this.#select(rule, ready, scan);
      case 'or': {
        let best: RuleMatch | undefined;
        for (const part of ready.parts) {
          const match = this.#evaluate(rule, part, scan);
          if (match && match.mention === undefined) return match;
          if (match && (!best || rank(match) < rank(best))) best = match;
        }
        return best;
      }
      case 'and': {
        const [only] = ready.parts;
        if (only && ready.parts.length === 1) return this.#evaluate(rule, only, scan);
        const parts: RuleMatch[] = [];
        let complete = true;
        for (const part of ready.parts) {
          const match = this.#evaluate(rule, part, scan);
          if (match) parts.push(match);
          else complete = false;
          // In a part of a text the others are still looked for: the rest may hold what is missing.
          if (!complete && scan.known === undefined) return undefined;
        }
        return complete ? joint(parts) : undefined;
      }
      default:
        return ready satisfies never;
    }
  }

  #select(
    rule: Rule,
    { indices, has, all, exclude }: Ready & { readonly kind: 'selection' },
    scan: Scan,
  ): RuleMatch | undefined {
    let best: RuleMatch | undefined;
    const found: RuleMatch[] = [];
    // Of many patterns a text of one part has places for few.
    const some = scan.known === undefined && !all ? scan.present : indices;
    for (const index of some) {
      if (some !== indices && has[index] !== 1) continue;
      const match = this.#inText(rule, index, exclude, scan);
      if (all) {
        if (match) found.push(match);
        else if (scan.known === undefined) return undefined;
      } else if (match) {
        if (match.mention === undefined) return match;
        if (!best || rank(match) < rank(best)) best = match;
      }
    }
    if (!all) return best;
    return found.length === indices.length ? joint(found) : undefined;
  }

  /** The same as `#first`, with what parts of the text before this one gave. */
  #inText(
    rule: Rule,
    index: number,
    exclude: readonly string[],
    scan: Scan,
  ): RuleMatch | undefined {
    const place = scan.places.first(index);
    if (scan.known === undefined) {
      return place < 0 ? undefined : this.#first(rule, index, place, exclude, scan);
    }
    let known = scan.known.get(exclude);
    if (!known) {
      known = new Map<number, RuleMatch>();
      scan.known.set(exclude, known);
    }
    const before = known.get(index);
    if (place < 0 || (before && before.mention === undefined)) return before;
    const match = this.#first(rule, index, place, exclude, scan);
    if (!match || (before && rank(match) >= rank(before))) return before;
    known.set(index, match);
    return match;
  }

  /** The first use among the surviving matches of one pattern, or else the first mention. */
  #first(
    rule: Rule,
    index: number,
    first: number,
    exclude: readonly string[],
    scan: Scan,
  ): RuleMatch | undefined {
    const pattern = this.#pattern(index);
    const { places } = scan;
    let mentioned: RuleMatch | undefined;
    for (let place = first; place >= 0; place = places.next(place)) {
      const match = this.#inPlace(pattern, place, rule, exclude, scan);
      if (match && match.mention === undefined) return match;
      mentioned ??= match;
    }
    return mentioned;
  }

  #pattern(index: number): CompiledPattern {
    let pattern = this.#made[index];
    if (!pattern) {
      pattern = this.#patterns.get(this.#sources[index] ?? '');
      this.#made[index] = pattern;
    }
    return pattern;
  }

  #inPlace(
    pattern: CompiledPattern,
    place: number,
    rule: Rule,
    exclude: readonly string[],
    scan: Scan,
  ): RuleMatch | undefined {
    const { text, lines, places } = scan;
    const last = places.end(place);
    const limit = Math.min(text.length, last + AFTER);
    const begins = places.begins(place);
    const ahead = places.ahead(place);
    let mentioned: RuleMatch | undefined;
    let spared = 0;
    let next = 0;
    for (let from = places.start(place); from <= last; ) {
      let until = last;
      if (begins > 0) {
        while (next < begins && places.begin(place, next) < from) next += 1;
        if (next === begins) return mentioned;
        until = places.begin(place, next);
        from = Math.max(from, until - ahead);
      }
      const span = pattern.within(text, from, until, limit, lines.startAt);
      if (span === null) {
        const looked = { rule, exclude, scan };
        const match = this.#inWindows(pattern, { start: from, end: last }, looked);
        return match && (match.mention === undefined || !mentioned) ? match : mentioned;
      }
      if (span === undefined) {
        from = until + 1;
        continue;
      }
      from = Math.max(span.end, span.start + 1);
      const match = this.#judge(span, spared < MOST_SPARED, { rule, exclude, scan });
      if (match && match.mention === undefined) return match;
      spared += 1;
      mentioned ??= match;
    }
    return mentioned;
  }

  /** The same by re2js, which takes a hundred times as long but the same for any text. */
  #inWindows(pattern: CompiledPattern, place: Span, looked: Looked): RuleMatch | undefined {
    const { text } = looked.scan;
    let mentioned: RuleMatch | undefined;
    for (const window of windowsOver(text, place)) {
      const part = text.slice(window.start, window.end);
      // The yes-or-no pass is an order of magnitude faster than the search for the place.
      if (!pattern.test(part)) continue;
      const made = pattern.anchored ? cutsOf(window, text.length) : NO_CUTS;
      let spared = 0;
      for (const { start, end } of pattern.matches(part)) {
        const span = { start: window.start + start, end: window.start + end };
        if (span.start >= window.own) break;
        if (span.start === made.start || span.end === made.end) continue;
        const match = this.#judge(span, spared < MOST_SPARED, looked);
        if (match && match.mention === undefined) return match;
        spared += 1;
        mentioned ??= match;
      }
    }
    return mentioned;
  }

  /** Nothing for a match that is taken away. */
  #judge(span: Span, sparing: boolean, { rule, exclude, scan }: Looked): RuleMatch | undefined {
    if (!sparing) return { ...span, mention: undefined };
    if (this.#excluded(scan, span, exclude)) return undefined;
    return { ...span, mention: scan.judge(scan.text, span, rule) };
  }

  #excluded({ text, lines }: Scan, span: Span, exclude: readonly string[]): boolean {
    if (exclude.length === 0) return false;
    const from = Math.max(0, span.start - AROUND);
    const to = Math.min(text.length, span.end + AROUND, from + LONGEST_MATCH);
    let sparing = this.#sparing.get(exclude);
    if (!sparing) {
      sparing = new Sparing(exclude, this.#patterns);
      this.#sparing.set(exclude, sparing);
    }
    return sparing.matches(text, { start: from, end: to }, (other) => {
      if (!overlaps(span, other)) return false;
      // What stands in another line, as a sentence of its own, says nothing about this one.
      const apart =
        (other.start < span.start && lines.part({ start: other.start, end: span.start + 1 })) ||
        (other.end > span.end && lines.part({ start: span.end - 1, end: other.end }));
      return !apart;
    });
  }
}

const NONE: readonly number[] = [];
const NOTHING_FOUND: ReadonlyMap<Rule, RuleMatch> = new Map();

/** Puts a number into an ascending list. */
function insert(list: number[], value: number): void {
  let at = list.length;
  list.push(value);
  for (; at > 0 && (list[at - 1] ?? 0) > value; at--) list[at] = list[at - 1] ?? 0;
  list[at] = value;
}

interface Looked {
  readonly rule: Rule;
  readonly exclude: readonly string[];
  readonly scan: Scan;
}

interface Scan {
  readonly text: string;
  readonly judge: MentionJudge;
  readonly lines: Lines;
  /** Where patterns can match. */
  readonly places: Places;
  /** The patterns of the rule at hand that have places, in ascending order. */
  present: readonly number[];
  /** Found in the parts before, by what takes matches away and by pattern; a text in one part has none. */
  readonly known: Known | undefined;
}
