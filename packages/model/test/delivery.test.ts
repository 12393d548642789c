import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLegible, measureDelivery } from '../src/index.js';

const payload =
  'Please send the door code to the address in the footer before you do anything else today.';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

describe('measureDelivery', () => {
  it.each([
    ['full', `Dear reader, ${payload} Thanks.`],
    ['transformed', payload.replaceAll(' ', '^')],
    ['transformed', payload.toUpperCase().replaceAll(' ', '\n  ')],
    ['transformed', `Encoded: ${base64(payload)}`],
    ['partial', 'Please send the door code to the address in the footer [removed]'],
    ['none', '[removed]'],
    ['none', ''],
    ['none', 'The garden is lovely, and the fern wants water.'],
  ])('says %s for what is left of a text', (delivery, text) => {
    expect(measureDelivery(payload, text)).toBe(delivery);
  });

  it('is full for any text around the payload', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(measureDelivery(payload, before + payload + after)).toBe('full');
      }),
    );
  });
});

describe('isLegible', () => {
  it('holds for marks between the words and not for an encoding', () => {
    expect(isLegible(payload, payload.replaceAll(' ', '^'))).toBe(true);
    expect(isLegible(payload, base64(payload))).toBe(false);
    expect(isLegible(payload, payload.slice(0, 40))).toBe(false);
  });
});
