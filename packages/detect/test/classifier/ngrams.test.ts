import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUCKETS, fold, spellNgram, visitNgrams } from '../../src/classifier/ngrams.js';
import { NgramCounter, weigh } from '../../src/classifier/sparse-row.js';
import { OVERLAP, WINDOW, windowsOf } from '../../src/classifier/windows.js';

function grams(text: string, wanted: 'word' | 'characters'): string[] {
  const found: string[] = [];
  visitNgrams(fold(text), (_, kind, holder, from, to) => {
    if (kind === wanted) found.push(spellNgram(holder, from, to));
  });
  return found;
}

describe('visitNgrams', () => {
  it('gives words and pairs, with marks as words of their own', () => {
    expect(grams('Stop, Anna 42', 'word')).toMatchInlineSnapshot(`
      [
        "stop",
        "stop ,",
        ",",
        ", anna",
        "anna",
        "anna 00",
        "00",
      ]
    `);
  });

  it('gives pieces of the padded word', () => {
    expect(grams('cat', 'characters')).toEqual([' ca', ' cat', ' cat ', 'cat', 'cat ', 'at ']);
  });

  it('reads invisible and full-width letters as what they show', () => {
    expect(fold('Ｉｇ\u200bnore\u00ad')).toBe('ignore');
  });

  it('takes any text and stays within the table', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        visitNgrams(fold(text), (bucket) => {
          expect(bucket).toBeGreaterThanOrEqual(0);
          expect(bucket).toBeLessThan(BUCKETS);
        });
      }),
    );
  });

  it('spreads n-grams over the table', () => {
    const seen = new Set<number>();
    let visits = 0;
    visitNgrams(
      Array.from({ length: 2_000 }, (_, at) => `w${at.toString(36)}x`).join(' '),
      (at) => {
        seen.add(at);
        visits += 1;
      },
    );
    expect(seen.size).toBeGreaterThan(9_000);
    expect(visits).toBeGreaterThan(seen.size);
  });
});

describe('weigh', () => {
  it('scales every row to length one', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const idf = new Float64Array(BUCKETS).fill(1.5);
        const { values } = weigh(new NgramCounter().count(`x${text}`), idf);
        expect(values.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('counts a text the same after any other text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, text) => {
        const used = new NgramCounter();
        used.count(before);
        expect(used.count(text)).toEqual(new NgramCounter().count(text));
      }),
    );
  });
});

describe('windowsOf', () => {
  it('covers every length with full, overlapping windows', () => {
    fc.assert(
      fc.property(fc.nat(50_000), (length) => {
        const windows = windowsOf(length);
        expect(windows[0]?.start).toBe(0);
        expect(windows.at(-1)?.end).toBe(length);
        for (const [index, { start, end }] of windows.entries()) {
          expect(end - start).toBe(Math.min(WINDOW, length));
          const next = windows[index + 1] ?? { start: end - OVERLAP };
          expect(end - next.start).toBeGreaterThanOrEqual(OVERLAP);
        }
      }),
    );
  });
});
