import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from '../../src/readers/split-lines.js';
import { collect } from '../reading.js';

async function* chunks(parts: readonly string[]): AsyncGenerator<string> {
  yield* parts;
}

describe('lines', () => {
  it('have the numbers that they have, when those of white space are passed over', async () => {
    const part = fc
      .array(fc.constantFrom('a', 'b c', ' ', '\t', '\r', '\n', '\n\n', '\r\n', '\u00a0'))
      .map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(part), async (parts) => {
        const whole = [parts.join('')];
        const all = await collect(splitLines(chunks(whole), 100));
        const some = await collect(splitLines(chunks(whole), 100, { blank: false }));
        const last = all.at(-1)?.number;
        expect(some).toEqual(
          // The end of a text without a line end is a line as it stands.
          all.filter(
            ({ text, number }) =>
              /[^ \t\r]/.test(text) || (number === last && whole[0]?.endsWith('\n') !== true),
          ),
        );
        const cut = await collect(splitLines(chunks(parts), 100, { blank: false }));
        expect(cut.filter(({ text }) => text.trim() !== '')).toEqual(
          all.filter(({ text }) => text.trim() !== ''),
        );
      }),
    );
  });

  it('that are empty are not given one by one', async () => {
    const lines = await collect(
      splitLines(chunks(Array.from({ length: 50 }, () => '\n'.repeat(20_000))), 100, {
        blank: false,
      }),
    );
    expect(lines).toEqual([]);
  });
});
