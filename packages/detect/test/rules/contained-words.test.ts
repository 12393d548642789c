import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadRules } from '../../src/rules/load-rules.js';
import { RuleMatcher } from '../../src/rules/match-rules.js';

const never = () => undefined;

function matched(pattern: string, text: string): string | undefined {
  const { rules, filters } = loadRules([
    {
      name: 'rule.yaml',
      text: `id: ACME-001
title: Words in words
description: Looks for words of which one holds another.
severity: high
confidence: 0.9
status: experimental
scope: input
tags: { atlas: [AML.T0051.000], owasp: ['LLM01:2026'] }
detection: { condition: any, patterns: [${JSON.stringify(pattern)}] }
references: ['https://example.com']
falsepositives: [none]
tests: { match: [one, two], no_match: [three, four] }
author: PAB
date: '2026-11-30'
`,
    },
  ]);
  const [found] = new RuleMatcher(rules, filters).match(text, never, new Set()).values();
  return found && text.slice(found.start, found.end);
}

describe('words of a pattern of which one holds another', () => {
  it.each([
    ['(?:password|wor) leak', 'the password leak', 'password leak'],
    ['(?:password|wor)', 'the password', 'password'],
    ['(?:ignored|nor) rules', 'ignored rules', 'ignored rules'],
    ['(?:abandoned|band) x (?:forgotten|rgot)', 'abandoned x forgotten', 'abandoned x forgotten'],
    ['(?:transforming|form)[^.]{0,40}rules', 'transforming of rules', 'transforming of rules'],
    ['rules (?:xignored|nor)', 'rules xignored', 'rules xignored'],
  ])('%s finds all of it in "%s"', (pattern, text, whole) => {
    expect(matched(pattern, text)).toBe(whole);
  });

  it('finds what a plain search finds, whatever holds what', () => {
    const letters = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength });
    // Some hold one another: a word, and the same between letters.
    const words = fc
      .tuple(letters(2, 3), letters(0, 2), letters(0, 2), letters(2, 4))
      .map(([inner, before, after, other]) => [`${before}${inner}${after}`, inner, other]);
    const rest = fc.constantFrom(' x', '[^.]{0,3}x', ' ?(?:x|cx|abx)');
    const texts = words.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.array(fc.constantFrom(...list, ' x', ' ', 'b'), { maxLength: 8 }),
      ),
    );
    fc.assert(
      fc.property(texts, rest, ([list, pieces], second) => {
        const pattern = `(?:${list.join('|')})${second}`;
        const text = pieces.join('');
        expect(matched(pattern, text)).toBe(new RegExp(pattern).exec(text)?.[0]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a sign of money in a pattern', () => {
  it.each([
    ['we (?:give|send) you (?:a )?(?:tip|[$€]\\d+)\\b', 'we give you a tipping guide', undefined],
    ['we (?:give|send) you (?:a )?(?:tip|[$€]\\d+)\\b', 'we give you a tip', 'we give you a tip'],
    ['(?:€|key) ?token[s]?\\b', 'key tokenize', undefined],
  ])('leaves the edges of words in %s as they are: "%s"', (pattern, text, whole) => {
    expect(matched(pattern, text)).toBe(whole);
  });
});
