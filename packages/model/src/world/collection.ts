import { fold } from '../fold.js';
import {
  deepEqual,
  eachString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
} from '../json.js';
import { getAt } from '../pointer.js';
import { fill, type Scope } from './template.js';

/** One item of a list or map in the state, with its key there. */
export interface Item {
  readonly key: string;
  readonly value: JsonValue;
}

export function itemsAt(state: JsonObject, pointer: string): Item[] | undefined {
  const held = getAt(state, pointer);
  if (isArray(held)) return held.map((value, index) => ({ key: String(index), value }));
  if (isObject(held)) return Object.entries(held).map(([key, value]) => ({ key, value }));
  return undefined;
}

function sameValue(held: JsonValue | undefined, wanted: JsonValue): boolean {
  if (typeof held === 'string' && typeof wanted === 'string') {
    return held === wanted || fold(held) === fold(wanted);
  }
  if (isArray(held) && !isArray(wanted)) return held.some((item) => sameValue(item, wanted));
  return deepEqual(held, wanted);
}

/**
 * Items whose fields equal the filled templates. A condition whose template names an argument that was not given asks
 * for nothing. A field that holds a list matches when one of its items does.
 */
export function selectItems(
  items: readonly Item[],
  where: Readonly<Record<string, JsonValue>> | undefined,
  scope: Scope,
): Item[] {
  if (where === undefined) return [...items];
  const conditions = Object.entries(where).flatMap(([pointer, template]) => {
    const wanted = fill(template, scope);
    return wanted === undefined ? [] : [{ pointer, wanted }];
  });
  return items.filter(({ value }) =>
    conditions.every(({ pointer, wanted }) => sameValue(getAt(value, pointer), wanted)),
  );
}

/** Items in which every word of the query occurs, folded, in one of the fields. An empty query finds all. */
export function searchItems(
  items: readonly Item[],
  fields: readonly string[],
  query: JsonValue | undefined,
): Item[] {
  const words = fold(typeof query === 'string' ? query : '')
    .split(' ')
    .filter(Boolean);
  if (words.length === 0) return [...items];
  return items.filter(({ value }) => {
    const texts: string[] = [];
    for (const field of fields) {
      const held = getAt(value, field);
      if (typeof held === 'number') texts.push(String(held));
      else eachString(held, (text) => texts.push(text));
    }
    const text = fold(texts.join('\n'));
    return words.every((word) => text.includes(word));
  });
}

/** The named fields of an item, in that order; the item itself when no fields are named. */
export function pickFields(value: JsonValue, fields: readonly string[] | undefined): JsonValue {
  if (fields === undefined || !isObject(value)) return value;
  return Object.fromEntries(
    fields.flatMap((field) => {
      const held = own(value, field);
      return held === undefined ? [] : [[field, held]];
    }),
  );
}
