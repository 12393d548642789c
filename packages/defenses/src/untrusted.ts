import {
  deepEqual,
  isArray,
  isObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type Message,
  type Part,
  setOwn,
  type Task,
  type ToolResult,
  type ToolSpec,
} from '@pab/model';

/**
 * What a defense does to text from outside, wherever it stands. `text` rewrites one text; `around` puts marks before and after a
 * stretch of it. Both leave a text alone by giving nothing new.
 */
export interface Treatment {
  readonly text?: (text: string) => string;
  readonly around?: { readonly open: string; readonly close: string };
}

/** Text that a defense adds is the operator's. */
export function added(text: string): Part {
  return { text, provenance: 'system', source: 'defense' };
}

export function isUntrusted(part: Part): boolean {
  return part.provenance === 'environment';
}

// A number, boolean or null cannot carry words, and as text it would no longer fit the tool's schema.
const SCALAR = /^(?:null|true|false|-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?)$/;

function treatPart(part: Part, { text }: Treatment): Part {
  if (!isUntrusted(part) || text === undefined || part.text === '') return part;
  if (part.leaf !== undefined && SCALAR.test(part.text)) return part;
  const changed = text(part.text);
  return changed === part.text ? part : { ...part, text: changed };
}

/** The same list when nothing in it changed: identity says that nothing was touched. */
function mapSame<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const mapped = items.map((item) => change(item));
  return mapped.some((item, index) => item !== items[index]) ? mapped : items;
}

function wrapRuns(
  parts: readonly Part[],
  { open, close }: { open: string; close: string },
): Part[] {
  const wrapped: Part[] = [];
  let inside = false;
  for (const part of parts) {
    const untrusted = isUntrusted(part) && part.text !== '';
    if (untrusted && !inside) wrapped.push(added(open));
    if (!untrusted && inside) wrapped.push(added(close));
    inside = untrusted;
    wrapped.push(part);
  }
  if (inside) wrapped.push(added(close));
  return wrapped;
}

/** Treats the untrusted parts of a prompt message or a description. */
function treatParts(parts: readonly Part[], treatment: Treatment): readonly Part[] {
  if (!parts.some(isUntrusted)) return parts;
  const texts = mapSame(parts, (part) => treatPart(part, treatment));
  return treatment.around === undefined ? texts : wrapRuns(texts, treatment.around);
}

/**
 * Treats a tool result. Marks go around the whole of it, outside the JSON, so that its values stay values; the renderer puts them on lines
 * of their own. A result that is bare text is treated like a prompt.
 */
export function treatResult(result: ToolResult, treatment: Treatment): ToolResult {
  if (!result.parts.some(isUntrusted)) return result;
  const { around } = treatment;
  let parts: readonly Part[];
  if (result.layout === undefined) parts = treatParts(result.parts, treatment);
  else {
    parts = mapSame(result.parts, (part) => treatPart(part, treatment));
    if (around !== undefined) {
      parts = [added(around.open.trim()), ...parts, added(around.close.trim())];
    }
  }
  return parts === result.parts ? result : { ...result, parts };
}

/** Adds text after a result: on a line of its own after JSON, after a blank line when the result is bare text. */
export function appendToResult(result: ToolResult, text: string): ToolResult {
  const part = added(result.layout === undefined ? `\n\n${text}` : text);
  return { ...result, parts: [...result.parts, part] };
}

/**
 * Treats the messages of a prompt. Tool results in it are from earlier turns of this trial and have been through
 * `treatResult` already.
 */
export function treatMessages(
  messages: readonly Message[],
  treatment: Treatment,
): readonly Message[] {
  return mapSame(messages, (message): Message => {
    if (message.role === 'tool') return message;
    const parts = treatParts(message.parts, treatment);
    return parts === message.parts ? message : { ...message, parts };
  });
}

/** Keywords of a schema whose strings have a meaning for validation: changed, the tool could not be called any more. */
const STRUCTURAL = new Set([
  '$schema',
  '$id',
  '$ref',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  'type',
  'format',
  'pattern',
  'required',
  'dependentRequired',
  'contentEncoding',
  'contentMediaType',
]);

/** Keywords under which the keys are names and not keywords. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/** Keywords whose strings are values that the model gives back; only prose among them is treated. */
const VALUES = new Set(['enum', 'const', 'default']);

const isProse = (text: string): boolean => text.length > 80 || /\S\s+\S+\s+\S+\s+\S/.test(text);

/** Treats every text of an untrusted schema that is not needed as it stands for a call to be valid. */
function treatSchema(schema: JsonSchema, treatment: Treatment): JsonSchema {
  const { text = (held: string) => held, around } = treatment;
  const change = (held: string): string => {
    if (held === '') return held;
    const changed = text(held);
    return around === undefined ? changed : around.open + changed + around.close;
  };
  const values = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return isProse(value) ? change(value) : value;
    if (isArray(value)) return value.map(values);
    return isObject(value) ? eachField(value, (_key, item) => values(item)) : value;
  };
  const names = (value: JsonValue): JsonValue =>
    isObject(value) ? eachField(value, (_key, item) => visit(item)) : visit(value);
  const keyword = (key: string, item: JsonValue): JsonValue => {
    if (STRUCTURAL.has(key)) return item;
    if (NAMED.has(key)) return names(item);
    return VALUES.has(key) ? values(item) : visit(item);
  };
  const visit = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return change(value);
    if (isArray(value)) return value.map(visit);
    return isObject(value) ? eachField(value, keyword) : value;
  };
  const treated = eachField(schema, keyword);
  return deepEqual(treated, schema) ? schema : treated;
}

function eachField(
  value: JsonObject,
  change: (key: string, item: JsonValue) => JsonValue,
): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) setOwn(copy, key, change(key, item));
  return copy;
}

export function treatTools(tools: readonly ToolSpec[], treatment: Treatment): readonly ToolSpec[] {
  return mapSame(tools, (tool) => {
    const description = treatParts(tool.description, treatment);
    const parameters =
      tool.untrustedSchema === true ? treatSchema(tool.parameters, treatment) : tool.parameters;
    return description === tool.description && parameters === tool.parameters
      ? tool
      : { ...tool, description, parameters };
  });
}

/** Treats everything from outside that stands in a task: prompt, earlier turns, descriptions and schemas of tools. */
export function treatTask(task: Task, treatment: Treatment): Task {
  const messages = treatMessages(task.messages, treatment);
  const tools = treatTools(task.tools, treatment);
  return messages === task.messages && tools === task.tools ? task : { ...task, messages, tools };
}

/** Adds to the operator's prompt, after what stands there; a task without one gets one. */
export function announce(task: Task, text: string): Task {
  const index = task.messages.findIndex(({ role }) => role === 'system');
  const held = task.messages[index];
  if (held?.role !== 'system') {
    return { ...task, messages: [{ role: 'system', parts: [added(text)] }, ...task.messages] };
  }
  const message: Message = { role: 'system', parts: [...held.parts, added(`\n\n${text}`)] };
  return { ...task, messages: task.messages.with(index, message) };
}
