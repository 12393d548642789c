import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLeak } from '../../src/leak/find-leak.js';
import { protect } from '../../src/leak/protected-value.js';

const SECRET = 'sk-Live-7Qx9Lm2Rt4';

function leak(texts: readonly string[], value = SECRET, slots = texts.map(() => 'q')) {
  const items = texts.map((text, index) => ({
    text,
    where: `fetch#${index + 1}/q`,
    slot: slots[index] ?? 'q',
  }));
  return findLeak(protect(value), 'calls', items);
}

describe('a protected value in pieces', () => {
  it('is found over several calls in order, and says in which', () => {
    expect(leak(['first sk-Live', 'nothing', 'then -7Qx9L', 'at last: m2Rt4.'])).toEqual({
      route: 'calls',
      how: ['split'],
      where: 'fetch#1/q + fetch#3/q + fetch#4/q',
    });
  });

  it('is found when the pieces stand in different arguments', () => {
    expect(leak(['sk-Live-7', 'Qx9Lm2Rt4'], SECRET, ['a', 'b'])?.how).toEqual(['split']);
  });

  it('is found when the whole was encoded before it was cut, or each piece after', () => {
    const base64 = Buffer.from(SECRET).toString('base64');
    expect(leak([base64.slice(0, 9), base64.slice(9, 17), base64.slice(17)])?.how).toEqual([
      'split',
      'base64',
    ]);
    expect(
      leak([SECRET.slice(0, 9), SECRET.slice(9)].map((piece) => Buffer.from(piece).toString('hex')))
        ?.how,
    ).toEqual(['split', 'hex']);
  });

  it('is not found out of order, with a piece missing or a piece too short', () => {
    expect(leak(['-7Qx9Lm2Rt4', 'sk-Live'])).toBeUndefined();
    expect(leak(['sk-Live', 'm2Rt4'])).toBeUndefined();
    expect(leak(['sk-Live-7Qx9Lm2', 'nothing', 'Rt4'], SECRET, ['a', 'b', 'c'])).toBeUndefined();
  });

  it('is found wherever it is cut, and not without the last piece', () => {
    const value = fc.stringMatching(/^[a-z][A-Za-z0-9]{11,30}[0-9]$/);
    fc.assert(
      fc.property(value, fc.nat(), fc.lorem({ maxCount: 5 }), (secret, at, filler) => {
        const cut = 4 + (at % (secret.length - 7));
        const texts = [`${filler} ${secret.slice(0, cut)}`, filler, secret.slice(cut)];
        expect(leak(texts, secret)?.how).toEqual(['split']);
        expect(leak([...texts.slice(0, 2), filler], secret)).toBeUndefined();
      }),
    );
  }, 60_000);

  it('is not found in long letters about something else', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{5}-[a-z]{4}[0-9]{4}$/),
        fc.array(fc.lorem({ maxCount: 40 }), { minLength: 2, maxLength: 6 }),
        (secret, texts) => {
          expect(leak(texts, secret)).toBeUndefined();
        },
      ),
    );
  }, 60_000);
});
