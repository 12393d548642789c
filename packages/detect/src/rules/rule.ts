import type { Scope, Severity, Tags } from '../types.js';
import type { Condition } from './condition.js';

export type RuleStatus = 'experimental' | 'test' | 'stable' | 'deprecated';

/** Scopes that rules look at; replies are judged by output checks, not by rules. */
export type RuleScope = Exclude<Scope, 'output'>;

/** Patterns of which one has to match, or all of them. */
export interface Selection {
  readonly patterns: readonly string[];
  readonly all: boolean;
}

export interface RuleDetection {
  readonly selections: Readonly<Record<string, Selection>>;
  readonly condition: Condition;
}

/** A rule's own tests, in plain text. */
export interface RuleTests {
  readonly match: readonly string[];
  readonly noMatch: readonly string[];
}

/** A checked rule: plain data, so that it can be bundled as JSON. */
export interface Rule {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly severity: Severity;
  /** 0 to 1. */
  readonly confidence: number;
  readonly status: RuleStatus;
  readonly scope: readonly RuleScope[];
  readonly tags: Tags;
  readonly detection: RuleDetection;
  readonly references: readonly string[];
  readonly falsepositives: readonly string[];
  /** Rules that describe the same technique from another side. */
  readonly related: readonly string[];
  readonly tests: RuleTests;
  readonly author: string;
  readonly date: string;
  readonly enabled: boolean;
}

/** Takes matches away from other rules, without editing their files. */
export interface Filter {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Rule ids; `*` stands for every rule. */
  readonly rules: readonly string[];
  /** A match of these rules that one of these patterns overlaps does not count. */
  readonly exclude: readonly string[];
}

/** What a folder of rule files says. */
export interface RulePack {
  readonly rules: readonly Rule[];
  readonly filters: readonly Filter[];
}

/** Takes a list of rules for a pack without filters. */
export function asPack(rules: RulePack | readonly Rule[]): RulePack {
  // What is neither is left for the check of its shape.
  return Array.isArray(rules)
    ? { rules: rules as readonly Rule[], filters: [] }
    : (rules as RulePack);
}
