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
