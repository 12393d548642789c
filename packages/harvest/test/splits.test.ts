import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSplits, splitOf } from '../src/index.js';

describe('splits', () => {
  it('reads weights and makes shares of them', () => {
    expect(parseSplits('train=8, dev=1,test=1')).toEqual([
      { name: 'train', share: 0.8 },
      { name: 'dev', share: 0.1 },
      { name: 'test', share: 0.1 },
    ]);
  });

  it.each(['train', 'train=0', 'train=-1', '=1', 'train=1,train=1', 'a b=1', ''])(
    'refuses %j',
    (text) => {
      expect(() => parseSplits(text)).toThrow(/split/u);
    },
  );

  it.each(['train=0.8,test=0.1', 'train=0.8,test=0.8', 'train=0.5', 'a=79.5,b=10', 'a=1,b=0.5'])(
    'refuses shares that do not sum to 1: %s',
    (text) => {
      expect(() => parseSplits(text)).toThrow(
        /^the parts of the split ".*" sum to [\d.]+; shares sum to 1, as in train=0\.8,test=0\.2/u,
      );
    },
  );

  it.each([
    'a=0.33,b=0.33,c=0.33',
    'a=0.1,b=0.2,c=0.7',
    'a=12.5,b=87.5',
    'a=1',
    'a=70,b=30',
    'a=2,b=1',
  ])('takes shares of 1 or 100, and whole weights: %s', (text) => {
    const sum = parseSplits(text).reduce((total, { share }) => total + share, 0);
    expect(sum).toBeCloseTo(1, 9);
  });

  it('refuses weights that are no numbers any more', () => {
    expect(() => parseSplits(`a=${'9'.repeat(400)},b=1`)).toThrow('sum to Infinity');
  });

  it('puts a cluster in the same part whatever else there is, and fills the parts by their shares', () => {
    const parts = parseSplits('train=0.7,test=0.3');
    const counts = { train: 0, test: 0 };
    for (let i = 0; i < 20_000; i += 1) {
      const part = splitOf(`cluster-${i}`, parts, 5);
      if (part === 'train' || part === 'test') counts[part] += 1;
    }
    expect(counts.train / 20_000).toBeCloseTo(0.7, 1);
    expect(counts.train + counts.test).toBe(20_000);
    fc.assert(
      fc.property(fc.string(), fc.nat(), (cluster, seed) => {
        expect(splitOf(cluster, parts, seed)).toBe(splitOf(cluster, parts, seed));
      }),
    );
  });
});
