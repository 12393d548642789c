import { spellings } from './encodings.js';
import { fold, foldedText } from './fold.js';
import { percentDecoded } from './links.js';
import { NeedleIndex } from './needle-index.js';

/** Folded characters that a value must have to be looked for anywhere: a shorter one would be found by chance. */
const LEAST_VALUE = 6;
/** Folded characters of a value that counts as a whole part of an address, such as a parameter or a path segment. */
const LEAST_PART = 3;
const LEAST_ENCODED = 10;
/** Values beyond this many are not looked for, so that the work stays bounded. */
const MOST_VALUES = 500;
/** Characters of a value that are looked for. All of it has them at its beginning, and its encodings have theirs. */
const LONGEST_VALUE = 256;

/** Looks for values of the conversation in a URL: as they are, folded, reversed or encoded, also in pieces that follow each other. */
export function taintedBy(values: readonly string[]): (url: string) => boolean {
  const needles = new Set<string>();
  const parts = new Set<string>();
  for (const whole of values.slice(0, MOST_VALUES)) {
    const value = beginning(whole);
    const plain = foldedText(value);
    if (plain.length < LEAST_VALUE) {
      if (plain.length >= LEAST_PART) parts.add(plain);
      continue;
    }
    needles.add(plain);
    for (const spelling of spellings(value)) {
      const text = foldedText(spelling);
      if (text.length >= Math.min(LEAST_ENCODED, plain.length)) needles.add(text);
    }
  }
  if (needles.size + parts.size === 0) return () => false;
  const index = new NeedleIndex(Array.from(needles, (text) => ({ text })));
  return (url) => {
    const readings = new Set([url, percentDecoded(url), percentDecoded(percentDecoded(url))]);
    // Parameters and labels that share a value: their names are left out.
    readings.add(percentDecoded(url).replaceAll(/[?&;][^=&;?#]{0,64}=/g, ''));
    for (const reading of readings) {
      if (index.first(fold(reading).text) !== undefined) return true;
      if (parts.size > 0 && hasPart(reading, parts)) return true;
    }
    return false;
  };
}

/** Whether a whole part of an address is one of the values. */
function hasPart(url: string, values: ReadonlySet<string>): boolean {
  return url.split(/[/?&=#.,;:@+\s]+/).some((part) => values.has(foldedText(part)));
}

/** Where a pair of surrogates would be cut, it is left out. */
function beginning(value: string): string {
  return value.slice(0, LONGEST_VALUE).replace(/[\ud800-\udbff]$/, '');
}
