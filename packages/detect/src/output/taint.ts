import { spellings } from './encodings.js';
import { fold } from './fold.js';
import { percentDecoded } from './links.js';

/** Folded characters that a value must have: a shorter one would be found by chance. */
const LEAST_VALUE = 6;
const LEAST_ENCODED = 10;
/** Values beyond this many are not looked for, so that the work stays bounded. */
const MOST_VALUES = 500;

/** Looks for values of the conversation in a URL: as they are, folded, reversed or encoded, also in pieces that follow each other. */
export function taintedBy(values: readonly string[]): (url: string) => boolean {
  const needles = new Set<string>();
  for (const value of values.slice(0, MOST_VALUES)) {
    const plain = fold(value).text;
    if (plain.length < LEAST_VALUE) continue;
    needles.add(plain);
    for (const spelling of spellings(value)) {
      const text = fold(spelling).text;
      if (text.length >= Math.min(LEAST_ENCODED, plain.length)) needles.add(text);
    }
  }
  return (url) => {
    if (needles.size === 0) return false;
    const readings = new Set([url, percentDecoded(url), percentDecoded(percentDecoded(url))]);
    // Parameters and labels that share a value: their names are left out.
    readings.add(percentDecoded(url).replaceAll(/[?&;][^=&;?#]{0,64}=/g, ''));
    for (const reading of readings) {
      const folded = fold(reading).text;
      for (const needle of needles) if (folded.includes(needle)) return true;
    }
    return false;
  };
}
