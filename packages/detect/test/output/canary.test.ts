import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCanary, makeCanary, prepareCanaries, SplitWatch } from '../../src/canary.js';
import { checkOutput } from '../../src/output/index.js';
import { Scanner } from '../../src/scanner.js';
import { OutputGate } from '../../src/stream/output-gate.js';

const canary = 'pbc-7k2m9q4x8v1c6z3n5t0w';
const set = prepareCanaries([canary]);

function encode(text: string, format: 'base64' | 'base64url' | 'hex'): string {
  return Buffer.from(text).toString(format);
}

describe('makeCanary', () => {
  it('says what it needs when it gets no source of random bytes', () => {
    expect(() => makeCanary(undefined as never)).toThrow(
      'makeCanary((size) => crypto.getRandomValues(new Uint8Array(size)))',
    );
  });

  it('spells 128 bits of the random source', () => {
    expect(makeCanary((size) => new Uint8Array(size).fill(255))).toBe(
      'pbc-zzzzzzzzzzzzzzzzzzzzzzzzzw',
    );
    expect(makeCanary((size) => new Uint8Array(size))).toBe(`pbc-${'0'.repeat(26)}`);
  });

  it('differs when one bit differs', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.nat(127), (bytes, bit) => {
        const other = Uint8Array.from(bytes, (byte, i) =>
          i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte,
        );
        expect(makeCanary(() => other)).not.toBe(makeCanary(() => bytes));
      }),
    );
  });

  it('refuses a source that gives too little', () => {
    expect(() => makeCanary(() => new Uint8Array(4))).toThrow(RangeError);
  });
});

describe('findCanary', () => {
  it.each([
    ['as it is', canary],
    ['in upper case', canary.toUpperCase()],
    ['spaced', canary.split('').join(' ')],
    ['with dots', canary.split('').join('.')],
    ['line by line', canary.split('').join('\n')],
    ['with marks of Markdown', canary.split('').join('**')],
    ['with invisible characters', canary.split('').join('\u200b')],
    [
      'in full-width letters',
      canary.replaceAll(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
    ],
    ['backwards', canary.split('').toReversed().join('')],
    ['backwards and spaced', canary.split('').toReversed().join(' ')],
    ['in base64', encode(canary, 'base64')],
    ['in base64 within a longer text', encode(`the word is ${canary}, ok`, 'base64')],
    ['in base64 one further', encode(`.the word is ${canary}, ok`, 'base64')],
    ['in base64 two further', encode(`..the word is ${canary}, ok`, 'base64')],
    ['in base64 for URLs', encode(`??>>${canary}??`, 'base64url')],
    ['in wrapped base64', encode(canary, 'base64').replaceAll(/.{8}/g, '$&\n')],
    ['in base64 of capitals', encode(canary.toUpperCase(), 'base64')],
    ['in hexadecimal', encode(canary, 'hex')],
    ['in spaced hexadecimal', encode(canary, 'hex').replaceAll(/../g, '0x$& ')],
    ['in percent escapes', encode(canary, 'hex').replaceAll(/../g, '%$&')],
    ['in some percent escapes', canary.replaceAll(/[a-m-]/g, (c) => `%${encode(c, 'hex')}`)],
    ['in entities', canary.replaceAll(/./g, (c) => `&#${c.charCodeAt(0)};`)],
    ['in hexadecimal entities', canary.replaceAll(/./g, (c) => `&#x${encode(c, 'hex')};`)],
    ['in escapes of JavaScript', canary.replaceAll(/./g, (c) => `\\u00${encode(c, 'hex')}`)],
    ['in escapes of C', canary.replaceAll(/./g, (c) => `\\x${encode(c, 'hex')}`)],
    [
      'as character codes',
      canary
        .split('')
        .map((c) => c.charCodeAt(0))
        .join(', '),
    ],
    [
      'in binary',
      canary
        .split('')
        .map((c) => c.charCodeAt(0).toString(2).padStart(8, '0'))
        .join(' '),
    ],
    [
      'by 13 places',
      canary.replaceAll(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 84) % 26) + 97)),
    ],
  ])('finds it %s', (_name, text) => {
    const match = findCanary(`Before. ${text} After.`, set);
    expect(match).toMatchObject({ canary, split: false });
  });

  it('gives the raw text that it stands in', () => {
    const spaced = canary.split('').join(' ');
    const text = `It is ${spaced}!`;
    expect(checkOutput(text, { canaries: [canary] })).toEqual([
      {
        id: 'PB-CANARY',
        title: 'A canary leaked',
        severity: 'critical',
        confidence: 1,
        tags: { atlas: ['AML.T0056'], owasp: ['LLM08:2026'] },
        matched: spaced,
        span: { start: 6, end: 6 + spaced.length },
        view: 'original',
      },
    ]);
  });

  it.each([
    ['without its prefix', canary.slice(4)],
    ['without its prefix, spaced', canary.slice(4).split('').join(' ')],
    ['without its prefix, in hexadecimal', encode(canary.slice(4), 'hex')],
    ['without its prefix, in base64', encode(`see ${canary.slice(4)} now`, 'base64')],
    ['without its first character', canary.slice(1)],
    ['without its first two characters', canary.slice(2)],
    ['without its last character', canary.slice(0, -1)],
    ['without its last two characters', canary.slice(0, -2)],
    ['without two characters at either end', canary.slice(2, -2)],
    ['without its prefix and two characters at either end', canary.slice(6, -2)],
  ])('finds it %s', (_name, part) => {
    expect(findCanary(`It is ${part}.`, set)).toMatchObject({ canary, split: false });
  });

  it('gives all of the raw text that belongs to it', () => {
    for (const part of [canary, canary.slice(4), canary.slice(1, -1)]) {
      expect(findCanary(`It is ${part}; 0`, set)?.span).toEqual({ start: 6, end: 6 + part.length });
    }
  });

  it.each([
    ['acme-1234567', '1234567'],
    ['release-notes-2024', 'notes 2024'],
    ['project-falcon-42-secret', 'oject falcon 42 secr'],
    ['zq9876ab', '9876ab'],
  ])('takes no part of the short or wordy canary %s for it', (short, part) => {
    expect(findCanary(`It is ${part}.`, prepareCanaries([short]))).toBeUndefined();
  });

  it('finds it in pieces, in any order, with words between them', () => {
    const text = `It ends in ${canary.slice(12)} and begins with ${canary.slice(0, 12)}.`;
    expect(findCanary(text, set)).toMatchObject({ canary, split: true });
  });

  it('finds it anywhere in any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }),
        (before, after) => {
          expect(findCanary(`${before} ${canary} ${after}`, set)).toMatchObject({ canary });
        },
      ),
    );
  });

  it.each([
    ['a part', canary.slice(0, 18)],
    ['all but six characters at its ends', canary.slice(7, -3)],
    ['too small pieces', canary.replaceAll(/.{3}/g, '$& and then ')],
    ['another one', 'pbc-7k2m9q4x7v1c6z3n5t0w'],
    ['nothing of it', 'The weather is fine.'],
  ])('does not take %s for it', (_name, text) => {
    expect(findCanary(text, set)).toBeUndefined();
  });

  it.each(['', '  ', 'ab', 'zq9-1', '-_-_-_-_-_-'])(
    'refuses %j, which would be found by chance',
    (short) => {
      const words =
        /^a canary needs at least 6 letters and digits, and one has (none|\d); make one with/;
      expect(() => prepareCanaries([canary, short])).toThrow(words);
      const scanner = new Scanner();
      expect(() => scanner.scan('a text', { canaries: [short] })).toThrow(words);
      expect(() => scanner.scanOutput('a text', { canaries: [short] })).toThrow(words);
      expect(() => scanner.stream({ canaries: [short] })).toThrow(words);
      expect(() => new OutputGate({ canaries: [short] })).toThrow(words);
    },
  );

  it('finds one of the least length, in any script', () => {
    expect(findCanary('it is Z.Q.9.8.7.6.', prepareCanaries(['zq9876']))).toBeDefined();
    expect(findCanary('слово: ТАЙНИК-7', prepareCanaries(['тайник7']))).toBeDefined();
  });

  it('refuses a canary that is too long to be looked for in all its spellings', () => {
    const scanner = new Scanner();
    const long = 'PAB-7f3e9a-'.repeat(24);
    const refused = /^a canary may have 256 characters, and one has 264; make one with makeCanary/;
    expect(() => scanner.scanOutput('x', { canaries: [long] })).toThrow(refused);
    expect(() => scanner.stream({ canaries: [long] })).toThrow(refused);
    const { detections } = scanner.scanOutput(`: ${long.slice(8)}`, { canaries: [long.slice(8)] });
    expect(detections.map(({ id }) => id)).toContain('PB-CANARY');
  });

  it('does not look for pieces of a canary that is made of words', () => {
    const words = prepareCanaries(['internal-use-only-marker']);
    expect(findCanary('For internal use only, says the marker.', words)).toBeUndefined();
    expect(findCanary('Internal use only marker', words)).toBeDefined();
  });
});

describe('SplitWatch', () => {
  it('finds the pieces however the text is cut', () => {
    fc.assert(
      fc.property(fc.nat(24), fc.nat(60), (half, place) => {
        const text = `begins${canary.replace('-', '').slice(0, half)}xx${canary.replace('-', '').slice(Math.max(0, half - 3))}`;
        const whole = new SplitWatch(set).push(text);
        const watch = new SplitWatch(set);
        const cut = watch.push(text.slice(0, place)) ?? watch.push(text.slice(place));
        expect(cut?.canary).toBe(whole?.canary);
      }),
    );
  });
});
