import { DetectError } from './errors.js';
import { mentionOf } from './mention.js';
import { builtinRules } from './rules/builtin-rules.js';
import { RuleMatcher } from './rules/match-rules.js';
import type { Rule, RulePack, RuleScope } from './rules/rule.js';
import { scoreOf, type Thresholds, verdictOf } from './scoring.js';
import type { Detection, ScanResult, Scope, View } from './types.js';

export interface ScannerOptions {
  /** Default: the rules of this package. */
  readonly rules?: RulePack | readonly Rule[];
  readonly maliciousThreshold?: number;
  readonly suspiciousThreshold?: number;
}

export class Scanner {
  readonly #thresholds: Thresholds;
  #pack: RulePack;
  #matchers = new Map<RuleScope, RuleMatcher>();

  constructor({ rules, maliciousThreshold = 50, suspiciousThreshold = 20 }: ScannerOptions = {}) {
    this.#thresholds = checkThresholds(suspiciousThreshold, maliciousThreshold);
    this.#pack =
      rules === undefined ? builtinRules() : 'rules' in rules ? rules : { rules, filters: [] };
  }

  scan(text: string): ScanResult {
    return this.#scan(text, 'input');
  }

  scanContext(text: string): ScanResult {
    return this.#scan(text, 'context');
  }

  scanTool(text: string): ScanResult {
    return this.#scan(text, 'tool');
  }

  #scan(text: string, scope: RuleScope): ScanResult {
    const view = plainView(text);
    const detections: Detection[] = [];
    for (const [rule, match] of this.#matcher(scope).match(view.text, mentionOf, new Set())) {
      detections.push({
        id: rule.id,
        title: rule.title,
        severity: rule.severity,
        confidence: rule.confidence,
        tags: rule.tags,
        matched: text.slice(match.start, match.end),
        span: { start: match.start, end: match.end },
        view: view.name,
      });
    }
    const score = scoreOf(detections);
    return {
      verdict: verdictOf(score, this.#thresholds),
      score,
      detections,
      scope,
      inputLength: text.length,
      notes: [],
    };
  }

  #matcher(scope: RuleScope): RuleMatcher {
    let matcher = this.#matchers.get(scope);
    if (!matcher) {
      const rules = this.#pack.rules.filter((rule) => rule.enabled && rule.scope.includes(scope));
      matcher = new RuleMatcher(rules, this.#pack.filters);
      this.#matchers.set(scope, matcher);
    }
    return matcher;
  }
}

function plainView(text: string): View {
  return { name: 'original', text, map: new Int32Array(0), mapEnd: new Int32Array(0) };
}

function checkThresholds(suspicious: number, malicious: number): Thresholds {
  if (!(suspicious >= 0 && suspicious <= malicious && malicious <= 100)) {
    throw new DetectError(
      'bad-option',
      `thresholds must be 0 ≤ suspicious ≤ malicious ≤ 100; got ${suspicious} and ${malicious}`,
    );
  }
  return { suspicious, malicious };
}

export type { Scope };
