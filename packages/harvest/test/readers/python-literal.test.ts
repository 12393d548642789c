import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePythonLiteral } from '../../src/index.js';

/** Writes a value as Python's `repr` does. */
function repr(value: unknown): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    const inner = value
      .replaceAll('\\', '\\\\')
      .replaceAll('\n', '\\n')
      .replaceAll('\r', '\\r')
      .replaceAll(quote, `\\${quote}`);
    return quote + inner + quote;
  }
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  return `{${Object.entries(value as object)
    .map(([key, item]) => `${repr(key)}: ${repr(item)}`)
    .join(', ')}}`;
}

describe('Python literals', () => {
  it('gives back any JSON value that repr wrote', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }), (value) => {
        const parsed = parsePythonLiteral(repr(value));
        expect(parsed).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) as unknown });
      }),
    );
  });

  it.each([
    ["('a', 'b')", ['a', 'b']],
    ["('a',)", ['a']],
    ["('a')", 'a'],
    ['()', []],
    ["{'a', 'b'}", ['a', 'b']],
    ['\'one\' "two"', 'onetwo'],
    [String.raw`r'\d+'`, String.raw`\d+`],
    [String.raw`'\x41\u00e9\U0001F600\101\q'`, 'AéÀ'.slice(0, 2) + String.raw`😀A\q`],
    ["'''three\n'quotes' '''", "three\n'quotes' "],
    ["{1: 'x', (2): None,}", { 1: 'x', 2: null }],
    ['[1_000, -2.5e3, .5, 0x1F]', [1000, -2500, 0.5, 31]],
    ["b'bytes'", 'bytes'],
  ])('reads %s', (text, value) => {
    expect(parsePythonLiteral(text)).toEqual({ ok: true, value });
  });

  it.each([
    ["{'a': 1", 'expected , or }'],
    ["['a'", 'expected , or ]'],
    ["'open", 'string is never closed'],
    ["__import__('os')", 'not a literal'],
    ['[x for x in y]', 'not a literal'],
    ['1 2', 'text after the value'],
    ['', 'value missing'],
    ["{['a']: 1}", 'key is not a scalar'],
    [String.raw`'\xZZ'`, String.raw`bad escape \x`],
  ])('refuses %s', (text, reason) => {
    expect(parsePythonLiteral(text)).toMatchObject({ ok: false, reason });
  });

  it('is total and bounded in depth', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...`{ } [ ] ( ) ' " : , \\ 1 a True None \n -`.split(' '), ' '),
        }),
        (text) => {
          expect(typeof parsePythonLiteral(text).ok).toBe('boolean');
        },
      ),
      { numRuns: 2000 },
    );
    expect(parsePythonLiteral('['.repeat(100_000))).toMatchObject({
      ok: false,
      reason: 'nested deeper than 256',
    });
  });

  it('keeps a key __proto__ as data', () => {
    const parsed = parsePythonLiteral("{'__proto__': {'x': 1}}");
    expect(parsed.ok && Object.hasOwn(parsed.value as object, '__proto__')).toBe(true);
  });
});
