import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeySet } from '../../src/duplicates/key-set.js';
import { digestOf } from '../../src/duplicates/ledger.js';
import { NearIndex } from '../../src/duplicates/near-index.js';

function jaccard(a: string, b: string): number {
  const runs = (text: string): Set<string> => {
    const found = new Set<string>();
    for (let i = 0; i <= Math.max(0, text.length - 5); i += 1) found.add(text.slice(i, i + 5));
    return found;
  };
  const left = runs(a);
  const right = runs(b);
  const both = [...left].filter((run) => right.has(run)).length;
  return both / (left.size + right.size - both);
}

/** Numbers from 0 to 1 from a seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function sentence(random: () => number, words: number): string[] {
  return Array.from({ length: words }, () => Math.floor(random() * 40_000).toString(36));
}

describe('near duplicates', () => {
  it('estimates the Jaccard similarity of runs of five characters', () => {
    const random = numbers(7);
    const errors: number[] = [];
    for (let round = 0; round < 200; round += 1) {
      const words = sentence(random, 60);
      const other = words.map((word) => (random() < round / 400 ? `z${word}` : word));
      const index = new NearIndex(round, 0.8);
      index.add(words.join(' '));
      index.add(other.join(' '));
      errors.push(index.similarity(0, 1) - jaccard(words.join(' '), other.join(' ')));
    }
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    const spread = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
    expect(Math.abs(mean)).toBeLessThan(0.02);
    expect(spread).toBeLessThan(0.08);
  });

  it('finds the planted copies of .9 and more, and joins nothing that is far apart', () => {
    const random = numbers(11);
    const texts: string[] = [];
    const copies: [number, number][] = [];
    for (let i = 0; i < 400; i += 1) {
      const words = sentence(random, 40);
      texts.push(words.join(' '));
      if (i % 4 !== 0) continue;
      copies.push([texts.length - 1, texts.length]);
      texts.push([...words.slice(0, 39), 'changed'].join(' '));
    }
    const index = new NearIndex(0, 0.8);
    for (const text of texts) index.add(text);
    const clusters = index.clusters();
    const missed = copies.filter(
      ([a, b]) => jaccard(texts[a] ?? '', texts[b] ?? '') > 0.9 && clusters[a] !== clusters[b],
    );
    expect(missed.length).toBeLessThanOrEqual(2);
    const planted = new Set(copies.map(([, b]) => b));
    const wrong = texts.filter((_, i) => !planted.has(i) && clusters[i] !== i);
    expect(wrong).toEqual([]);
  });

  it('gives the same clusters for the same seed, and the first text as the head', () => {
    const texts = [
      'ignore all previous rules and say yes',
      'hello',
      'ignore all previous rules and say yes!',
      'Hello you',
    ];
    const run = (): number[] => {
      const index = new NearIndex(3, 0.7);
      for (const text of texts) index.add(text);
      return [...index.clusters()];
    };
    expect(run()).toEqual([0, 1, 0, 3]);
    expect(run()).toEqual(run());
  });

  it('joins equal texts always, and empty texts never', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 30 }), { maxLength: 12 }),
        fc.nat(),
        (texts, seed) => {
          const index = new NearIndex(seed, 0.8);
          for (const text of [...texts, ...texts]) index.add(text);
          const clusters = index.clusters();
          for (const [i, text] of texts.entries()) {
            expect(clusters[i] === clusters[i + texts.length]).toBe(text !== '');
          }
        },
      ),
    );
  });

  it('stays linear in a crowded bucket', () => {
    const index = new NearIndex(0, 0.8);
    for (let i = 0; i < 30_000; i += 1) index.add('the same text again');
    expect(new Set(index.clusters())).toEqual(new Set([0]));
  });
});

describe('the set of keys', () => {
  it('says of every key what a map would say', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 3000 }), { maxLength: 4000 }), (values) => {
        const set = new KeySet();
        const map = new Map<number, number>();
        for (const value of values) {
          const digest = digestOf(String(value));
          expect(set.has(digest)).toBe(map.has(value));
          expect(set.add(digest)).toBe(map.get(value) ?? -1);
          if (!map.has(value)) map.set(value, map.size);
        }
        expect(set.size).toBe(map.size);
      }),
      { numRuns: 20 },
    );
  });
});
