import { isArray, isObject, type JsonValue, own, setOwn } from './json.js';

/** Steps of a JSON pointer (RFC 6901); undefined when the text is not one. */
export function pointerSteps(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  const steps = pointer.slice(1).split('/');
  if (!pointer.includes('~')) return steps;
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function arrayIndex(step: string): number | undefined {
  return /^(?:0|[1-9]\d{0,9})$/.test(step) ? Number(step) : undefined;
}

/** The value at a JSON pointer, or undefined when there is none. */
export function getAt(value: JsonValue, pointer: string): JsonValue | undefined {
  const steps = pointerSteps(pointer);
  if (steps === undefined) return undefined;
  let at: JsonValue | undefined = value;
  for (const step of steps) {
    if (isArray(at)) {
      const index = arrayIndex(step);
      at = index === undefined ? undefined : at[index];
    } else if (isObject(at)) {
      at = own(at, step);
    } else {
      return undefined;
    }
    if (at === undefined) return undefined;
  }
  return at;
}

/**
 * A copy of `value` with `next` at the pointer; everything beside the path is shared, not copied.
 * The parent must exist; `-` or the length appends to an array. Undefined when the parent does not.
 */
export function setAt(value: JsonValue, pointer: string, next: JsonValue): JsonValue | undefined {
  const steps = pointerSteps(pointer);
  return steps === undefined ? undefined : setSteps(value, steps, next);
}

function setSteps(
  value: JsonValue,
  steps: readonly string[],
  next: JsonValue,
): JsonValue | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return next;
  if (isArray(value)) {
    const index = step === '-' ? value.length : arrayIndex(step);
    if (index === undefined || index > value.length) return undefined;
    const inner = rest.length === 0 ? next : setSteps(value[index] ?? null, rest, next);
    return inner === undefined ? undefined : value.toSpliced(index, 1, inner);
  }
  if (!isObject(value)) return undefined;
  const held = own(value, step);
  if (held === undefined && rest.length > 0) return undefined;
  const inner = rest.length === 0 ? next : setSteps(held ?? null, rest, next);
  if (inner === undefined) return undefined;
  const copy: Record<string, JsonValue> = { ...value };
  setOwn(copy, step, inner);
  return copy;
}
