import { DetectError } from '../errors.js';
import { type Definitions, parseRuleFile } from './parse-rule.js';
import type { Filter, Rule, RulePack } from './rule.js';

/** A rule file as read by the caller; the name is used in messages only. */
export interface RuleFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Reads rule files (YAML), in the order of their names. Files without an `id` and with `define`
 * hold words for `{{name}}` in the patterns of all others.
 *
 * @throws DetectError `bad-rule` or `unsupported-pattern`, with file, line and column.
 */
export function loadRules(files: readonly RuleFile[]): RulePack {
  const ordered = files.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  let definitions: Definitions = new Map();
  const rest: RuleFile[] = [];
  for (const file of ordered) {
    if (/^define:/m.test(file.text) && !/^id:/m.test(file.text)) {
      definitions = parseRuleFile(file.name, file.text, definitions).definitions ?? definitions;
    } else rest.push(file);
  }
  const rules: Rule[] = [];
  const filters: Filter[] = [];
  const seen = new Map<string, string>();
  for (const file of rest) {
    const { rule, filter } = parseRuleFile(file.name, file.text, definitions);
    const id = rule?.id ?? filter?.id ?? '';
    const earlier = seen.get(id);
    if (earlier !== undefined) {
      throw new DetectError(
        'bad-rule',
        `the id ${id} is already used in ${earlier}; give this one another`,
        {
          place: { file: file.name, line: lineOf(file.text, 'id:'), column: 1 },
        },
      );
    }
    seen.set(id, file.name);
    if (rule) rules.push(rule);
    if (filter) filters.push(filter);
  }
  return { rules, filters };
}

function lineOf(text: string, key: string): number {
  return text.split('\n').findIndex((line) => line.startsWith(key)) + 1;
}
