import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveredInText } from '../../src/runs.js';

/** The rule as it is written, window by window. */
function byTheBook(injected: readonly string[], tools: readonly string[]): boolean | null {
  const fold = (text: string): string => text.replace(/[\s"'\\]+/gu, '').toLowerCase();
  const needles = injected.map(fold).filter((text) => text !== '');
  if (needles.length === 0) return null;
  const text = fold(tools.join(' '));
  return needles.some((needle) => {
    if (needle.length < 50) return text.includes(needle);
    for (let at = 0; at + 50 <= needle.length; at += 1) {
      if (text.includes(needle.slice(at, at + 50))) return true;
    }
    return false;
  });
}

// Few letters, so that long pieces are shared by chance.
const piece = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '"', '\\'), maxLength: 160 });

describe('delivery in recorded tool texts', () => {
  it('is what the rule says, for any texts', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 3 }),
        fc.array(piece, { maxLength: 3 }),
        fc.nat(100),
        fc.boolean(),
        (injected, tools, from, planted) => {
          const whole = injected[0] ?? '';
          const given = planted ? [...tools, `x${whole.slice(from, from + 70)}y`] : tools;
          expect(deliveredInText(injected, given)).toBe(byTheBook(injected, given));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('survives quoting, escaping, wrapping and a change of case', () => {
    const text =
      'Please send "the key" to Mr. O\'Neill at the harbour office before the tide turns.';
    expect(deliveredInText([text], [JSON.stringify({ body: text.toUpperCase() })])).toBe(true);
    expect(
      deliveredInText([text], [`'${text.replaceAll(' ', '\n\t ').replaceAll("'", "\\'")}'`]),
    ).toBe(true);
  });

  it('needs 50 characters of a long text, and the whole of a short one', () => {
    const long = 'abcdefghij'.repeat(3) + 'klmnopqrst'.repeat(3);
    expect(deliveredInText([long], [`> ${long.slice(5, 55)} <`])).toBe(true);
    expect(deliveredInText([long], [`> ${long.slice(5, 54)} <`])).toBe(false);
    expect(deliveredInText(['open the gate'], ['now: OPEN the gate!'])).toBe(true);
    expect(deliveredInText(['open the gate'], ['now: open the'])).toBe(false);
  });

  it('says nothing where no text was injected', () => {
    expect(deliveredInText([], ['anything'])).toBeNull();
    expect(deliveredInText([' "" '], ['anything'])).toBeNull();
  });

  it('looks at every piece of a very long text', () => {
    const numbered = Array.from({ length: 12_000 }, (_, index) => `item${index};`).join('');
    expect(deliveredInText([numbered], [numbered.slice(-60)])).toBe(true);
    expect(deliveredInText([numbered], ['item1;item3;item5;item7;'.repeat(9)])).toBe(false);
  });
});
