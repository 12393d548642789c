import { isRecord, list, refuse, shown } from '../check-values.js';
import { DetectError, type Place } from '../errors.js';
import { builtinRules } from './builtin-rules.js';
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
 * @throws DetectError `bad-option` for what is no list of files; `bad-rule` or `unsupported-pattern`, with file, line and column.
 */
export function loadRules(files: readonly RuleFile[]): RulePack {
  checkFiles(files, 'loadRules');
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
  const namedByFilters: NamedRule[] = [];
  const seen = new Map<string, string>();
  for (const file of rest) {
    const { rule, filter, idPlace, named } = parseRuleFile(file.name, file.text, definitions);
    const id = rule?.id ?? filter?.id ?? '';
    const earlier = seen.get(id);
    if (earlier !== undefined) {
      throw new DetectError(
        'bad-rule',
        `the id ${id} is already used in ${earlier}; give this one another`,
        idPlace ? { place: idPlace } : {},
      );
    }
    seen.set(id, file.name);
    if (rule) rules.push(rule);
    if (filter) filters.push(filter);
    if (named) namedByFilters.push(...named);
  }
  checkNamed(namedByFilters, rules);
  return { rules, filters };
}

/** @throws DetectError `bad-option` for what is no list of files. */
export function checkFiles(files: unknown, what: string): void {
  const shape = "files that were read, such as [{ name: 'mine.yaml', text: '…' }]";
  list(files, what, shape);
  for (const [index, file] of files.entries()) {
    const { name, text } = isRecord(file) ? file : {};
    if (typeof name === 'string' && typeof text === 'string') continue;
    refuse(`${what} takes ${shape}; the entry ${index} is ${shown(file)}`);
  }
}

interface NamedRule {
  readonly id: string;
  readonly place: Place;
}

/** A filter may name the rules beside it and those of this package; filters alone may belong to rules loaded elsewhere. */
function checkNamed(named: readonly NamedRule[], rules: readonly Rule[]): void {
  if (rules.length === 0 || named.length === 0) return;
  const known = new Set(rules.map(({ id }) => id)).add('*');
  const strangers = named.filter(({ id }) => !known.has(id));
  if (strangers.length === 0) return;
  for (const { id } of builtinRules().rules) known.add(id);
  const unknown = strangers.find(({ id }) => !known.has(id));
  if (unknown !== undefined) {
    throw new DetectError(
      'bad-rule',
      `there is no rule ${unknown.id} that a filter could name, neither in these files nor in the built-in pack`,
      { place: unknown.place },
    );
  }
}
