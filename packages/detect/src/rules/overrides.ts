import { DetectError } from '../errors.js';
import type { Severity } from '../types.js';
import type { Rule, RulePack } from './rule.js';

/** Changes to single rules that leave their files alone. */
export interface RuleOverride {
  readonly enabled?: boolean;
  readonly severity?: Severity;
  /** 0 to 1. */
  readonly confidence?: number;
}

export type RuleOverrides = Readonly<Record<string, RuleOverride>>;

/** @throws DetectError `bad-option` for an id that no rule has, or a confidence out of range. */
export function overrideRules(pack: RulePack, overrides: RuleOverrides): RulePack {
  const byId = new Map(Object.entries(overrides));
  for (const [id, { confidence }] of byId) {
    if (!pack.rules.some((rule) => rule.id === id)) {
      const known = pack.rules.map((rule) => rule.id).join(', ');
      throw new DetectError(
        'bad-option',
        `there is no rule ${id} to override; there are: ${known}`,
      );
    }
    if (confidence !== undefined && !(confidence > 0 && confidence <= 1)) {
      throw new DetectError(
        'bad-option',
        `the confidence of ${id} lies above 0 and at most at 1, not at ${confidence}`,
      );
    }
  }
  return { ...pack, rules: pack.rules.map((rule) => apply(rule, byId.get(rule.id))) };
}

function apply(rule: Rule, override: RuleOverride | undefined): Rule {
  if (!override) return rule;
  return {
    ...rule,
    enabled: override.enabled ?? rule.enabled,
    severity: override.severity ?? rule.severity,
    confidence: override.confidence ?? rule.confidence,
  };
}
