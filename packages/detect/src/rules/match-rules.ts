import type { RE2JS } from 're2js';
import type { Span } from '../types.js';
import type { Condition } from './condition.js';
import { compilePattern } from './pattern.js';
import { PatternSet } from './pattern-set.js';
import type { Filter, Rule, Selection } from './rule.js';
import { LONGEST_MATCH, overlaps, type Window, windowsOf } from './windows.js';

/** A match in a view: where, and why it is a mention rather than a use, if it is. */
export interface RuleMatch extends Span {
  readonly mention: string | undefined;
}

/** Judges one match; gives the reason when the text mentions the words rather than using them. */
export type MentionJudge = (text: string, span: Span, rule: Rule) => string | undefined;

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

/** Rules made ready for one scope. Nothing is compiled before the first text comes. */
export class RuleMatcher {
  readonly rules: readonly Rule[];
  readonly #set: PatternSet;
  readonly #compiled: readonly Compiled[];
  readonly #exclusions = new Map<string, RE2JS>();

  constructor(rules: readonly Rule[], filters: readonly Filter[]) {
    this.rules = rules;
    const index = new Map<string, number>();
    const indexOf = (pattern: string): number => {
      const known = index.get(pattern) ?? index.size;
      index.set(pattern, known);
      return known;
    };
    this.#compiled = rules.map((rule) => ({
      rule,
      positive: new Map(
        positiveNames(rule.detection.condition).map((name) => [
          name,
          selectionOf(rule, name).patterns.map(indexOf),
        ]),
      ),
      filters: filters
        .filter((filter) => filter.rules.includes(rule.id) || filter.rules.includes('*'))
        .flatMap((filter) => filter.exclude),
    }));
    this.#set = new PatternSet([...index.keys()]);
  }

  /** Finds, for every rule that fires, its first use, or else its first mention. */
  match(text: string, judge: MentionJudge, skip: ReadonlySet<string>): Map<Rule, RuleMatch> {
    const found = new Map<Rule, RuleMatch>();
    if (this.rules.length === 0) return found;
    const windows = windowsOf(text);
    const hits = new Map<number, Window[]>();
    for (const window of windows) {
      const part = windows.length === 1 ? text : text.slice(window.start, window.end);
      for (const id of this.#set.candidates(part)) {
        const list = hits.get(id);
        if (list) list.push(window);
        else hits.set(id, [window]);
      }
    }
    if (hits.size === 0) return found;
    for (const compiled of this.#compiled) {
      if (skip.has(compiled.rule.id)) continue;
      const match = this.#evaluate(compiled, compiled.rule.detection.condition, [], {
        text,
        judge,
        hits,
      });
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
        return prefer(condition.any.map((part) => this.#evaluate(compiled, part, not, scan)));
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
    const exclude = [...not.flatMap((other) => selectionOf(rule, other).patterns), ...filters];
    const found: RuleMatch[] = [];
    const all = selectionOf(rule, name).all;
    for (const index of compiled.positive.get(name) ?? []) {
      const match = this.#first(rule, index, exclude, scan);
      if (!match) {
        if (all) return undefined;
        continue;
      }
      found.push(match);
    }
    return all ? joint(found) : prefer(found);
  }

  /** The first use among the surviving matches of one pattern, or else the first mention. */
  #first(rule: Rule, index: number, exclude: readonly string[], scan: Scan): RuleMatch | undefined {
    let mentioned: RuleMatch | undefined;
    for (const window of scan.hits.get(index) ?? []) {
      const part = scan.text.slice(window.start, window.end);
      const pattern = this.#set.exact(index);
      if (!pattern.test(part)) continue;
      const matcher = pattern.matcher(part);
      let spared = 0;
      while (matcher.find()) {
        const span = { start: window.start + matcher.start(), end: window.start + matcher.end() };
        if (span.start >= window.own) break;
        if (spared < MOST_SPARED && this.#excluded(scan.text, span, exclude)) {
          spared++;
          continue;
        }
        const mention = spared < MOST_SPARED ? scan.judge(scan.text, span, rule) : undefined;
        if (mention === undefined) return { ...span, mention };
        spared++;
        mentioned ??= { ...span, mention };
      }
    }
    return mentioned;
  }

  #excluded(text: string, span: Span, exclude: readonly string[]): boolean {
    if (exclude.length === 0) return false;
    const from = Math.max(0, span.start - AROUND);
    const near = text.slice(from, Math.min(text.length, span.end + AROUND, from + LONGEST_MATCH));
    return exclude.some((source) => {
      let pattern = this.#exclusions.get(source);
      if (!pattern) {
        pattern = compilePattern(source);
        this.#exclusions.set(source, pattern);
      }
      if (!pattern.test(near)) return false;
      const matcher = pattern.matcher(near);
      while (matcher.find()) {
        if (overlaps(span, { start: from + matcher.start(), end: from + matcher.end() }))
          return true;
      }
      return false;
    });
  }
}

interface Scan {
  readonly text: string;
  readonly judge: MentionJudge;
  readonly hits: ReadonlyMap<number, readonly Window[]>;
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

/** A use before a mention, then what stands first. */
function prefer(matches: readonly (RuleMatch | undefined)[]): RuleMatch | undefined {
  let best: RuleMatch | undefined;
  for (const match of matches) {
    if (!match) continue;
    if (
      !best ||
      rank(match) < rank(best) ||
      (rank(match) === rank(best) && match.start < best.start)
    )
      best = match;
  }
  return best;
}

function rank(match: RuleMatch): number {
  return match.mention === undefined ? 0 : 1;
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
