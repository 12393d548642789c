import { isArray, isObject, type JsonObject, type JsonValue, setOwn } from '@pab/model';

/** A way into a JSON value. */
export type FieldPath = readonly (string | number)[];

/** Where two JSON values first differ, in the order in which the expected one is written. */
export interface FieldDifference {
  readonly path: FieldPath;
  /** Undefined when the field should not be there. */
  readonly expected: JsonValue | undefined;
  /** Undefined when the field is missing. */
  readonly found: JsonValue | undefined;
}

/** What `verify` found to differ. */
export interface Difference {
  readonly check: Check;
  /** File in the run's folder. */
  readonly file: string;
  /** Line, from 1, in a file of lines. */
  readonly line?: number | undefined;
  /** Offset in the file, in bytes from 0, of the first byte that is not what it should be. */
  readonly byte?: number | undefined;
  /** The field that differs, e.g. `judgement.outcome`. */
  readonly field?: string | undefined;
  readonly message: string;
}

export const CHECKS = [
  'manifest',
  'corpus',
  'plan',
  'transcripts',
  'judgements',
  'digests',
  'summary',
  'official',
] as const;
export type Check = (typeof CHECKS)[number];

/** Walks two values together down to the first field that is not the same; key order does not count. */
export function firstDifference(
  expected: JsonValue | undefined,
  found: JsonValue | undefined,
  path: FieldPath = [],
): FieldDifference | undefined {
  if (expected === found) return undefined;
  if (isArray(expected) && isArray(found)) {
    const length = Math.max(expected.length, found.length);
    for (let index = 0; index < length; index += 1) {
      const inside = firstDifference(expected[index], found[index], [...path, index]);
      if (inside !== undefined) return inside;
    }
    return undefined;
  }
  if (isObject(expected) && isObject(found)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
    for (const key of keys) {
      const wanted = Object.hasOwn(expected, key) ? expected[key] : undefined;
      const held = Object.hasOwn(found, key) ? found[key] : undefined;
      const inside = firstDifference(wanted, held, [...path, key]);
      if (inside !== undefined) return inside;
    }
    return undefined;
  }
  return { path, expected, found };
}

/** `entries[2].raw.parts[0].text` */
export function fieldName(path: FieldPath): string {
  return path
    .map((step, index) =>
      typeof step === 'number'
        ? `[${step}]`
        : /^[\w-]+$/.test(step)
          ? `${index === 0 ? '' : '.'}${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .join('');
}

const SHOWN = 80;

/** A value as a message shows it: its JSON, cut short. */
export function brief(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

/** "found x, not y", with long texts cut to where they part. */
export function foundNot(found: JsonValue | undefined, expected: JsonValue | undefined): string {
  if (typeof found === 'string' && typeof expected === 'string') {
    let same = 0;
    while (same < found.length && found[same] === expected[same]) same += 1;
    const from = Math.max(0, same - 16);
    const cut = (text: string): string => `${from > 0 ? '…' : ''}${text.slice(from)}`;
    return `found ${brief(cut(found))}, not ${brief(cut(expected))}`;
  }
  return `found ${brief(found)}, not ${brief(expected)}`;
}

/** Offset of the first byte in which two texts differ; undefined when they are the same. */
export function firstByte(expected: Uint8Array, found: Uint8Array): number | undefined {
  const length = Math.min(expected.length, found.length);
  for (let index = 0; index < length; index += 1) {
    if (expected[index] !== found[index]) return index;
  }
  return expected.length === found.length ? undefined : length;
}

/** A copy of a value with one field put right, so that its text can be held against what was found. */
export function withField(
  value: JsonValue,
  path: FieldPath,
  wanted: JsonValue | undefined,
): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return wanted;
  if (isArray(value) && typeof step === 'number') {
    const copy = [...value];
    const inner = rest.length === 0 ? wanted : withField(value[step] ?? null, rest, wanted);
    if (inner === undefined) copy.splice(step, 1);
    else copy[step] = inner;
    return copy;
  }
  if (isObject(value)) {
    const copy: Record<string, JsonValue> = {};
    const put = (held: JsonValue | undefined): void => {
      const inner = rest.length === 0 ? wanted : withField(held ?? null, rest, wanted);
      if (inner !== undefined) setOwn(copy, String(step), inner);
    };
    for (const [key, held] of Object.entries(value satisfies JsonObject)) {
      if (key === step) put(held);
      else setOwn(copy, key, held);
    }
    if (!Object.hasOwn(value, String(step))) put(undefined);
    return copy;
  }
  return wanted;
}
