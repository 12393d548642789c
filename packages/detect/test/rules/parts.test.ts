import { describe, expect, it } from 'vitest';
import { loadRules } from '../../src/rules/load-rules.js';
import { RuleMatcher } from '../../src/rules/match-rules.js';

const never = () => undefined;
const filler = (units: number): string =>
  'The tide tables are printed on the back. '.repeat(Math.ceil(units / 41)).slice(0, units);

function rule(detection: string): string {
  return `id: ACME-001
title: Two words
description: Looks for words that stand far apart.
severity: high
confidence: 0.9
status: experimental
scope: input
tags: { atlas: [AML.T0051.000], owasp: ['LLM01:2026'] }
detection:
${detection}
references: ['https://example.com']
falsepositives: [none]
tests:
  match: [lorem and ipsum, ipsum then lorem]
  no_match: [lorem alone, nothing]
author: PAB
date: '2026-11-30'
`;
}

function fires(detection: string, text: string): boolean {
  const { rules, filters } = loadRules([{ name: 'rule.yaml', text: rule(detection) }]);
  return new RuleMatcher(rules, filters).match(text, never, new Set()).size > 0;
}

describe('a text that is looked through in parts', () => {
  const both = `  first: ['\\blorem\\b']
  second: ['\\bipsum\\b']
  condition: first and second`;
  const all = `  words:
    all: ['\\blorem\\b', '\\bipsum\\b']
  condition: words`;

  it('puts together what stands in different parts, in either order', () => {
    for (const [one, other] of [
      ['lorem', 'ipsum'],
      ['ipsum', 'lorem'],
    ]) {
      const text = `${filler(3_000)} ${one} ${filler(70_000)} ${other} ${filler(5_000)}`;
      expect(fires(all, text)).toBe(true);
      expect(fires(all, `${filler(3_000)} ${one} ${filler(70_000)}`)).toBe(false);
      expect(fires(both, text)).toBe(true);
      expect(fires(both, `${filler(3_000)} ${one} ${filler(70_000)}`)).toBe(false);
    }
  });

  it('finds words across the place where two parts meet, wherever that is', () => {
    const pattern = `  patterns: ['\\blorem\\b.{0,200}\\bdolor\\b.{0,200}\\bipsum\\b']
  condition: any`;
    for (let shift = 0; shift < 600; shift += 7) {
      const attack = `lorem ${'x'.repeat(190)} dolor ${'x'.repeat(190)} ipsum`;
      const text = `${filler(16_384 - shift)} ${attack} ${filler(9_000)}`;
      expect(fires(pattern, text), `${shift} units before the end of the first part`).toBe(true);
    }
  });

  it('takes a use in a later part before a mention in an earlier one', () => {
    const { rules, filters } = loadRules([
      { name: 'rule.yaml', text: rule(`  patterns: ['\\blorem\\b']\n  condition: any`) },
    ]);
    const text = `lorem ${filler(40_000)} lorem`;
    const [match] = [
      ...new RuleMatcher(rules, filters)
        .match(
          text,
          (_, { start }) => (start === 0 ? { reason: 'quoted', strong: false } : undefined),
          new Set(),
        )
        .values(),
    ];
    expect(match).toEqual({ start: text.length - 5, end: text.length, mention: undefined });
  });
});
