import { isArray, isObject, type JsonValue, type Transcript } from '@pab/model';
import type { FieldPath } from './difference.js';

/** What is wrong with the shape of a value, and where. */
export interface ShapeProblem {
  readonly path: FieldPath;
  readonly wanted: string;
}

type Shape = (value: JsonValue | undefined, path: FieldPath) => ShapeProblem | undefined;

const simple =
  (wanted: string, fits: (value: JsonValue | undefined) => boolean): Shape =>
  (value, path) =>
    fits(value) ? undefined : { path, wanted };

const text = simple('a text', (value) => typeof value === 'string');
const flag = simple('true or false', (value) => typeof value === 'boolean');
const count = simple(
  'a whole number of at least 0',
  (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
);
const object = simple('an object', isObject);
const anything: Shape = () => undefined;
const oneOf = (...names: readonly string[]): Shape =>
  simple(
    `one of ${names.join(', ')}`,
    (value) => typeof value === 'string' && names.includes(value),
  );
const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined ? undefined : shape(value, path);
const orNull =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? undefined : shape(value, path);

const list =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!isArray(value)) return { path, wanted: 'a list' };
    for (const [index, item] of value.entries()) {
      const problem = shape(item, [...path, index]);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** An object with exactly these fields; one more is as wrong as one less. */
const record =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value, path) => {
    if (!isObject(value)) return { path, wanted: 'an object' };
    for (const [name, shape] of Object.entries(fields)) {
      const held = Object.hasOwn(value, name) ? value[name] : undefined;
      const problem = shape(held, [...path, name]);
      if (problem !== undefined) return problem;
    }
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(fields, name)) return { path: [...path, name], wanted: 'nothing' };
    }
    return undefined;
  };

const provenance = oneOf('system', 'user', 'environment', 'agent');
const part = record({ text, provenance, source: optional(text), leaf: optional(count) });
const parts = list(part);
const call = record({ id: text, tool: text, args: object, unparsed: optional(text) });
const resultFields = {
  callId: text,
  tool: text,
  parts,
  layout: anything,
  isError: flag,
} as const;
const result = record(resultFields);
const action = record({ defense: text, hook: text, action: text, reason: text });

const message: Shape = (value, path) => {
  const role = isObject(value) && Object.hasOwn(value, 'role') ? value['role'] : undefined;
  const name = oneOf('system', 'user', 'assistant', 'tool');
  if (role === 'assistant') return record({ role: name, parts, calls: list(call) })(value, path);
  if (role === 'tool') return record({ role: name, ...resultFields })(value, path);
  return record({ role: name, parts })(value, path);
};

const tool = record({
  name: text,
  description: parts,
  parameters: object,
  effect: oneOf('read', 'write', 'sink'),
  server: optional(text),
  untrustedSchema: optional(flag),
});

const type = oneOf('prompt', 'model', 'call', 'output');
const turn = { type, session: count, turn: count };
const ENTRIES: Readonly<Record<string, Shape>> = {
  prompt: record({
    ...turn,
    messages: list(message),
    tools: list(tool),
    untouched: flag,
    actions: list(action),
  }),
  model: record({
    type,
    request: text,
    edits: list(record({ index: count, message })),
    text,
    seenText: optional(text),
    calls: list(call),
    stop: oneOf('done', 'calls', 'length', 'blocked'),
    actions: list(action),
  }),
  call: record({
    type,
    proposed: call,
    effective: orNull(call),
    raw: orNull(result),
    seen: result,
    actions: list(action),
  }),
  output: record({ ...turn, text, seen: text, actions: list(action) }),
};

const entry: Shape = (value, path) => {
  const kind = isObject(value) && Object.hasOwn(value, 'type') ? value['type'] : undefined;
  const shape =
    typeof kind === 'string' && Object.hasOwn(ENTRIES, kind) ? ENTRIES[kind] : undefined;
  return shape === undefined ? record({ type })(value, path) : shape(value, path);
};

const transcript = record({
  entries: list(entry),
  stop: oneOf('done', 'max_steps', 'timeout', 'error', 'halted', 'provider_blocked', 'aborted'),
  error: optional(record({ code: text, message: text })),
  usage: record({ modelCalls: count, inputTokens: count, outputTokens: count }),
  modelId: optional(text),
  blackBox: optional(flag),
  finalState: text,
});

/** The first field that keeps a value from being a transcript; undefined when it is one. */
export function transcriptProblem(value: JsonValue | undefined): ShapeProblem | undefined {
  return transcript(value, []);
}

/** @param value something that `transcriptProblem` found nothing wrong with */
export function asTranscript(value: JsonValue): Transcript {
  return value as unknown as Transcript;
}
