import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findInText } from '../../src/leak/find-in-text.js';
import { protect } from '../../src/leak/protected-value.js';
import { reversed, rot13 } from '../../src/leak/views.js';

const SECRET = 'sk-Live-7Qx9Lm2Rt4';
const how = (text: string, value = SECRET) => findInText(protect(value), text)?.join(' ');

const bytes = (text: string) => Buffer.from(text, 'utf8');
function base32(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let bits = '';
  for (const byte of bytes(text)) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => letters.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('');
}

// What stands around the value has no letters: it must not complete a value that lacks one.
const ENCODERS: Record<string, (text: string) => string> = {
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  'full width': (text) =>
    text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  'spelt out': (text) => Array.from(text).join(' '),
  dotted: (text) => text.replace(/(.{3})/g, '$1.'),
  'invisible marks': (text) => Array.from(text).join('\u200b'),
  percent: (text) =>
    [...bytes(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'twice percent': (text) => encodeURIComponent(ENCODERS['percent']?.(text) ?? ''),
  'JSON escapes': (text) =>
    text.replace(/[^]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'code points': (text) =>
    Array.from(text)
      .map((char) => `U+${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(' '),
  'hex escapes': (text) =>
    text.replace(/[\0-\x7f]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`),
  'decimal entities': (text) =>
    Array.from(text)
      .map((char) => `&#${char.codePointAt(0)};`)
      .join(''),
  'hex entities': (text) =>
    Array.from(text)
      .map((char) => `&#x${char.codePointAt(0)?.toString(16)};`)
      .join(''),
  base64: (text) => bytes(text).toString('base64'),
  'base64 after one byte': (text) => bytes(`!${text}!!`).toString('base64'),
  'base64 after two bytes': (text) => bytes(`!!${text}!`).toString('base64'),
  'base64 in a longer word': (text) => `x${bytes(text).toString('base64')}`,
  'base64 in lines': (text) =>
    bytes(`## ${text}`)
      .toString('base64')
      .replace(/(.{8})/g, '$1\r\n'),
  'base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  base64url: (text) => bytes(`??>${text}`).toString('base64url'),
  base32,
  'base32 lower': (text) => base32(`!${text}`).toLowerCase(),
  hex: (text) => bytes(text).toString('hex'),
  'hex dump': (text) =>
    [...bytes(text)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' '),
  '0x bytes': (text) =>
    [...bytes(text)].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', '),
  reversed,
  rot13,
  'base64 of reversed': (text) => bytes(reversed(text)).toString('base64'),
  'reversed base64': (text) => reversed(bytes(text).toString('base64')),
  'base64 of base64': (text) => bytes(bytes(text).toString('base64')).toString('base64'),
  'percent of base64': (text) => encodeURIComponent(bytes(`<${text}>`).toString('base64')),
  'base64 of JSON': (text) => bytes(JSON.stringify({ '#': text })).toString('base64'),
  'hex of rot13': (text) => bytes(rot13(text)).toString('hex'),
};

describe('a protected value in a text', () => {
  it.each(Object.keys(ENCODERS))('is found as %s', (name) => {
    const encode = ENCODERS[name] ?? String;
    expect(how(encode(SECRET))).toBeDefined();
    expect(how(`See this: ${encode(SECRET)} and so on.`)).toBeDefined();
  });

  it('is reported with the transformations, outermost first', () => {
    expect({
      plain: how(SECRET),
      shouted: how(SECRET.toUpperCase()),
      spelt: how(Array.from(SECRET).join(' ')),
      url: how(encodeURIComponent(bytes(`>>>${SECRET}`).toString('base64'))),
      back: how(bytes(reversed(SECRET)).toString('base64')),
    }).toMatchInlineSnapshot(`
      {
        "back": "base64 reversed",
        "plain": "verbatim",
        "shouted": "case",
        "spelt": "separators",
        "url": "base64",
      }
    `);
  });

  const value = fc
    .tuple(
      fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{4}$/),
      fc.stringMatching(/^[A-Za-z0-9]{4,8}$/),
      fc.stringMatching(/^[0-9][A-Za-z0-9]{3,8}$/),
    )
    .map((pieces) => pieces.join('-'));

  it('is found under every transformation, whatever it is', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(...Object.keys(ENCODERS)), (secret, name) => {
        expect(how((ENCODERS[name] ?? String)(secret), secret)).toBeDefined();
      }),
      { numRuns: 300 },
    );
  }, 60_000);

  it('is not found in a text that has nothing to do with it', () => {
    fc.assert(
      fc.property(
        value,
        fc.oneof(
          fc.lorem({ maxCount: 60 }),
          fc.string({ maxLength: 300 }),
          fc.base64String({ maxLength: 300 }),
          fc.string({ unit: 'binary', maxLength: 200 }),
        ),
        (secret, text) => {
          expect(how(text, secret)).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  }, 60_000);

  it('is never found in part: without any one of its characters it is another value', () => {
    fc.assert(
      fc.property(
        value,
        fc.nat(),
        fc.constantFrom(...Object.keys(ENCODERS)),
        (secret, at, name) => {
          const index = at % secret.length;
          fc.pre(secret[index] !== '-');
          const short = secret.slice(0, index) + secret.slice(index + 1);
          fc.pre(
            !short
              .toLowerCase()
              .replaceAll('-', '')
              .includes(secret.toLowerCase().replaceAll('-', '')),
          );
          expect(how((ENCODERS[name] ?? String)(short), secret)).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  }, 60_000);

  it('needs eight folded characters as it is and twelve transformed', () => {
    expect(how('code 1234567', '1234567')).toBeUndefined();
    expect(how('code AB12CD34', 'ab12cd34')).toBe('case');
    expect(how(bytes('ab12cd34efg').toString('base64'), 'ab12cd34efg')).toBeUndefined();
    expect(how(bytes('ab12cd34efgh').toString('base64'), 'ab12cd34efgh')).toBe('base64');
  });

  it('made of words is not met where two words run into each other', () => {
    expect(how('They shared apple pieces at noon.', 'red-apple-pie')).toBeUndefined();
    expect(how('They ate red apple pie at noon.', 'red-apple-pie')).toBe('separators');
    expect(how('12345678 9012 34567', '5678-9012-345')).toBeUndefined();
  });

  it('keeps signs that are no separators', () => {
    expect(how('the word is pword here', 'p@$$w0rd!!x9')).toBeUndefined();
    expect(how('P@$$W0RD!!X9', 'p@$$w0rd!!x9')).toBe('case');
  });

  it('is looked for in time that grows with the text', () => {
    // Each of these makes a careless matcher quadratic; here they only have to end.
    for (const text of [
      '%41'.repeat(60_000),
      'QUFB'.repeat(60_000),
      'aa '.repeat(80_000),
      '\\\\'.repeat(90_000),
      '&#'.repeat(90_000),
    ]) {
      expect(how(text)).toBeUndefined();
    }
  }, 60_000);
});
