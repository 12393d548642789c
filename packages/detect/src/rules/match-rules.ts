import type { Mention } from '../mention.js';
import type { Span } from '../types.js';
import { CandidateFinder, LONGEST_MATCH } from './candidates.js';
import type { Condition } from './condition.js';
import type { Filter, Rule, Selection } from './rule.js';
import { type CompiledPattern, SharedPatterns } from './shared-patterns.js';
import { overlaps, stretchesOf, type Window, windowsOver } from './windows.js';

/** A match in a view: where, and why it is a mention rather than a use, if it is. */
export interface RuleMatch extends Span {
  readonly mention: Mention | undefined;
}

/** Judges one match; gives the reason when the text mentions the words rather than using them. */
export type MentionJudge = (text: string, span: Span, rule: Rule) => Mention | undefined;

/** How far around a match an exclusion is looked for. */
const AROUND = 160;
/** A window that needs more exclusions or mentions than this is hiding something among them. */
const MOST_SPARED = 8;

interface Compiled {
  readonly rule: Rule;
  /** Per selection, indices into the pattern set. */
  readonly positive: ReadonlyMap<string, readonly number[]>;
  readonly filters: readonly string[];
}

/** Rules made ready for one scope. Nothing is compiled before a text needs it. */
export class RuleMatcher {
  readonly rules: readonly Rule[];
  readonly #compiled: readonly Compiled[];
  readonly #sources: readonly string[];
  /** Per pattern, the places of the rules that use it. */
  readonly #usedBy: readonly (readonly number[])[];
  readonly #patterns: SharedPatterns;
  #finder: CandidateFinder | undefined;
  /** What may take matches away, and where it can match. */
  readonly #exclusions = new Map<string, number>();
  #sparing: CandidateFinder | undefined;

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
    const filtersOf = (rule: Rule): readonly string[] =>
      filters
        .filter((filter) => filter.rules.includes(rule.id) || filter.rules.includes('*'))
        .flatMap((filter) => filter.exclude);
    const usedBy: number[][] = [];
    this.#compiled = rules.map((rule, place) => {
      const positive = new Map(
        positiveNames(rule.detection.condition).map((name) => [
          name,
          selectionOf(rule, name).patterns.map(indexOf),
        ]),
      );
      for (const pattern of new Set([...positive.values()].flat())) {
        usedBy[pattern] = [...(usedBy[pattern] ?? []), place];
      }
      return { rule, positive, filters: filtersOf(rule) };
    });
    for (const { rule, filters: others } of this.#compiled) {
      const names = Object.keys(rule.detection.selections);
      for (const source of [...names.flatMap((n) => selectionOf(rule, n).patterns), ...others]) {
        if (!index.has(source)) this.#exclusions.set(source, this.#exclusions.size);
      }
    }
    this.#usedBy = usedBy;
    this.#sources = [...index.keys()];
  }

  /** Finds, for every rule that fires, its first use, or else its first mention. */
  match(text: string, judge: MentionJudge, skip: ReadonlySet<string>): Map<Rule, RuleMatch> {
    const found = new Map<Rule, RuleMatch>();
    if (this.rules.length === 0) return found;
    this.#finder ??= new CandidateFinder(this.#sources, this.#patterns.wordsOf);
    const spans = this.#finder.find(text);
    for (const pattern of this.#finder.unknown)
      spans.set(pattern, [{ start: 0, end: text.length }]);
    if (spans.size === 0) return found;
    const possible = new Set<number>();
    for (const pattern of spans.keys()) {
      for (const place of this.#usedBy[pattern] ?? []) possible.add(place);
    }
    const scan = { text, judge, spans };
    for (const place of [...possible].toSorted((a, b) => a - b)) {
      const compiled = this.#compiled[place];
      if (!compiled || skip.has(compiled.rule.id)) continue;
      const match = this.#evaluate(compiled, compiled.rule.detection.condition, [], scan);
      if (match) found.set(compiled.rule, match);
    }
    return found;
  }

  #evaluate(
    compiled: Compiled,
    condition: Condition,
    not: readonly string[],
    scan: Scan,
  ): RuleMatch | undefined {
    switch (condition.kind) {
      case 'selection':
        return this.#select(compiled, condition.name, not, scan);
      case 'or':
        return firstUse(condition.any, (part) => this.#evaluate(compiled, part, not, scan));
      case 'and': {
        const inner = [...not, ...condition.not];
        const parts: RuleMatch[] = [];
        for (const part of condition.all) {
          const match = this.#evaluate(compiled, part, inner, scan);
          if (!match) return undefined;
          parts.push(match);
        }
        return joint(parts);
      }
      default:
        return condition satisfies never;
    }
  }

  #select(
    compiled: Compiled,
    name: string,
    not: readonly string[],
    scan: Scan,
  ): RuleMatch | undefined {
    const { rule, filters } = compiled;
    const selection = selectionOf(rule, name);
    const indices = compiled.positive.get(name) ?? [];
    const possible = indices.filter((index) => scan.spans.has(index));
    if (possible.length === 0 || (selection.all && possible.length < indices.length))
      return undefined;
    const exclude = [...not.flatMap((other) => selectionOf(rule, other).patterns), ...filters];
    const find = (index: number): RuleMatch | undefined => this.#first(rule, index, exclude, scan);
    if (!selection.all) return firstUse(possible, find);
    const found: RuleMatch[] = [];
    for (const index of possible) {
      const match = find(index);
      if (!match) return undefined;
      found.push(match);
    }
    return joint(found);
  }

  /** The first use among the surviving matches of one pattern, or else the first mention. */
  #first(rule: Rule, index: number, exclude: readonly string[], scan: Scan): RuleMatch | undefined {
    const spans = scan.spans.get(index);
    const source = this.#sources[index];
    if (!spans || source === undefined) return undefined;
    const { text } = scan;
    const pattern = this.#patterns.get(source);
    let mentioned: RuleMatch | undefined;
    for (const stretch of stretchesOf(spans)) {
      // Windows of places that stand close together overlap: one look over all of them rules most out.
      if (stretch.spans.length > 1 && !matchesWithin(pattern, text, stretch)) continue;
      for (const span of stretch.spans) {
        for (const window of windowsOver(text, span)) {
          const part = text.slice(window.start, window.end);
          // The yes-or-no pass is an order of magnitude faster than the search for the place.
          if (!pattern.test(part)) continue;
          const made = pattern.anchored ? cutsOf(window, text.length) : NO_CUTS;
          const match = this.#inWindow(pattern, part, window, { rule, exclude, scan, made });
          if (match && match.mention === undefined) return match;
          mentioned ??= match;
        }
      }
    }
    return mentioned;
  }

  #inWindow(
    pattern: CompiledPattern,
    part: string,
    window: Window,
    { rule, exclude, scan, made }: WindowOptions,
  ): RuleMatch | undefined {
    let mentioned: RuleMatch | undefined;
    let spared = 0;
    for (const { start, end } of pattern.matches(part)) {
      const span = { start: window.start + start, end: window.start + end };
      if (span.start >= window.own) break;
      if (span.start === made.start || span.end === made.end) continue;
      if (spared < MOST_SPARED && this.#excluded(scan.text, span, exclude)) {
        spared++;
        continue;
      }
      const mention = spared < MOST_SPARED ? scan.judge(scan.text, span, rule) : undefined;
      if (mention === undefined) return { ...span, mention };
      spared++;
      mentioned ??= { ...span, mention };
    }
    return mentioned;
  }

  #excluded(text: string, span: Span, exclude: readonly string[]): boolean {
    if (exclude.length === 0) return false;
    const from = Math.max(0, span.start - AROUND);
    const near = text.slice(from, Math.min(text.length, span.end + AROUND, from + LONGEST_MATCH));
    this.#sparing ??= new CandidateFinder([...this.#exclusions.keys()], this.#patterns.wordsOf);
    const { unknown } = this.#sparing;
    const possible = this.#sparing.find(near);
    return exclude.some((source) => {
      const index = this.#exclusions.get(source);
      if (index !== undefined && !possible.has(index) && !unknown.includes(index)) return false;
      const pattern = this.#patterns.get(source);
      if (!pattern.test(near)) return false;
      for (const { start, end } of pattern.matches(near)) {
        if (overlaps(span, { start: from + start, end: from + end })) return true;
      }
      return false;
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

/** Whether a pattern matches anywhere around the places of a stretch. */
function matchesWithin(pattern: CompiledPattern, text: string, stretch: Span): boolean {
  return windowsOver(text, stretch).some((window) =>
    pattern.test(text.slice(window.start, window.end)),
  );
}

interface WindowOptions {
  readonly rule: Rule;
  readonly exclude: readonly string[];
  readonly scan: Scan;
  readonly made: Cuts;
}

interface Scan {
  readonly text: string;
  readonly judge: MentionJudge;
  /** Per pattern, where it can match. */
  readonly spans: ReadonlyMap<number, readonly Span[]>;
}

function selectionOf(rule: Rule, name: string): Selection {
  return (
    (Object.hasOwn(rule.detection.selections, name)
      ? rule.detection.selections[name]
      : undefined) ?? {
      patterns: [],
      all: false,
    }
  );
}

function positiveNames(condition: Condition): readonly string[] {
  if (condition.kind === 'selection') return [condition.name];
  return (condition.kind === 'or' ? condition.any : condition.all).flatMap(positiveNames);
}

/** The first use, or else the mention that is least clearly one. */
function firstUse<T>(
  items: readonly T[],
  find: (item: T) => RuleMatch | undefined,
): RuleMatch | undefined {
  let best: RuleMatch | undefined;
  for (const item of items) {
    const match = find(item);
    if (!match) continue;
    if (match.mention === undefined) return match;
    if (!best || rank(match) < rank(best)) best = match;
  }
  return best;
}

function rank(match: RuleMatch): number {
  return match.mention === undefined ? 0 : match.mention.strong ? 2 : 1;
}

/** Several that are needed together: a mention only where each one is. */
function joint(matches: readonly RuleMatch[]): RuleMatch | undefined {
  const first = matches.toSorted((a, b) => a.start - b.start)[0];
  if (!first) return undefined;
  return {
    ...first,
    mention: matches.every((match) => match.mention !== undefined) ? first.mention : undefined,
  };
}
