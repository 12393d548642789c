import { DetectError } from './errors.js';
import type { Thresholds } from './scoring.js';
import { SEVERITY_WEIGHT } from './types.js';

// Callers without types give anything. Each of these refuses a value that is not what its place needs, and says what is.

export function refuse(message: string): never {
  throw new DetectError('bad-option', message);
}

/** A value as it can stand in a message: short, and never more than its beginning. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  }
  if (value === null || typeof value !== 'object') {
    return typeof value === 'function' || typeof value === 'symbol'
      ? `a ${typeof value}`
      : String(value);
  }
  if (Array.isArray(value)) return 'a list';
  return holdsOtherwise(value) ? `a ${value.constructor.name}` : 'an object';
}

/** Objects whose contents are no properties: what is given in one would be passed over. */
function holdsOtherwise(value: object): boolean {
  return (
    value instanceof Map ||
    value instanceof Set ||
    value instanceof Date ||
    value instanceof Promise ||
    ArrayBuffer.isView(value)
  );
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !holdsOtherwise(value)
  );
}

export function isStrings(value: unknown): value is readonly string[] {
  // `every` would pass over the holes of a list.
  return Array.isArray(value) && value.findIndex((item) => typeof item !== 'string') === -1;
}

export function record(
  value: unknown,
  what: string,
  shape: string,
): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : refuse(`${what} must be ${shape}; got ${shown(value)}`);
}

export function knownKeys(value: object, known: readonly string[], what: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    refuse(`${what} has no ${shown(unknown)}; known: ${known.join(', ')}`);
  }
}

export function boolean(value: unknown, what: string): void {
  if (typeof value !== 'boolean') refuse(`${what} must be true or false; got ${shown(value)}`);
}

export function severity(value: unknown, what: string): void {
  const known = Object.keys(SEVERITY_WEIGHT);
  if (typeof value !== 'string' || !known.includes(value)) {
    refuse(`${what} must be one of ${known.join(', ')}; got ${shown(value)}`);
  }
}

export function confidence(value: unknown, what: string): void {
  if (typeof value !== 'number' || !(value > 0 && value <= 1)) {
    refuse(`${what} must be a number above 0 and at most 1; got ${shown(value)}`);
  }
}

export function strings(value: unknown, what: string): void {
  if (!isStrings(value)) refuse(`${what} must be a list of strings; got ${shown(value)}`);
}

export function callable(value: unknown, what: string, use: string): void {
  if (typeof value !== 'function') {
    refuse(`${what} must be a function, ${use}; got ${shown(value)}`);
  }
}

export function string(value: unknown, what: string): void {
  if (typeof value !== 'string') refuse(`${what} must be a string; got ${shown(value)}`);
}

/** `undefined` is left to defaults. */
export function optionalString(value: unknown, what: string): void {
  if (value !== undefined) string(value, what);
}

export function number(value: unknown, what: string): void {
  if (typeof value !== 'number' || Number.isNaN(value)) {
    refuse(`${what} must be a number; got ${shown(value)}`);
  }
}

export function list(
  value: unknown,
  what: string,
  of: string,
): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) refuse(`${what} must be a list of ${of}; got ${shown(value)}`);
}

export function wholeNumber(value: unknown, what: string, least: number): void {
  // Infinity is a limit as well.
  if (value === Number.POSITIVE_INFINITY) return;
  if (!Number.isInteger(value) || Number(value) < least) {
    refuse(`${what} must be a whole number from ${least} up; got ${shown(value)}`);
  }
}

/** Options of a call: an object, or left out; every key of it known. */
export function optionsOf(
  value: unknown,
  what: string,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  // Words are made only where they are needed: this runs with every scan.
  if (!isRecord(value)) {
    return record(value, `the options of ${what}`, `an object with ${known.join(', ')}`);
  }
  knownKeys(value, known, `the options of ${what}`);
  return value;
}

/** @throws DetectError `bad-option` for what is no number from 0 to 100, or for thresholds out of order. */
export function checkThresholds(suspicious: unknown, malicious: unknown): Thresholds {
  if (
    typeof suspicious !== 'number' ||
    typeof malicious !== 'number' ||
    !(suspicious >= 0 && suspicious <= malicious && malicious <= 100)
  ) {
    return refuse(
      `thresholds must be 0 ≤ suspicious ≤ malicious ≤ 100; got ${shown(suspicious)} and ${shown(malicious)}`,
    );
  }
  return { suspicious, malicious };
}

/** @throws DetectError `bad-text` for what is no string. */
export function checkText(text: unknown): asserts text is string {
  if (typeof text !== 'string') {
    throw new DetectError('bad-text', `the text must be a string; got ${shown(text)}`);
  }
}

/** @throws DetectError `bad-option` for what is no pair of thresholds. */
export function thresholdsOf(value: unknown): Thresholds {
  const { suspicious, malicious } = record(
    value,
    'thresholds',
    'an object with suspicious and malicious',
  );
  return checkThresholds(suspicious, malicious);
}
