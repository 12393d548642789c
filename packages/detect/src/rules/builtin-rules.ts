import { frozenCopy } from '../frozen-copy.js';
import { lazily } from '../views/character-classes.js';
import { PACK } from './pack.js';
import type { Rule, RulePack } from './rule.js';

/** The rules that this package ships. The bundle was checked when it was made, so it is only read. */
export function builtinRules(): RulePack {
  return { rules: PACK.map(readBundled), filters: [] };
}

/** The same, frozen and read once: for who changes nothing. */
export const shippedRules: () => RulePack = lazily(() => frozenCopy(builtinRules()));

function readBundled(json: string): Rule {
  // The bundle is made by scripts/bundle-rules.js from loadRules, and a test compares the two.
  return JSON.parse(json) as Rule;
}

/** All patterns of rules, in their order. */
export function patternsOf(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap((rule) =>
    Object.values(rule.detection.selections).flatMap((selection) => selection.patterns),
  );
}
