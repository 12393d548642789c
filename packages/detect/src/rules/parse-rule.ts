import type { DetectErrorCode, Place } from '../errors.js';
import type { Severity } from '../types.js';
import { type Condition, ConditionError, parseCondition } from './condition.js';
import { datedOwaspId, owaspProblem } from './owasp-ids.js';
import { checkPattern } from './pattern.js';
import type { Filter, Rule, RuleDetection, RuleScope, RuleStatus, Selection } from './rule.js';
import { isMap, isScalar, isSeq, type Node, YamlFile } from './yaml-fields.js';

const RULE_KEYS = [
  'id',
  'title',
  'description',
  'severity',
  'confidence',
  'status',
  'scope',
  'tags',
  'define',
  'detection',
  'references',
  'falsepositives',
  'related',
  'tests',
  'author',
  'date',
  'enabled',
];
const SEVERITIES: readonly Severity[] = ['informational', 'low', 'medium', 'high', 'critical'];
const STATUSES: readonly RuleStatus[] = ['experimental', 'test', 'stable', 'deprecated'];
const SCOPES: readonly RuleScope[] = ['input', 'context', 'tool'];
const ID = /^[A-Z][A-Z0-9]{0,15}(?:-[A-Z0-9]{1,16}){1,3}$/;
const LEAST_TESTS = 2;

/** Words that patterns may name as `{{name}}`; they are put in as a group. */
export type Definitions = ReadonlyMap<string, string>;

export interface ParsedFile {
  /** Where the value of `id` stands; a file of definitions has none. */
  readonly idPlace?: Place;
  /** Where each rule that a filter names stands. */
  readonly named?: readonly { readonly id: string; readonly place: Place }[];
  readonly rule?: Rule;
  readonly filter?: Filter;
  readonly definitions?: Definitions;
}

/** Reads one rule file: a rule, a filter, or words shared by the other files. */
export function parseRuleFile(name: string, text: string, shared: Definitions): ParsedFile {
  const file = new YamlFile(name, text);
  const keys = new Set(file.root.items.map((pair) => String(pair.key)));
  if (!keys.has('id') && keys.has('define')) {
    const fields = file.fields(file.root, ['define', 'description'], 'a file of definitions');
    return { definitions: readDefinitions(file, fields.get('define'), shared) };
  }
  if (keys.has('filter')) {
    const filter = readFilter(file, shared);
    return { filter, idPlace: idPlace(file), named: namedIn(file) };
  }
  const rule = readRule(file, shared);
  return { rule, idPlace: idPlace(file) };
}

function idPlace(file: YamlFile): Place {
  const id = file.root.get('id', true);
  return file.place(id ?? file.root);
}

function namedIn(file: YamlFile): { readonly id: string; readonly place: Place }[] {
  const list = file.root.getIn(['filter', 'rules'], true);
  if (!isSeq(list)) return [];
  return list.items
    .filter((item) => isScalar(item))
    .map((item) => ({ id: String(item.value), place: file.place(item) }));
}

function need(file: YamlFile, fields: Map<string, Node>, key: string): Node {
  return fields.get(key) ?? file.missing(key);
}

function readId(file: YamlFile, node: Node): string {
  const id = file.string(node, 'id');
  if (!ID.test(id)) {
    file.fail(
      node,
      `"${id}" is no id: write a name space, a dash and a number, such as PI-001 or ACME-007`,
    );
  }
  return id;
}

function readRule(file: YamlFile, shared: Definitions): Rule {
  const fields = file.fields(file.root, RULE_KEYS, 'a rule');
  const get = (key: string): Node => need(file, fields, key);
  const optional = <T>(key: string, read: (node: Node) => T, otherwise: T): T => {
    const node = fields.get(key);
    return node ? read(node) : otherwise;
  };
  const id = readId(file, get('id'));
  const confidence = file.number(get('confidence'), 'confidence');
  if (!(confidence > 0 && confidence <= 1)) {
    file.fail(get('confidence'), `confidence is ${confidence}; it lies above 0 and at most at 1`);
  }
  const define = fields.get('define');
  const definitions = define ? readDefinitions(file, define, shared) : shared;
  return {
    id,
    title: file.string(get('title'), 'title'),
    description: file.string(get('description'), 'description').trim(),
    severity: file.oneOf(get('severity'), 'severity', SEVERITIES),
    confidence,
    status: file.oneOf(get('status'), 'status', STATUSES),
    scope: optional('scope', (node) => readScope(file, node), ['input', 'context']),
    tags: readTags(file, get('tags')),
    detection: readDetection(file, get('detection'), definitions),
    references: nonEmpty(file, get('references'), 'references'),
    falsepositives: nonEmpty(file, get('falsepositives'), 'falsepositives'),
    related: optional('related', (node) => file.strings(node, 'related'), []),
    tests: readTests(file, get('tests')),
    author: optional('author', (node) => file.string(node, 'author'), ''),
    date: optional('date', (node) => readDate(file, node), ''),
    enabled: optional('enabled', (node) => file.boolean(node, 'enabled'), true),
  };
}

function readDate(file: YamlFile, node: Node): string {
  const date = file.string(node, 'date');
  // A day that the calendar does not have is read as no date, or as another one.
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? new Date(`${date}T00:00:00Z`) : undefined;
  const real = time && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
  if (!real) file.fail(node, `date is "${date}"; write a day of the calendar as YYYY-MM-DD`);
  return date;
}

function nonEmpty(file: YamlFile, node: Node, what: string): readonly string[] {
  const values = file.strings(node, what);
  if (values.length === 0) file.fail(node, `${what} is empty; name at least one`);
  return values;
}

function readScope(file: YamlFile, node: Node): readonly RuleScope[] {
  if (!isSeq(node)) return [file.oneOf(node, 'scope', SCOPES)];
  const scopes = file.items(node, 'scope').map((item) => file.oneOf(item, 'scope', SCOPES));
  if (scopes.length === 0) file.fail(node, 'scope is empty; name at least one');
  return [...new Set(scopes)];
}

function readTags(file: YamlFile, node: Node): Rule['tags'] {
  const fields = file.fields(file.map(node, 'tags'), ['atlas', 'owasp'], 'tags');
  const read = (key: string, problem: (id: string) => string | undefined): readonly string[] => {
    const list = fields.get(key) ?? file.fail(node, `tags.${key} is missing`);
    const values = nonEmpty(file, list, `tags.${key}`);
    for (const [index, value] of values.entries()) {
      const message = problem(value);
      if (message !== undefined) file.fail(file.items(list, `tags.${key}`)[index], message);
    }
    return values;
  };
  return {
    atlas: read('atlas', atlasProblem),
    owasp: read('owasp', owaspProblem).map(datedOwaspId),
  };
}

function atlasProblem(id: string): string | undefined {
  if (/^AML\.T\d{4}(?:\.\d{3})?$/.test(id)) return undefined;
  return `"${id}" in tags.atlas is no id such as AML.T0051.000`;
}

function readTests(file: YamlFile, node: Node): Rule['tests'] {
  const fields = file.fields(file.map(node, 'tests'), ['match', 'no_match'], 'tests');
  const read = (key: string): readonly string[] => {
    const list = fields.get(key) ?? file.fail(node, `tests.${key} is missing`);
    const values = file.strings(list, `tests.${key}`);
    if (values.length < LEAST_TESTS) {
      file.fail(list, `tests.${key} has ${values.length}; at least ${LEAST_TESTS} are needed`);
    }
    return values;
  };
  return { match: read('match'), noMatch: read('no_match') };
}

function readDefinitions(file: YamlFile, node: Node | undefined, shared: Definitions): Definitions {
  const result = new Map(shared);
  if (!node) return result;
  for (const [name, value] of file.fields(file.map(node, 'define'), undefined, 'define')) {
    if (!/^[a-z][a-z0-9_]*$/.test(name))
      file.fail(value, `"${name}" is no name: a-z, 0-9 and _ only`);
    result.set(name, expand(file, value, file.string(value, `define.${name}`), result));
  }
  return result;
}

const LONGEST_PATTERN = 20_000;

function expand(file: YamlFile, node: Node, pattern: string, definitions: Definitions): string {
  const expanded = pattern.replace(/\{\{([a-z0-9_]+)\}\}/g, (_, name: string) => {
    const value = definitions.get(name);
    if (value === undefined) file.fail(node, `nothing is defined as {{${name}}}`);
    return `(?:${value})`;
  });
  if (expanded.length > LONGEST_PATTERN) {
    file.fail(
      node,
      `the pattern has ${expanded.length} characters; ${LONGEST_PATTERN} is the most`,
    );
  }
  return expanded;
}

function readPatterns(
  file: YamlFile,
  node: Node,
  definitions: Definitions,
  what: string,
): readonly string[] {
  const patterns = file.items(node, what).map((item) => {
    const source = file.string(item, `an entry of ${what}`);
    const pattern = expand(file, item, source, definitions);
    const problem = checkPattern(pattern);
    if (problem) {
      const code: DetectErrorCode = problem.unsupported ? 'unsupported-pattern' : 'bad-rule';
      const at = problem.offset > 0 ? ` (character ${problem.offset + 1})` : '';
      file.fail(item, `the pattern ${quote(source)}${at} ${problem.message}`, code);
    }
    return pattern;
  });
  if (patterns.length === 0) file.fail(node, `${what} is empty; name at least one pattern`);
  return patterns;
}

function quote(text: string): string {
  return `\`${text.length > 80 ? `${text.slice(0, 77)}…` : text}\``;
}

function readDetection(file: YamlFile, node: Node, definitions: Definitions): RuleDetection {
  const fields = file.fields(file.map(node, 'detection'), undefined, 'detection');
  const conditionNode =
    fields.get('condition') ?? file.fail(node, 'detection.condition is missing');
  const source = file.string(conditionNode, 'detection.condition');
  fields.delete('condition');
  if (source === 'any' || source === 'all') {
    const list = fields.get('patterns');
    if (!list || fields.size !== 1) {
      file.fail(
        node,
        `condition: ${source} goes with one list, patterns; for named selections write their names`,
      );
    }
    const patterns = readPatterns(file, list, definitions, 'detection.patterns');
    return {
      selections: { patterns: { patterns, all: source === 'all' } },
      condition: { kind: 'selection', name: 'patterns' },
    };
  }
  const selections: [string, Selection][] = [];
  for (const [name, value] of fields) {
    if (!/^_?[a-z][a-z0-9_]*$/.test(name) || RESERVED.has(name)) {
      file.fail(
        value,
        `"${name}" cannot name a selection: a-z, 0-9 and _, and no word of the condition language`,
      );
    }
    selections.push([name, readSelection(file, value, definitions, `detection.${name}`)]);
  }
  return {
    selections: Object.fromEntries(selections),
    condition: readCondition(file, conditionNode, source, selections),
  };
}

const RESERVED = new Set(['and', 'or', 'not', 'of', 'all', 'them', 'any', 'constructor']);

function readSelection(
  file: YamlFile,
  node: Node,
  definitions: Definitions,
  what: string,
): Selection {
  if (!isMap(node)) return { patterns: readPatterns(file, node, definitions, what), all: false };
  const fields = file.fields(node, ['any', 'all'], what);
  const [entry] = fields;
  if (!entry || fields.size !== 1) file.fail(node, `${what} has either any: or all:`);
  return { patterns: readPatterns(file, entry[1], definitions, what), all: entry[0] === 'all' };
}

function readCondition(
  file: YamlFile,
  node: Node,
  source: string,
  selections: readonly (readonly [string, Selection])[],
): Condition {
  const names = selections.map(([name]) => name);
  try {
    return parseCondition(source, names);
  } catch (error) {
    if (error instanceof ConditionError) {
      file.fail(node, `condition, character ${error.offset + 1}: ${error.message}`);
    }
    throw error;
  }
}

function readFilter(file: YamlFile, shared: Definitions): Filter {
  const known = ['id', 'title', 'description', 'filter', 'define', 'author', 'date'];
  const fields = file.fields(file.root, known, 'a filter');
  const define = fields.get('define');
  const definitions = define ? readDefinitions(file, define, shared) : shared;
  const node = need(file, fields, 'filter');
  const body = file.fields(file.map(node, 'filter'), ['rules', 'exclude'], 'filter');
  const rules = body.get('rules') ?? file.fail(node, 'filter.rules is missing');
  const exclude = body.get('exclude') ?? file.fail(node, 'filter.exclude is missing');
  const description = fields.get('description');
  return {
    id: readId(file, need(file, fields, 'id')),
    title: file.string(need(file, fields, 'title'), 'title'),
    description: description ? file.string(description, 'description').trim() : '',
    rules: nonEmpty(file, rules, 'filter.rules'),
    exclude: readPatterns(file, exclude, definitions, 'filter.exclude'),
  };
}
