/** A copy of plain data (lists, objects, and what needs no copy) that cannot be changed at any depth. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    // Assigned, this one would not be a key like others.
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: frozenCopy(inner), enumerable: true });
    else copy[key] = frozenCopy(inner);
  }
  return Object.freeze(copy) as T;
}
