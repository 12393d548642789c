import {
  type Count,
  deepEqual,
  getAt,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  type StateOracle,
} from '@pab/model';
import { type MatchOptions, matches } from './matches.js';

export function countFits(count: Count | undefined, found: number): boolean {
  if (count === undefined) return found >= 1;
  if (typeof count === 'number') return found === count;
  return found >= (count.min ?? 0) && found <= (count.max ?? Number.POSITIVE_INFINITY);
}

/** Items of a list or values of a map; nothing of anything else. */
function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function matching(
  state: JsonObject,
  { path, where = {} }: StateOracle,
  options: MatchOptions,
): JsonValue[] {
  const fields = Object.entries(where);
  return itemsOf(getAt(state, path)).filter((item) =>
    fields.every(([pointer, matcher]) => matches(matcher, getAt(item, pointer), options)),
  );
}

/**
 * Whether the end state is as the oracle says. With `where`, `exists`, `absent` and `count` speak of the matching items, `equals` and `is` of
 * some matching item, `unchanged` of all of them in order. Without a condition it means `exists`.
 */
export function stateHolds(
  oracle: StateOracle,
  start: JsonObject,
  end: JsonObject,
  options: MatchOptions,
): boolean {
  const { equals, is } = oracle;
  if (oracle.where !== undefined) {
    const items = matching(end, oracle, options);
    if (oracle.absent === true) return items.length === 0;
    if (oracle.count !== undefined) return countFits(oracle.count, items.length);
    if (oracle.unchanged === true) return deepEqual(items, matching(start, oracle, options));
    if (equals !== undefined) return items.some((item) => deepEqual(item, equals));
    if (is !== undefined) return items.some((item) => matches(is, item, options));
    return items.length > 0;
  }
  const value = getAt(end, oracle.path);
  if (oracle.absent === true) return value === undefined;
  if (oracle.count !== undefined) return countFits(oracle.count, itemsOf(value).length);
  if (oracle.unchanged === true) return deepEqual(value, getAt(start, oracle.path));
  if (equals !== undefined) return deepEqual(value, equals);
  if (is !== undefined) return matches(is, value, options);
  return value !== undefined;
}
