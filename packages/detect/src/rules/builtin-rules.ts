import { PACK } from './pack.js';
import type { RulePack } from './rule.js';

/** The rules that this package ships. The bundle was checked when it was made, so it is only read. */
export function builtinRules(): RulePack {
  return { rules: PACK.map(readBundled), filters: [] };
}

function readBundled(json: string): RulePack['rules'][number] {
  // The bundle is made by scripts/bundle-rules.js from loadRules, and a test compares the two.
  return JSON.parse(json) as RulePack['rules'][number];
}
