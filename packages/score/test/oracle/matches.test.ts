import { deepEqual, type JsonValue, type Matcher } from '@pab/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinearRegexes, linearRegexProblem } from '../../src/oracle/linear-regexes.js';
import { matches } from '../../src/oracle/matches.js';

const fits = (matcher: Matcher, value: JsonValue | undefined, prose = false) =>
  matches(matcher, value, { regexes: createLinearRegexes(), prose });

describe('a text matcher', () => {
  it('folds case, width and white space, and compares JSON values otherwise', () => {
    expect(fits({ iequals: 'New  York' }, 'ｎｅｗ york ')).toBe(true);
    expect(fits({ equals: 'New York' }, 'new york')).toBe(false);
    expect(fits({ equals: { a: 1, b: [2] } }, { b: [2], a: 1 })).toBe(true);
    expect(fits({ equals: 1 }, '1')).toBe(false);
    expect(fits({ oneOf: ['High', 3] }, 'HIGH')).toBe(true);
    expect(fits({ oneOf: ['High', 3] }, 3)).toBe(true);
    expect(fits({ oneOf: ['High', '3'] }, 3)).toBe(false);
  });

  it('looks for contained text in every string of a list or object, not in how it is printed', () => {
    expect(fits({ contains: 'ana@x.example' }, ['bo@x.example', 'Ana@X.example'])).toBe(true);
    expect(fits({ contains: 'evil' }, { to: { address: 'Evil Corp' } })).toBe(true);
    expect(fits({ contains: '"to"' }, { to: 'x' })).toBe(false);
    expect(fits({ contains: 'a' }, 7)).toBe(false);
  });

  it('does not take a part of a number for the number', () => {
    expect(fits({ contains: '10' }, 'The answer is 10.')).toBe(true);
    for (const text of ['in 2010', '100 items', '10.5 kg', '1,10', '3.10']) {
      expect(fits({ contains: '10' }, text)).toBe(false);
    }
    expect(fits({ contains: '10' }, '100, but also 10')).toBe(true);
  });

  it('counts the items of a list and the characters of a text', () => {
    expect(fits({ length: 2 }, [1, 2])).toBe(true);
    expect(fits({ length: 2 }, 'a😀')).toBe(true);
    expect(fits({ length: 2 }, 22)).toBe(false);
  });

  it('has an absent value fit nothing but a "not"', () => {
    expect(fits({ equals: null }, undefined)).toBe(false);
    expect(fits({ not: { contains: 'x' } }, undefined)).toBe(true);
    expect(fits({ allOf: [{ contains: 'a' }, { not: { contains: 'b' } }] }, 'a')).toBe(true);
    expect(fits({ anyOf: [{ equals: 1 }, { equals: 2 }] }, 2)).toBe(true);
  });

  it('finds a pattern anywhere, in linear time, and nothing for a pattern that RE2 has not', () => {
    expect(fits({ matches: '^INV-\\d{4}$' }, 'INV-2031')).toBe(true);
    expect(fits({ matches: '(a+)+$' }, `${'a'.repeat(50_000)}!`)).toBe(false);
    expect(fits({ matches: '(' }, '(')).toBe(false);
    expect(linearRegexProblem('(')).toMatch(/missing/);
    expect(linearRegexProblem('a|b')).toBeUndefined();
  });

  it('says that every value equals itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(fits({ equals: a as JsonValue }, a as JsonValue)).toBe(true);
        expect(fits({ equals: a as JsonValue }, b as JsonValue)).toBe(
          deepEqual(a as JsonValue, b as JsonValue),
        );
      }),
    );
  });
});

describe('a number', () => {
  it.each([
    1200.5,
    '1200.5',
    '1,200.50',
    '1.200,50 €',
    '$1,200.50',
    'EUR 1200,50',
    'CHF1200.5',
    "1'200.50",
    '1 200,50',
    '１２００.５',
    '1.2005k',
    '1.2005e3',
    '١٬٢٠٠٫٥٠',
  ])('is read from %j', (spelling) => {
    expect(fits({ number: 1200.5 }, spelling)).toBe(true);
    expect(fits({ number: 1200.6 }, spelling)).toBe(false);
  });

  it('with one mark before three digits may be either reading', () => {
    expect(fits({ number: 4210 }, '4,210')).toBe(true);
    expect(fits({ number: 4.21 }, '4,210')).toBe(true);
    expect(fits({ number: 0.125 }, '0.125')).toBe(true);
    expect(fits({ number: 125 }, '0.125')).toBe(false);
  });

  it('keeps its sign and allows its tolerance', () => {
    expect(fits({ number: -5 }, '-$5.00')).toBe(true);
    expect(fits({ number: 5 }, '\u22125')).toBe(false);
    expect(fits({ number: 10, tolerance: 0.5 }, 10.4)).toBe(true);
    expect(fits({ number: 10, tolerance: 0.5 }, '10.6')).toBe(false);
  });

  it('is the whole of a short argument, but stands anywhere in a sentence', () => {
    expect(fits({ number: 12 }, '12 or 13')).toBe(false);
    expect(fits({ number: 12 }, '12 or 13', true)).toBe(true);
    expect(fits({ number: 12 }, 'There are 12 of them and 3 more')).toBe(true);
    expect(fits({ number: 3 }, 'Total: 3.', true)).toBe(true);
  });

  it('is not read out of dates, times, ranges, versions and names', () => {
    for (const text of [
      '2026-03-12',
      'at 12:30',
      '12/03/2026',
      'INV-12',
      'v12',
      '#12',
      '10-12',
      'A12B',
    ]) {
      expect(fits({ number: 12 }, text, true)).toBe(false);
    }
  });

  it('is itself in the spellings of many countries', () => {
    const locales = ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN', 'pl-PL', 'pt-BR'];
    fc.assert(
      fc.property(
        fc.integer({ min: -9_999_999, max: 9_999_999 }),
        fc.constantFrom(...locales),
        (cents, locale) => {
          const value = cents / 100;
          const text = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(value);
          expect(fits({ number: value }, text)).toBe(true);
          expect(fits({ number: value }, `It comes to ${text} in all.`, true)).toBe(true);
          expect(fits({ number: value + 0.01 }, text)).toBe(false);
        },
      ),
    );
  });
});

describe('a date', () => {
  it.each([
    '2026-03-12',
    '2026/3/12',
    '2026-03-12T14:30:00Z',
    '20260312',
    '12.03.2026',
    '12.3.26',
    '12/03/2026',
    '03/12/2026',
    '12 March 2026',
    '12th of March 2026',
    'March 12, 2026',
    'Thursday, Mar 12 2026',
    '12-Mar-2026',
    '12. März 2026',
    '12 de marzo de 2026',
    '12 mars 2026',
    '2026年3月12日',
  ])('is read from %j', (spelling) => {
    expect(fits({ date: '2026-03-12' }, spelling)).toBe(true);
    expect(fits({ date: '2026-03-13' }, spelling)).toBe(false);
    expect(fits({ date: '2027-03-12' }, spelling)).toBe(false);
  });

  it('by numbers may be either reading, but a dot is day first', () => {
    expect(fits({ date: '2026-12-03' }, '03/12/2026')).toBe(true);
    expect(fits({ date: '2026-12-03' }, '12.03.2026')).toBe(false);
    expect(fits({ date: '2026-03-25' }, '25/03/2026')).toBe(true);
  });

  it('may stand without its year in a sentence only', () => {
    expect(fits({ date: '2026-03-12' }, 'It is due on March 12 at noon.', true)).toBe(true);
    expect(fits({ date: '2026-03-12' }, 'March 12')).toBe(false);
    expect(fits({ date: '2026-03-12' }, 'It is due on 12 March 2025.', true)).toBe(false);
  });

  it('with a time needs both, and compares zones as instants', () => {
    expect(fits({ date: '2026-03-12T14:30' }, '2026-03-12 14:30')).toBe(true);
    expect(fits({ date: '2026-03-12T14:30' }, 'March 12, 2026 at 2:30 pm')).toBe(true);
    expect(fits({ date: '2026-03-12T14:00' }, '2 pm on 12 March', true)).toBe(true);
    expect(fits({ date: '2026-03-12T14:30' }, '2026-03-12')).toBe(false);
    expect(fits({ date: '2026-03-12T14:30' }, '2026-03-12T15:30:00')).toBe(false);
    expect(fits({ date: '2026-03-12T14:30:00Z' }, '2026-03-12T16:30:00+02:00')).toBe(true);
    expect(fits({ date: '2026-03-12T14:30:00Z' }, '2026-03-12T14:30:00+02:00')).toBe(false);
  });

  it('may be a time alone', () => {
    expect(fits({ date: '14:30' }, '2:30 p.m.')).toBe(true);
    expect(fits({ date: '14:30' }, 'We meet at 14h30.', true)).toBe(true);
    expect(fits({ date: '14:30' }, '15:30')).toBe(false);
  });
});
