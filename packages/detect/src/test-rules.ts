import { checkPack } from './check-options.js';
import { asPack, type Rule, type RulePack, type RuleScope } from './rules/rule.js';
import { Scanner } from './scanner.js';
import type { ScanResult } from './types.js';

export interface RuleTestFailure {
  readonly id: string;
  readonly kind: 'match' | 'no_match';
  readonly text: string;
  /** The scope in which the rule was tried. */
  readonly scope: RuleScope;
  /** The view in which a `no_match` text was matched. */
  readonly view?: string;
}

export interface RuleTestReport {
  readonly rules: number;
  readonly tests: number;
  readonly failures: readonly RuleTestFailure[];
}

/**
 * Runs every rule against its own tests: a `match` text has to fire in the original view, in the
 * first scope of the rule; a `no_match` text in no scope and in no decoded view. Other rules do
 * not take part.
 *
 * @throws DetectError `bad-option` for what is no list of rules and no pack.
 */
export function testRules(given: RulePack | readonly Rule[]): RuleTestReport {
  const pack = checkPack(asPack(given));
  const failures: RuleTestFailure[] = [];
  let tests = 0;
  for (const rule of pack.rules) {
    const scanner = new Scanner({
      rules: { rules: [{ ...rule, enabled: true }], filters: filtersOf(pack, rule.id) },
    });
    for (const text of rule.tests.match) {
      tests++;
      for (const scope of rule.scope) {
        const found = scanAs(scanner, scope, text).detections.find(
          (detection) => detection.id === rule.id,
        );
        if (found?.view !== 'original') failures.push({ id: rule.id, kind: 'match', text, scope });
      }
    }
    for (const text of rule.tests.noMatch) {
      tests++;
      for (const scope of rule.scope)
        noMatch(rule, scanAs(scanner, scope, text), text, scope, failures);
    }
  }
  return { rules: pack.rules.length, tests, failures };
}

function filtersOf({ filters }: RulePack, id: string): RulePack['filters'] {
  const here = (named: string): boolean => named === '*' || named === id;
  return filters
    .filter(({ rules }) => rules.some(here))
    .map((filter) => ({ ...filter, rules: filter.rules.filter(here) }));
}

function noMatch(
  rule: Rule,
  result: ScanResult,
  text: string,
  scope: RuleScope,
  failures: RuleTestFailure[],
): void {
  const found = result.detections.find((detection) => detection.id === rule.id);
  if (found) failures.push({ id: rule.id, kind: 'no_match', text, scope, view: found.view });
}

function scanAs(scanner: Scanner, scope: RuleScope, text: string): ScanResult {
  switch (scope) {
    case 'input':
      return scanner.scan(text);
    case 'context':
      return scanner.scanContext(text);
    case 'tool':
      return scanner.scanTool(text);
    default:
      return scope satisfies never;
  }
}
