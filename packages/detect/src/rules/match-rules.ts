import type { Mention } from '../mention.js';
import type { Span } from '../types.js';
import { CandidateFinder, LONGEST_MATCH } from './candidates.js';
import type { Place } from './places.js';
import { indicesOf, type Ready, readyOf } from './ready-condition.js';
import type { Filter, Rule } from './rule.js';
import { joint, type RuleMatch, rank } from './rule-match.js';
import { type CompiledPattern, SharedPatterns } from './shared-patterns.js';
import { Sparing } from './sparing.js';
import { overlaps, type Window, windowsOver } from './windows.js';

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
/** What a pattern may have after its last required word. */
const AFTER = 256;

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
  }

  /** Finds, for every rule that fires, its first use, or else its first mention. */
  match(
    text: string,
    judge: MentionJudge,
    skip: ReadonlySet<string>,
    lines: Lines = ONE_LINE,
  ): Map<Rule, RuleMatch> {
    const found = new Map<Rule, RuleMatch>();
    if (this.rules.length === 0) return found;
    this.#finder ??= new CandidateFinder(this.#sources, this.#patterns.wordsOf);
    if (text.length <= PART + OVERLAP) {
      this.#matchPart(
        this.#finder.find(text),
        { text, judge, lines, known: undefined },
        skip,
        found,
      );
      return found;
    }
    // Part by part, so that what has been found is not looked for in the rest.
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
      this.#matchPart(places, { text, judge, lines, known }, done, found, start === 0);
      for (const [rule, match] of found) if (match.mention === undefined) done.add(rule.id);
    }
    return found;
  }

  /** Marks the patterns of which all rules are done. */
  #leaveOut(done: ReadonlySet<string>, without: Uint8Array): void {
    this.#usedBy.forEach((users, pattern) => {
      const open = users.some((place) => !done.has(this.#compiled[place]?.rule.id ?? ''));
      without[pattern] = open ? 0 : 1;
    });
  }

  #matchPart(
    places: Map<number, readonly Place[]>,
    how: Omit<Scan, 'places' | 'present'>,
    skip: ReadonlySet<string>,
    found: Map<Rule, RuleMatch>,
    whole = true,
  ): void {
    const { text } = how;
    if (whole) {
      for (const pattern of this.#finder?.unknown ?? [])
        places.set(pattern, [{ start: 0, end: text.length, begins: [], ahead: 0 }]);
    }
    if (places.size === 0) return;
    // By the place of a rule, its patterns that have places in the text.
    const possible = new Map<number, number[]>();
    for (const pattern of places.keys()) {
      const users = this.#usedBy[pattern];
      if (!users) continue;
      for (const place of users) {
        const list = possible.get(place);
        if (list) list.push(pattern);
        else possible.set(place, [pattern]);
      }
    }
    const { judge, lines, known } = how;
    const scan: Scan = { text, judge, lines, known, places, present: NONE };
    for (const [place, present] of possible) {
      const compiled = this.#compiled[place];
      if (!compiled || skip.has(compiled.rule.id)) continue;
      if (present.length > 1) present.sort(ascending);
      scan.present = present;
      const match = this.#evaluate(compiled.rule, compiled.ready, scan);
      const before = found.get(compiled.rule);
      if (match && (!before || rank(match) < rank(before))) found.set(compiled.rule, match);
    }
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
    const places = scan.places.get(index);
    if (scan.known === undefined) {
      return places && this.#first(rule, index, places, exclude, scan);
    }
    let known = scan.known.get(exclude);
    if (!known) {
      known = new Map<number, RuleMatch>();
      scan.known.set(exclude, known);
    }
    const before = known.get(index);
    if (!places || (before && before.mention === undefined)) return before;
    const match = this.#first(rule, index, places, exclude, scan);
    if (!match || (before && rank(match) >= rank(before))) return before;
    known.set(index, match);
    return match;
  }

  /** The first use among the surviving matches of one pattern, or else the first mention. */
  #first(
    rule: Rule,
    index: number,
    places: readonly Place[],
    exclude: readonly string[],
    scan: Scan,
  ): RuleMatch | undefined {
    const pattern = this.#pattern(index);
    const looked = { rule, exclude, scan };
    let mentioned: RuleMatch | undefined;
    for (const place of places) {
      const match = this.#inPlace(pattern, place, looked);
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

  #inPlace(pattern: CompiledPattern, place: Place, looked: Looked): RuleMatch | undefined {
    const { text, lines } = looked.scan;
    const limit = Math.min(text.length, place.end + AFTER);
    const { begins, ahead } = place;
    let mentioned: RuleMatch | undefined;
    let spared = 0;
    let next = 0;
    for (let from = place.start; from <= place.end; ) {
      let until = place.end;
      if (begins.length > 0) {
        while ((begins[next] ?? until) < from) next += 1;
        const begin = begins[next];
        if (begin === undefined) return mentioned;
        from = Math.max(from, begin - ahead);
        until = begin;
      }
      const span = pattern.within(text, from, until, limit, lines.startAt);
      if (span === null) {
        const match = this.#inWindows(pattern, { start: from, end: place.end }, looked);
        return match && (match.mention === undefined || !mentioned) ? match : mentioned;
      }
      if (span === undefined) {
        from = until + 1;
        continue;
      }
      from = Math.max(span.end, span.start + 1);
      const match = this.#judge(span, spared < MOST_SPARED, looked);
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

/** Offsets at which a window was cut, where `^` and `$` would hold without being true; -1 for none. */
interface Cuts {
  readonly start: number;
  readonly end: number;
}

const NO_CUTS: Cuts = { start: -1, end: -1 };

function cutsOf(window: Window, length: number): Cuts {
  return {
    start: window.start === 0 ? -1 : window.start,
    end: window.end === length ? -1 : window.end,
  };
}

const NONE: readonly number[] = [];

function ascending(a: number, b: number): number {
  return a - b;
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
  /** Per pattern, where it can match. */
  readonly places: ReadonlyMap<number, readonly Place[]>;
  /** The patterns of the rule at hand that have places, in ascending order. */
  present: readonly number[];
  /** Found in the parts before, by what takes matches away and by pattern; a text in one part has none. */
  readonly known: Known | undefined;
}
