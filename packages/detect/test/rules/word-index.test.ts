import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WordIndex } from '../../src/rules/word-index.js';

/** Every place at which one of the words ends, the longest word of a place first. */
function plain(words: readonly string[], text: string): [string, number][] {
  const small = text.toLowerCase();
  const found: [string, number][] = [];
  for (let end = 1; end <= small.length; end++) {
    const here = words.filter((word) => small.slice(0, end).endsWith(word));
    for (const word of here.toSorted((a, b) => b.length - a.length)) found.push([word, end]);
  }
  return found;
}

function indexed(index: WordIndex, words: readonly string[], text: string): [string, number][] {
  const count = index.find(text);
  const found: [string, number][] = [];
  for (let at = 0; at < count; at += 2)
    found.push([words[index.hits[at] ?? -1] ?? '', index.hits[at + 1] ?? 0]);
  return found;
}

describe('WordIndex', () => {
  const letters = fc.constantFrom('a', 'b', 'c', ' ', '-', '7', '_', '<', 'é', 'ж', '人');
  const words = fc.uniqueArray(fc.string({ unit: letters, minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 12,
  });
  const texts = fc.string({
    unit: fc.oneof(letters, fc.constantFrom('A', 'É', '!')),
    maxLength: 40,
  });

  it('finds what a plain search finds, in every text after every other', () => {
    fc.assert(
      fc.property(words, fc.array(texts, { minLength: 1, maxLength: 4 }), (list, several) => {
        const index = new WordIndex(list);
        for (const text of several) expect(indexed(index, list, text)).toEqual(plain(list, text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds words among more than two bytes can number', () => {
    const list = Array.from({ length: 12_000 }, (_, i) => `w${(i * 7_919).toString(36)}x${i}`);
    const index = new WordIndex(list);
    for (const at of [0, 1, 5_000, 11_999]) {
      const text = `so ${list[at]} it is`;
      expect(indexed(index, list, text).map(([word]) => word)).toContain(list[at]);
    }
    expect(index.find('nothing of it')).toBe(0);
  });
});
