import { checkOverridden } from '../check-options.js';
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

/** @throws DetectError `bad-option` for an id that no rule has. Their values were checked when they were given. */
export function overrideRules(pack: RulePack, overrides: RuleOverrides): RulePack {
  checkOverridden(pack, overrides);
  const byId = new Map(Object.entries(overrides));
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
