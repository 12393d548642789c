import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { string } from '../check-values.js';
import { DetectError } from '../errors.js';
import type { Scope, Severity, Verdict } from '../types.js';

/** Which events count. Every part that is given must hold; a list holds when one of its entries does. */
export interface EventSelector {
  /** Rule ids; a final `*` stands for any ending. */
  readonly rules?: readonly string[];
  /** MITRE ATLAS techniques; a technique holds for its sub-techniques. */
  readonly atlas?: readonly string[];
  readonly directions?: readonly Scope[];
  readonly verdicts?: readonly Verdict[];
}

export type GroupField = 'SessionId' | 'User' | 'Source';

/** What is counted: `rule_id`, `input_sha256`, `ContentId`, `User`. */
export type CountedField = 'rule_id' | 'input_sha256' | 'ContentId' | 'User';

interface CorrelationBase {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  /** Events are put together when all of these are equal; an event that lacks one is left out. */
  readonly groupBy: readonly GroupField[];
  /** Milliseconds from the first to the last event. */
  readonly timespan: number;
}

/** A pattern over several events, in the terms of Sigma correlations. */
export type Correlation =
  | (CorrelationBase & {
      readonly type: 'event_count';
      readonly events: EventSelector;
      /** Events that are needed, at least 1. */
      readonly atLeast: number;
    })
  | (CorrelationBase & {
      readonly type: 'value_count';
      readonly events: EventSelector;
      readonly field: CountedField;
      /** Different values that are needed, at least 1. */
      readonly atLeast: number;
    })
  | (CorrelationBase & {
      readonly type: 'temporal_ordered';
      /** One event for each, in this order, each no earlier than the one before and another event than it. */
      readonly steps: readonly EventSelector[];
    });

const MINUTE = 60_000;

/** Correlations that come with the package. */
export const builtinCorrelations: readonly Correlation[] = [
  {
    id: 'PBC-001',
    title: 'Slow burn: several texts of one session are suspicious, none alone is malicious',
    severity: 'high',
    type: 'event_count',
    events: { verdicts: ['suspicious'] },
    groupBy: ['SessionId'],
    timespan: 60 * MINUTE,
    atLeast: 3,
  },
  {
    id: 'PBC-002',
    title: 'Probing: one session sets off several different rules',
    severity: 'medium',
    type: 'value_count',
    events: { directions: ['input'] },
    field: 'rule_id',
    groupBy: ['SessionId'],
    timespan: 10 * MINUTE,
    atLeast: 4,
  },
  {
    id: 'PBC-003',
    title:
      'Injection, then leak: a reply carries data out, or asks for credentials, after content with an injection was read',
    severity: 'critical',
    type: 'temporal_ordered',
    steps: [
      { directions: ['input', 'context', 'tool'], verdicts: ['suspicious', 'malicious'] },
      {
        directions: ['output'],
        rules: ['PB-CANARY', 'PB-CREDENTIALS', 'PB-EXFIL-*', 'PB-SMUGGLE'],
      },
    ],
    groupBy: ['SessionId'],
    timespan: 60 * MINUTE,
  },
];

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: MINUTE,
  h: 60 * MINUTE,
  d: 1440 * MINUTE,
};
const SCOPES: readonly Scope[] = ['input', 'context', 'output', 'tool'];
const VERDICTS: readonly Verdict[] = ['benign', 'suspicious', 'malicious'];
const SEVERITIES: readonly Severity[] = ['informational', 'low', 'medium', 'high', 'critical'];
const GROUP_FIELDS: readonly GroupField[] = ['SessionId', 'User', 'Source'];
const COUNTED_FIELDS: readonly CountedField[] = ['rule_id', 'input_sha256', 'ContentId', 'User'];

/** Reads one mapping of a correlation file and refuses what it does not know. */
class Mapping {
  readonly #values: ReadonlyMap<unknown, unknown>;
  readonly #where: string;
  readonly #file: string;

  constructor(value: unknown, where: string, file: string) {
    this.#where = where;
    this.#file = file;
    if (!(value instanceof Map)) throw this.#error('a mapping is needed');
    this.#values = value;
  }

  #error(problem: string): DetectError {
    return new DetectError('bad-rule', `${this.#file}: ${this.#where}: ${problem}`);
  }

  only(...keys: readonly string[]): void {
    for (const key of this.#values.keys()) {
      if (typeof key === 'string' && keys.includes(key)) continue;
      throw this.#error(`unknown key ${JSON.stringify(key)}; known are ${keys.join(', ')}`);
    }
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  text(key: string): string {
    const value = this.#values.get(key);
    if (typeof value === 'string' && value !== '') return value;
    throw this.#error(`${key} must be a text`);
  }

  count(key: string): number {
    const value = this.#values.get(key);
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
    throw this.#error(`${key} must be a whole number from 1 up`);
  }

  one<T extends string>(key: string, known: readonly T[]): T {
    const value = this.text(key);
    const found = known.find((one) => one === value);
    if (found === undefined) throw this.#error(`${key} must be one of ${known.join(', ')}`);
    return found;
  }

  texts(key: string): string[] {
    const value = this.#values.get(key);
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (list.length === 0) throw this.#error(`${key} must not be empty`);
    return list.map((one) => {
      if (typeof one === 'string' && one !== '') return one;
      throw this.#error(`${key} must be a text or a list of texts`);
    });
  }

  many<T extends string>(key: string, known: readonly T[]): T[] {
    return this.texts(key).map((value) => {
      const found = known.find((one) => one === value);
      if (found !== undefined) return found;
      throw this.#error(`${key} must be among ${known.join(', ')}`);
    });
  }

  child(key: string): Mapping {
    return new Mapping(this.#values.get(key), `${this.#where}.${key}`, this.#file);
  }

  children(key: string): Mapping[] {
    const value = this.#values.get(key);
    if (!Array.isArray(value) || value.length === 0) throw this.#error(`${key} must be a list`);
    return value.map((one, i) => new Mapping(one, `${this.#where}.${key}[${i}]`, this.#file));
  }

  duration(key: string): number {
    const match = /^(\d{1,6})([smhd])$/.exec(this.text(key));
    const unit = UNITS[match?.[2] ?? ''];
    if (match === null || unit === undefined || Number(match[1]) === 0) {
      throw this.#error(`${key} must be a number with s, m, h or d, such as 10m`);
    }
    return Number(match[1]) * unit;
  }
}

function selectorOf(mapping: Mapping): EventSelector {
  mapping.only('rules', 'atlas', 'directions', 'verdicts');
  return {
    ...(mapping.has('rules') ? { rules: mapping.texts('rules') } : {}),
    ...(mapping.has('atlas') ? { atlas: mapping.texts('atlas') } : {}),
    ...(mapping.has('directions') ? { directions: mapping.many('directions', SCOPES) } : {}),
    ...(mapping.has('verdicts') ? { verdicts: mapping.many('verdicts', VERDICTS) } : {}),
  };
}

function correlationOf(value: unknown, file: string): Correlation {
  const mapping = new Mapping(value, 'correlation', file);
  mapping.only('id', 'title', 'level', 'correlation');
  const inner = mapping.child('correlation');
  inner.only('type', 'events', 'steps', 'group-by', 'timespan', 'condition');
  const base = {
    id: mapping.text('id'),
    title: mapping.text('title'),
    severity: mapping.one('level', SEVERITIES),
    groupBy: inner.many('group-by', GROUP_FIELDS),
    timespan: inner.duration('timespan'),
  };
  const type = inner.one('type', ['event_count', 'value_count', 'temporal_ordered'] as const);
  if (type === 'temporal_ordered') {
    return { ...base, type, steps: inner.children('steps').map(selectorOf) };
  }
  const condition = inner.child('condition');
  condition.only('gte', 'field');
  const events = selectorOf(inner.child('events'));
  const atLeast = condition.count('gte');
  if (type === 'event_count') return { ...base, type, events, atLeast };
  return { ...base, type, events, atLeast, field: condition.one('field', COUNTED_FIELDS) };
}

/** What stands wrong in a document, and where. */
interface Fault {
  readonly message: string;
  /** UTF-16 offset. */
  readonly at: number;
}

/** The first key that stands twice in one mapping. The parser compares each with all before it, so it is told not to. */
function repeatedKey(root: unknown): Fault | undefined {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isSeq(node)) open.push(...node.items.toReversed().filter((item) => item !== undefined));
    if (!isMap(node)) continue;
    const keys = new Set<unknown>();
    for (const { key, value } of node.items) {
      if (isScalar(key)) {
        if (keys.has(key.value)) {
          const message = `the key ${JSON.stringify(key.value)} stands twice in one mapping`;
          return { message, at: key.range?.[0] ?? 0 };
        }
        keys.add(key.value);
      } else if (key !== null) open.push(key);
      if (value !== null && value !== undefined) open.push(value);
    }
  }
  return undefined;
}

/** One document of a file, which begins after `before` line ends. */
function valueOf(yaml: string, file: string, before: number): unknown {
  let fault: Fault | undefined;
  let problem: unknown;
  try {
    const document = parseDocument(yaml, { prettyErrors: false, uniqueKeys: false });
    const [error] = document.errors;
    problem = error;
    fault =
      error === undefined
        ? repeatedKey(document.contents)
        : { message: error.message, at: error.pos[0] };
    if (fault === undefined) return document.toJS({ mapAsMap: true, maxAliasCount: 0 });
  } catch (error) {
    problem = error;
  }
  const said = problem instanceof Error ? problem.message : String(problem);
  // The parser calls itself for each level, until there is no room left.
  const tooDeep = /call stack/i.test(said);
  const where = tooDeep ? 'nested too deeply' : fault ? placed(fault, yaml, before) : said;
  throw new DetectError('bad-rule', `${file}: ${where}`, { cause: problem });
}

function placed({ message, at }: Fault, yaml: string, before: number): string {
  const lines = yaml.slice(0, at).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return `${message} at line ${before + lines.length}, column ${column}`;
}

/**
 * Reads correlations from YAML, one a document.
 *
 * @throws DetectError `bad-rule` with the file's name, and the place of what is wrong.
 */
export function parseCorrelations(source: string, file = 'correlations.yml'): Correlation[] {
  string(source, 'what parseCorrelations reads');
  string(file, 'the name of the file');
  const found: Correlation[] = [];
  const ids = new Set<string>();
  let before = 0;
  for (const part of source.split(/^---[ \t]*$/m)) {
    const value = part.trim() === '' ? null : valueOf(part, file, before);
    before += part.split('\n').length - 1;
    if (value === null) continue;
    const correlation = correlationOf(value, file);
    if (ids.has(correlation.id)) {
      throw new DetectError('bad-rule', `${file}: the id ${correlation.id} stands twice`);
    }
    ids.add(correlation.id);
    found.push(correlation);
  }
  return found;
}
