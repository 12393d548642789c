import type { Part, Provenance } from '../contracts.js';
import { escapePointer, isArray, isObject, type JsonValue, setOwn } from '../json.js';

/** A result's JSON taken apart: every leaf a part, and the shape that puts them together again. */
export interface TakenApart {
  readonly parts: readonly Part[];
  readonly layout: JsonValue;
}

/**
 * Takes a JSON value apart. Leaf n of the layout is `{"#": n}` for a string and `{"#": n, "raw": true}` for a number, boolean or
 * null, whose text is its JSON. An object of the value that itself looks like a leaf cannot be mistaken for one: objects stand in the layout as
 * `{"{}": …}`, lists as lists.
 */
export function layoutOf(value: JsonValue, source: string, provenance: Provenance): TakenApart {
  const parts: Part[] = [];
  const visit = (inner: JsonValue, pointer: string): JsonValue => {
    if (isArray(inner)) return inner.map((item, index) => visit(item, `${pointer}/${index}`));
    if (isObject(inner)) {
      const shape: Record<string, JsonValue> = {};
      for (const [key, item] of Object.entries(inner)) {
        setOwn(shape, key, visit(item, `${pointer}/${escapePointer(key)}`));
      }
      return { '{}': shape };
    }
    const leaf = parts.length;
    const text = typeof inner === 'string' ? inner : JSON.stringify(inner);
    parts.push({ text, provenance, source: `${source}${pointer}`, leaf });
    return typeof inner === 'string' ? { '#': leaf } : { '#': leaf, raw: true };
  };
  const layout = visit(value, '');
  return { parts, layout };
}
