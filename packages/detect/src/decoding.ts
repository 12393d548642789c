import {
  boolean,
  callable,
  checkText,
  isRecord,
  optionsOf,
  refuse,
  shown,
  wholeNumber,
} from './check-values.js';
import type { Span, View, Views } from './types.js';
import { type DecodeOptions, decodeViews as decoded, rawSpan as rawSpanOf } from './views/index.js';

// What is called many times for one text within this package checks nothing; these are for callers outside.

const OPTIONS = ['deobfuscate', 'maxDepth', 'maxReadings', 'maxUnits', 'meter'];

/**
 * All readings of a text: the original first, then what decoders make of it, any after any other,
 * the most telling first. Time and memory are linear in the text.
 *
 * @throws DetectError `bad-text` for what is no string, and `bad-option` for an option that is unknown or wrong.
 */
export function decodeViews(text: string, options: DecodeOptions = {}): Views {
  checkText(text);
  const { deobfuscate, maxDepth, maxReadings, maxUnits, meter } = optionsOf(
    options,
    'decodeViews',
    OPTIONS,
  );
  if (deobfuscate !== undefined) boolean(deobfuscate, 'deobfuscate');
  if (maxDepth !== undefined) wholeNumber(maxDepth, 'maxDepth', 0);
  if (maxReadings !== undefined) wholeNumber(maxReadings, 'maxReadings', 0);
  if (maxUnits !== undefined) wholeNumber(maxUnits, 'maxUnits', 0);
  if (meter !== undefined) callable(meter, 'meter', 'such as (units) => { total += units; }');
  return decoded(text, options);
}

/**
 * Where a part of a view stands in the raw text: half-open ranges of UTF-16 code units; what lies outside of the view is
 * moved to its ends.
 *
 * @throws DetectError `bad-option` for what is no view, and for offsets that are no whole numbers.
 */
export function rawSpan(view: View, start: number, end: number): Span {
  const given: unknown = view;
  if (!isRecord(given) || typeof given['text'] !== 'string' || typeof given['name'] !== 'string') {
    refuse(`rawSpan takes one of the views of decodeViews; got ${shown(given)}`);
  }
  for (const [what, at] of [
    ['start', start],
    ['end', end],
  ] as const) {
    if (!Number.isInteger(at))
      refuse(`the ${what} of a span must be a whole number; got ${shown(at)}`);
  }
  return rawSpanOf(view, start, end);
}
