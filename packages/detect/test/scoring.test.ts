import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinRules } from '../src/rules/builtin-rules.js';
import { judgeFindings, scoreOf, verdictOf } from '../src/scoring.js';

const rules = new Map(builtinRules().rules.map((rule) => [rule.id, rule]));
const of = (...ids: string[]): number =>
  scoreOf(ids.map((id) => rules.get(id) ?? { severity: 'low', confidence: 0 }));
const thresholds = { suspicious: 20, malicious: 50 };

describe('scoreOf', () => {
  it('gives the check values of the specification', () => {
    expect(of('PI-001')).toBe(54);
    expect(of('PI-001', 'PI-003')).toBe(77);
    expect(of('PI-014')).toBe(24);
    expect(of('PI-001', 'PI-014')).toBe(65);
  });

  it('rounds a half to the even neighbour', () => {
    // 85 % × 1/34 = 2.5 %, and 35 % × 0.1 = 3.5 %.
    expect(scoreOf([{ severity: 'critical', confidence: 1 / 34 }])).toBe(2);
    expect(scoreOf([{ severity: 'medium', confidence: 0.1 }])).toBe(4);
  });

  it('never alerts for a persona alone', () => {
    expect(verdictOf(of('PI-011'), thresholds)).toBe('benign');
  });

  it('grows with every finding and stays within 0 and 100', () => {
    const finding = fc.record({
      severity: fc.constantFrom('informational', 'low', 'medium', 'high', 'critical'),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(finding, { maxLength: 40 }), finding, (findings, one) => {
        const score = scoreOf(findings);
        const more = scoreOf([...findings, one]);
        expect(more).toBeGreaterThanOrEqual(score);
        expect(more).toBeLessThanOrEqual(100);
        expect(score).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('judgeFindings', () => {
  const found = (confidence: number, mention?: string, strongMention = false) => ({
    detection: {
      severity: 'high' as const,
      confidence,
      ...(mention === undefined ? {} : { mention }),
    },
    fullConfidence: 0.9,
    strongMention,
  });

  it('keeps mentions below malicious, however many they are', () => {
    const many = Array.from({ length: 8 }, () => found(0.45, 'quoted'));
    expect(judgeFindings(many, thresholds, { floor: false })).toEqual({
      score: 49,
      verdict: 'suspicious',
    });
  });

  it('keeps them suspicious in content, and for weak marks everywhere', () => {
    const strong = [found(0.27, 'quoted', true)];
    expect(judgeFindings(strong, thresholds, { floor: true }).verdict).toBe('suspicious');
    expect(judgeFindings(strong, thresholds, { floor: false }).verdict).toBe('benign');
    expect(judgeFindings([found(0.27, 'quoted')], thresholds, { floor: false }).verdict).toBe(
      'suspicious',
    );
  });

  it('lets one use count in full beside mentions', () => {
    const both = [found(0.9), found(0.45, 'quoted')];
    expect(judgeFindings(both, thresholds, { floor: false }).verdict).toBe('malicious');
  });
});
