import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineStarts } from '../src/line-starts.js';

/** The same, looked up backwards from one place. */
const BEFORE = /(?:^|\n)[\s>*#|"'“‘(-]{0,12}$/u;

describe('LineStarts', () => {
  it('knows the places before which only white space and marks stand in a line', () => {
    const units = fc.constantFrom('a', ' ', '\n', '\t', '>', '-', '“', '‘', '\u00a0', '|', '.');
    fc.assert(
      fc.property(fc.string({ unit: units, maxLength: 60 }), (text) => {
        const starts = new LineStarts(text);
        for (let at = 1; at < text.length; at++)
          expect(starts.has(at), `${JSON.stringify(text)} at ${at}`).toBe(
            BEFORE.test(text.slice(0, at)),
          );
        expect(starts.has(0)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});
