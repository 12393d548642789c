import { refuse } from './check-values.js';
import { lazily } from './views/character-classes.js';

/** What was made here, which need not be copied again. */
const frozen: () => WeakSet<object> = lazily(() => new WeakSet());

/** Conditions are 64 deep at most, each with a list around it. */
const DEEPEST = 256;

/**
 * A copy of plain data (lists, objects, and what needs no copy) that cannot be changed at any depth.
 *
 * @throws DetectError `bad-option` for what holds itself, and for what is nested too deeply.
 */
export function frozenCopy<T>(value: T): T {
  return copied(value, new Map(), 0) as T;
}

/** `copies` has those that are made already, and `undefined` for one that is being made. */
function copied(value: unknown, copies: Map<object, object | undefined>, depth: number): unknown {
  if (typeof value !== 'object' || value === null || frozen().has(value)) return value;
  const made = copies.get(value);
  if (made !== undefined) return made;
  if (copies.has(value)) refuse('rules must be plain data, and an object in them holds itself');
  if (depth > DEEPEST) refuse(`rules must not be nested more than ${DEEPEST} deep`);
  copies.set(value, undefined);
  const each = (inner: unknown): unknown => copied(inner, copies, depth + 1);
  const copy = Array.isArray(value) ? value.map(each) : copyOf(value, each);
  copies.set(value, copy);
  frozen().add(Object.freeze(copy));
  return copy;
}

function copyOf(value: object, each: (inner: unknown) => unknown): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    // Assigned, this one would not be a key like others.
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: each(inner), enumerable: true });
    else copy[key] = each(inner);
  }
  return copy;
}
