import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { builtinRules } from '../../src/rules/builtin-rules.js';
import { FirstMatch } from '../../src/rules/first-match.js';
import { MoveTable } from '../../src/rules/move-table.js';
import { toRe2 } from '../../src/rules/pattern.js';

function all(pattern: RE2JS, text: string): [number, number][] {
  const matcher = pattern.matcher(text);
  const found: [number, number][] = [];
  while (matcher.find()) found.push([matcher.start(), matcher.end()]);
  return found;
}

function allFirst(pattern: RE2JS, text: string, table = new MoveTable()): [number, number][] {
  const first = FirstMatch.of(pattern, true, table);
  const found: [number, number][] = [];
  for (let from = 0; from <= text.length; ) {
    const span = first?.find(text, from);
    if (!span) break;
    found.push([span.start, span.end]);
    from = Math.max(span.end, span.start + 1);
  }
  return found;
}

describe('FirstMatch', () => {
  const atoms = fc.constantFrom(
    'a',
    'ab',
    'B',
    '\\b',
    '\\B',
    '^',
    '$',
    '\\n',
    '\\s',
    '\\w+',
    '.{0,3}',
    '[^a]',
    '(?:a|ab)',
    '(?:ab|a)?',
    '(a|b)*?',
    '(?:a{1,3}|\\w)',
    '\\p{L}',
    'k',
    '(?:a|)',
  );
  const patterns = fc
    .array(atoms, { minLength: 1, maxLength: 7 })
    .map((parts) => `a?${parts.join('')}.`);
  const texts = fc
    .array(fc.constantFrom('a', 'b', 'A', ' ', '\n', '_', 'é', '\u212a', '😀', '\ud800', '.'), {
      maxLength: 14,
    })
    .map((parts) => parts.join(''));

  it('finds the same places as re2js', () => {
    fc.assert(
      fc.property(patterns, texts, (source, text) => {
        const pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
        expect(allFirst(pattern, text)).toEqual(all(pattern, text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds the same places when patterns share a table and push each other out of it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        patterns,
        patterns,
        texts,
        (most, a, b, text) => {
          const table = new MoveTable(most);
          const pair = [a, b].map((source) => RE2JS.compile(source, RE2JS.CASE_INSENSITIVE));
          const firsts = pair.map((pattern) => FirstMatch.of(pattern, true, table));
          for (let from = 0; from <= text.length; from++) {
            // A search never begins between the halves of a character.
            if ((text.codePointAt(from - 1) ?? 0) > 0xffff) continue;
            pair.forEach((pattern, i) => {
              const matcher = pattern.matcher(text);
              const there = matcher.find(from)
                ? { start: matcher.start(), end: matcher.end() }
                : undefined;
              expect(firsts[i]?.find(text, from)).toEqual(there);
            });
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('finds the same places for the shipped rules in their own tests', { timeout: 120_000 }, () => {
    const table = new MoveTable();
    for (const rule of builtinRules().rules) {
      for (const { patterns: sources } of Object.values(rule.detection.selections)) {
        for (const source of sources) {
          const pattern = RE2JS.compile(toRe2(source), RE2JS.CASE_INSENSITIVE);
          for (const text of [...rule.tests.match, ...rule.tests.noMatch]) {
            if (!pattern.test(text)) continue;
            expect(allFirst(pattern, text, table), source).toEqual(all(pattern, text));
          }
        }
      }
    }
  });

  it('gives up rather than look again at a long text from every place', () => {
    const first = FirstMatch.of(RE2JS.compile('a[^b]*b'));
    expect(first?.find('a'.repeat(20_000), 0)).toBe(null);
    expect(first?.find(`${'a'.repeat(20_000)}b`, 0)).toEqual({ start: 0, end: 20_001 });
  });
});
