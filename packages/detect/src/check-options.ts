import { checkTrustedDomains } from './check-output-options.js';
import {
  boolean,
  confidence,
  isRecord,
  isStrings,
  knownKeys,
  record,
  refuse,
  severity,
  shown,
  strings,
} from './check-values.js';
import { builtinRules } from './rules/builtin-rules.js';
import type { RuleOverrides } from './rules/overrides.js';
import type { RulePack } from './rules/rule.js';

// Options come from configuration files and from callers without types. A wrong one that is passed over leaves a
// scanner that finds nothing, so each is refused when the scanner is made.

const OPTION_NAMES = [
  'rules',
  'overrides',
  'maliciousThreshold',
  'suspiciousThreshold',
  'trustedDomains',
  'deobfuscate',
  'classifier',
];
const OVERRIDE_NAMES = ['enabled', 'severity', 'confidence'];
const SCOPES = ['input', 'context', 'tool'];
const STATUSES = ['experimental', 'test', 'stable', 'deprecated'];

function checkOverrides(overrides: unknown): void {
  const shape = 'an object such as { "PI-001": { enabled: false } }';
  for (const [id, value] of Object.entries(record(overrides, 'overrides', shape))) {
    const what = `overrides[${shown(id)}]`;
    const override = record(value, what, `an object with ${OVERRIDE_NAMES.join(', ')}`);
    knownKeys(override, OVERRIDE_NAMES, what);
    if (override['enabled'] !== undefined) boolean(override['enabled'], `${what}.enabled`);
    if (override['severity'] !== undefined) severity(override['severity'], `${what}.severity`);
    if (override['confidence'] !== undefined) {
      confidence(override['confidence'], `${what}.confidence`);
    }
  }
}

/** A condition of the shape that `parseCondition` gives, of selections that are there. */
function isCondition(value: unknown, names: ReadonlySet<string>, depth = 0): boolean {
  if (!isRecord(value) || depth > 64) return false;
  const each = (parts: unknown): boolean =>
    Array.isArray(parts) &&
    parts.length > 0 &&
    // `every` would pass over the holes of a list.
    parts.findIndex((part) => !isCondition(part, names, depth + 1)) === -1;
  switch (value['kind']) {
    case 'selection':
      return typeof value['name'] === 'string' && names.has(value['name']);
    case 'and':
      return (
        each(value['all']) && isStrings(value['not']) && value['not'].every((not) => names.has(not))
      );
    case 'or':
      return each(value['any']);
    default:
      return false;
  }
}

function checkDetection(value: unknown, what: string): void {
  const detection = record(value, what, 'an object with selections and condition');
  const selections = record(detection['selections'], `${what}.selections`, 'an object of lists');
  for (const [name, one] of Object.entries(selections)) {
    const where = `${what}.selections[${shown(name)}]`;
    const selection = record(one, where, 'an object with patterns and all');
    strings(selection['patterns'], `${where}.patterns`);
    boolean(selection['all'], `${where}.all`);
  }
  if (!isCondition(detection['condition'], new Set(Object.keys(selections)))) {
    refuse(`${what}.condition must be a condition over the names of its selections`);
  }
}

function checkRule(value: unknown, index: number): string {
  const at = `rules[${index}]`;
  const rule = record(value, at, 'a rule as loadRules gives it');
  const { id } = rule;
  if (typeof id !== 'string' || id === '') {
    return refuse(`${at}.id must be a string that is not empty; got ${shown(id)}`);
  }
  const what = `${at} (${id.slice(0, 40)})`;
  if (typeof rule['title'] !== 'string') refuse(`${what}.title must be a string`);
  severity(rule['severity'], `${what}.severity`);
  confidence(rule['confidence'], `${what}.confidence`);
  boolean(rule['enabled'], `${what}.enabled`);
  const { status } = rule;
  if (typeof status !== 'string' || !STATUSES.includes(status)) {
    refuse(`${what}.status must be one of ${STATUSES.join(', ')}; got ${shown(status)}`);
  }
  const { scope } = rule;
  if (!isStrings(scope) || scope.length === 0 || scope.some((one) => !SCOPES.includes(one))) {
    refuse(`${what}.scope must be a list of ${SCOPES.join(', ')}; got ${shown(scope)}`);
  }
  const tags = record(rule['tags'], `${what}.tags`, 'an object with atlas and owasp');
  strings(tags['atlas'], `${what}.tags.atlas`);
  strings(tags['owasp'], `${what}.tags.owasp`);
  checkDetection(rule['detection'], `${what}.detection`);
  const tests = record(rule['tests'], `${what}.tests`, 'an object with match and noMatch');
  strings(tests['match'], `${what}.tests.match`);
  strings(tests['noMatch'], `${what}.tests.noMatch`);
  return id;
}

function checkFilter(value: unknown, what: string, ids: ReadonlySet<string>): void {
  const filter = record(value, what, 'a filter as loadRules gives it');
  strings(filter['rules'], `${what}.rules`);
  strings(filter['exclude'], `${what}.exclude`);
  const named = isStrings(filter['rules']) ? filter['rules'] : [];
  const strangers = named.filter((id) => id !== '*' && !ids.has(id));
  if (strangers.length === 0) return;
  // Files that are used beside the built-in rules and alone may have a filter for one of those.
  const builtin = new Set(builtinRules().rules.map(({ id }) => id));
  const unknown = strangers.find((id) => !builtin.has(id));
  if (unknown !== undefined) {
    refuse(
      `${what} takes matches from ${shown(unknown)}, and there is no such rule; there are: ${[...ids].join(', ')}`,
    );
  }
}

/** @throws DetectError `bad-option` for filters without any rule, with which a scanner would find nothing. */
export function checkNotEmpty(pack: RulePack): RulePack {
  if (pack.rules.length === 0 && pack.filters.length > 0) {
    refuse(
      'rules has filters and no rule; put the rules beside them that they belong to, such as builtinRules().rules',
    );
  }
  return pack;
}

/**
 * Checks that a value has the shape of a pack.
 *
 * @throws DetectError `bad-option` that names the rule and the field, also for two rules of one id and for a filter of a
 *   rule that is neither in the pack nor built in.
 */
export function checkPack(pack: RulePack): RulePack {
  const { rules, filters } = record(
    pack,
    'rules',
    'a list of rules, or an object with rules and filters',
  );
  if (!Array.isArray(rules)) return refuse(`rules must be a list of rules; got ${shown(rules)}`);
  if (!Array.isArray(filters)) return refuse(`filters must be a list; got ${shown(filters)}`);
  const ids = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    const id = checkRule(rule, index);
    if (ids.has(id)) refuse(`rules has ${shown(id)} twice; every rule has an id of its own`);
    ids.add(id);
  }
  for (const [index, value] of filters.entries()) checkFilter(value, `filters[${index}]`, ids);
  return pack;
}

/**
 * Checks the options of a scanner.
 *
 * @throws DetectError `bad-option` that says which option is wrong and what it may be.
 */
export function checkOptions(options: unknown): void {
  const given = record(options, 'the options of Scanner', 'an object');
  knownKeys(given, OPTION_NAMES, 'the options of Scanner');
  const { overrides, trustedDomains, deobfuscate, classifier } = given;
  if (overrides !== undefined) checkOverrides(overrides);
  if (trustedDomains !== undefined) checkTrustedDomains(trustedDomains);
  if (deobfuscate !== undefined) boolean(deobfuscate, 'deobfuscate');
  if (classifier === undefined || classifier === false) return;
  const detect: unknown =
    typeof classifier === 'object' && classifier !== null
      ? Reflect.get(classifier, 'detect')
      : undefined;
  if (typeof detect !== 'function') {
    refuse(
      `classifier must be false or an object with a function detect, as createClassifier gives it; got ${shown(classifier)}`,
    );
  }
}

/** @throws DetectError `bad-option` for an override of a rule that the pack does not have. */
export function checkOverridden(pack: RulePack, overrides: RuleOverrides): void {
  const known = new Set(pack.rules.map((rule) => rule.id));
  const unknown = Object.keys(overrides).find((id) => !known.has(id));
  if (unknown !== undefined) {
    refuse(`there is no rule ${unknown} to override; there are: ${[...known].join(', ')}`);
  }
}

/**
 * Checks what a classifier found: a severity or a confidence out of range would make the score no number.
 *
 * @throws DetectError `bad-option`
 */
export function checkLearned(detection: unknown): void {
  const what = 'what classifier.detect gives';
  const found = record(detection, what, 'undefined or a detection');
  if (typeof found['id'] !== 'string') refuse(`${what} must have an id`);
  severity(found['severity'], `the severity in ${what}`);
  const { confidence: sure } = found;
  if (typeof sure !== 'number' || !(sure >= 0 && sure <= 1)) {
    refuse(`the confidence in ${what} must be a number from 0 to 1; got ${shown(sure)}`);
  }
}
