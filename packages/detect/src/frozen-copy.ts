import { lazily } from './views/character-classes.js';

/** What was made here, which need not be copied again. */
const frozen: () => WeakSet<object> = lazily(() => new WeakSet());

/** A copy of plain data (lists, objects, and what needs no copy) that cannot be changed at any depth. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null || frozen().has(value)) return value;
  const copy = Array.isArray(value) ? value.map(frozenCopy) : copyOf(value);
  frozen().add(Object.freeze(copy));
  return copy as T;
}

function copyOf(value: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    // Assigned, this one would not be a key like others.
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: frozenCopy(inner), enumerable: true });
    else copy[key] = frozenCopy(inner);
  }
  return copy;
}
