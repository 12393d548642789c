/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Keys are own properties; `__proto__` is never one of ours. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON Schema (draft 2020-12 subset) as plain data. */
export type JsonSchema = JsonObject;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** An own property, never one inherited from a prototype. */
export function own(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Sets an own property whatever its name, so that a key such as `__proto__` stays data.
 * Only for objects that the caller has just made.
 */
export function setOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    target[key] = value;
  }
}

/** Equality of JSON values: objects regardless of key order, arrays in order. */
export function deepEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (isArray(a)) {
    return (
      isArray(b) && a.length === b.length && a.every((item, index) => deepEqual(item, b[index]))
    );
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key]))
  );
}

/**
 * JSON text with keys in code-unit order: equal values give equal bytes. What JSON has no words for (`undefined`, functions) is left out of
 * objects and is `null` in lists, as `JSON.stringify` has it.
 */
export function canonicalJson(value: unknown): string {
  return canonical(value) ?? 'null';
}

// Written out rather than a replacer for JSON.stringify: every trial is digested, and this is four times as fast.
function canonical(value: unknown): string | undefined {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? String(value === 0 ? 0 : value) : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      break;
    default:
      return undefined;
  }
  if (Array.isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) text += ',';
      text += canonical(value[index]) ?? 'null';
    }
    return `${text}]`;
  }
  const object = value as Record<string, unknown>;
  let text = '{';
  for (const key of Object.keys(object).toSorted()) {
    const item = canonical(object[key]);
    if (item === undefined) continue;
    text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${item}`;
  }
  return `${text}}`;
}

/** Rebuilds a value with every string replaced by what `change` makes of it; keys are kept. */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
  const visit = (inner: unknown): unknown => {
    if (typeof inner === 'string') return change(inner);
    if (Array.isArray(inner)) return inner.map(visit);
    if (!isObject(inner)) return inner;
    const copy: Record<string, JsonValue> = {};
    for (const [key, item] of Object.entries(inner)) setOwn(copy, key, visit(item) as JsonValue);
    return copy;
  };
  return visit(value) as T;
}

/** Calls `visit` with every string in a value (not its keys) and the JSON pointer to it. */
export function eachString(
  value: unknown,
  visit: (text: string, pointer: string) => void,
  pointer = '',
): void {
  if (typeof value === 'string') visit(value, pointer);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) eachString(item, visit, `${pointer}/${index}`);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      eachString(item, visit, `${pointer}/${escapePointer(key)}`);
    }
  }
}

export function escapePointer(key: string): string {
  // Nearly every key is plain, and every leaf of every result comes through here.
  if (!key.includes('~') && !key.includes('/')) return key;
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
