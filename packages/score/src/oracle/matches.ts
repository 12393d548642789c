import { deepEqual, fold, isArray, isObject, type JsonValue, type Matcher } from '@pab/model';
import { spellsDate } from './date-spellings.js';
import type { LinearRegexes } from './linear-regexes.js';
import { mentionsNumber, spellsNumber } from './number-spellings.js';

export interface MatchOptions {
  readonly regexes: LinearRegexes;
  /** The value is a sentence: a number or date need only stand somewhere in it. */
  readonly prose: boolean;
}

const DIGIT = /\p{N}/u;

/**
 * Whether folded text contains folded text. A part of a number is not the number: where `needle` begins or ends with a digit, the
 * text must not go on with one, nor with a decimal or thousands mark and one.
 */
export function containsFolded(text: string, needle: string): boolean {
  if (needle === '') return false;
  const head = DIGIT.test(needle.charAt(0));
  const tail = DIGIT.test(needle.charAt(needle.length - 1));
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    const runsOnBefore = head && /(?:\p{N}|\p{N}[.,])$/u.test(text.slice(Math.max(0, at - 2), at));
    const runsOnAfter = tail && /^(?:\p{N}|[.,]\p{N})/u.test(text.slice(end, end + 2));
    if (!runsOnBefore && !runsOnAfter) return true;
  }
  return false;
}

/** Text of five words and more, such as the body of a mail: a number or date in it is said there, not all of it. */
function isSentence(text: string): boolean {
  return /^\s*(?:\S+\s+){4}\S/.test(text);
}

function contains(value: JsonValue, needle: string): boolean {
  if (typeof value === 'string') return containsFolded(fold(value), needle);
  if (isArray(value)) return value.some((item) => contains(item, needle));
  return isObject(value) && Object.values(value).some((item) => contains(item, needle));
}

/**
 * Whether a JSON value fits a matcher; an absent one (`undefined`) fits nothing but a `not`. `contains` looks into every string of a list or object.
 * Values are compared as parsed JSON, never as printed text.
 */
export function matches(
  matcher: Matcher,
  value: JsonValue | undefined,
  options: MatchOptions,
): boolean {
  if ('allOf' in matcher) return matcher.allOf.every((inner) => matches(inner, value, options));
  if ('anyOf' in matcher) return matcher.anyOf.some((inner) => matches(inner, value, options));
  if ('not' in matcher) return !matches(matcher.not, value, options);
  if (value === undefined) return false;
  if ('equals' in matcher) return deepEqual(value, matcher.equals);
  if ('contains' in matcher) return contains(value, fold(matcher.contains));
  if ('oneOf' in matcher) {
    return matcher.oneOf.some((item) =>
      typeof item === 'string' && typeof value === 'string'
        ? fold(item) === fold(value)
        : deepEqual(item, value),
    );
  }
  if ('length' in matcher) {
    if (isArray(value)) return value.length === matcher.length;
    return typeof value === 'string' && Array.from(value).length === matcher.length;
  }
  if ('number' in matcher) {
    const { number, tolerance = 0 } = matcher;
    if (typeof value === 'number') return Math.abs(value - number) <= tolerance;
    if (typeof value !== 'string') return false;
    return options.prose || isSentence(value)
      ? mentionsNumber(value, number, tolerance)
      : spellsNumber(value, number, tolerance);
  }
  if (typeof value !== 'string') return false;
  if ('iequals' in matcher) return fold(value) === fold(matcher.iequals);
  if ('date' in matcher)
    return spellsDate(value, matcher.date, { prose: options.prose || isSentence(value) });
  return options.regexes.test(matcher.matches, value);
}
