import { invalidByte } from './decode-text.js';

export type JsonParse =
  | { readonly ok: true; readonly value: unknown; readonly notes: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Deeper values are refused: nothing real is, and code that walks them must not run out of stack. */
export const MAX_DEPTH = 256;

const PLACEHOLDER = '\\u0000pab-number:';
const NUMBERS: Readonly<Record<string, number>> = {
  '\0pab-number:NaN': Number.NaN,
  '\0pab-number:Infinity': Number.POSITIVE_INFINITY,
  '\0pab-number:-Infinity': Number.NEGATIVE_INFINITY,
};

function depthExceeded(text: string): boolean {
  // Most rows have few brackets, and finding them costs less than scanning every character.
  let openings = 0;
  for (const bracket of ['{', '[']) {
    let at = text.indexOf(bracket);
    while (at !== -1 && openings <= MAX_DEPTH) {
      openings += 1;
      at = text.indexOf(bracket, at + 1);
    }
  }
  if (openings <= MAX_DEPTH) return false;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (quoted) {
      if (code === 92) i += 1;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return false;
}

/** Where the string that opens at `from` ends (after its quote), or the length of the text. */
function stringEnd(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 92) i += 1;
    else if (code === 34) return i + 1;
  }
  return text.length;
}

/** Quotes `NaN`, `Infinity` and `-Infinity` outside strings, so that a strict parser takes them. */
function quoteNonFinite(text: string): string {
  const pieces: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; ) {
    if (text.charCodeAt(i) === 34) {
      i = stringEnd(text, i);
      continue;
    }
    const token = ['NaN', 'Infinity', '-Infinity'].find((name) => text.startsWith(name, i));
    if (token === undefined) {
      i += 1;
      continue;
    }
    pieces.push(text.slice(start, i), `"${PLACEHOLDER}${token}"`);
    i += token.length;
    start = i;
  }
  pieces.push(text.slice(start));
  return pieces.join('');
}

function parseNonFinite(text: string): { value: unknown; changed: boolean } | null {
  if (!text.includes('NaN') && !text.includes('Infinity')) return null;
  if (text.includes('pab-number:')) return null;
  try {
    let changed = false;
    const value: unknown = JSON.parse(quoteNonFinite(text), (_key, item: unknown) => {
      if (typeof item !== 'string' || !Object.hasOwn(NUMBERS, item)) return item;
      changed = true;
      return NUMBERS[item];
    });
    return { value, changed };
  } catch {
    return null;
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return LONE_SURROGATE.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, item]) => LONE_SURROGATE.test(key) || hasLoneSurrogate(item),
  );
}

/** Replaces surrogates that have no partner by U+FFFD, in keys and values. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(LONE_SURROGATES, '\ufffd');
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  // `fromEntries` defines properties, so a key `__proto__` stays a plain key.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key.replace(LONE_SURROGATES, '\ufffd'),
      wellFormed(item),
    ]),
  );
}

function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : 'not JSON';
  // V8 quotes the input in some messages; the excerpt of the reject shows it safely instead.
  const known =
    /^(?:Unexpected (?:end of JSON input|token|non-whitespace character)|Expected [^.]{1,60}? in JSON|Unterminated string in JSON|Bad (?:control character|escaped character|Unicode escape))/u.exec(
      message,
    );
  const position = /at position \d+/u.exec(message);
  return `not JSON: ${known === null ? 'unexpected text' : known[0]}${position === null ? '' : ` ${position[0]}`}`;
}

/**
 * Parses one JSON text. `NaN` and the infinities, which Python writes, become those numbers; lone
 * surrogates become U+FFFD; both are noted. Never throws; time is linear in the length.
 */
export function parseJson(text: string): JsonParse {
  const byte = invalidByte(text);
  if (byte !== null) {
    return { ok: false, reason: `not UTF-8: byte 0x${byte.toString(16)}` };
  }
  if (depthExceeded(text)) return { ok: false, reason: `nested deeper than ${MAX_DEPTH}` };
  const notes: string[] = [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const lenient = parseNonFinite(text);
    if (lenient === null || !lenient.changed) return { ok: false, reason: describeFailure(error) };
    value = lenient.value;
    notes.push('NaN or Infinity read as a number');
  }
  // A raw lone surrogate cannot come out of UTF-8, an escaped one can.
  if (/\\u[dD][89a-fA-F]/u.test(text) && hasLoneSurrogate(value)) {
    value = wellFormed(value);
    notes.push('lone surrogate replaced by U+FFFD');
  }
  return { ok: true, value, notes };
}
