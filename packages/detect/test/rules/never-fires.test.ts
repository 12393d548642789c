import { describe, expect, it } from 'vitest';
import { DetectError } from '../../src/errors.js';
import { loadRules } from '../../src/rules/load-rules.js';
import { Scanner } from '../../src/scanner.js';

const withPattern = (pattern: string): string => `id: ACME-007
title: Magic words
description: Says the magic words.
severity: medium
confidence: 0.5
status: test
tags:
  atlas: [AML.T0051.000]
  owasp: [LLM01:2026]
detection:
  condition: any
  patterns:
    - ${pattern}
references: [https://example.com]
falsepositives: [Fairy tales]
tests:
  match: [open sesame, Now open sesame please]
  no_match: [open the door, sesame oil]
author: PAB
date: 2026-01-31
`;

function failure(text: string): string {
  try {
    loadRules([{ name: 'magic.yml', text }]);
  } catch (error) {
    return DetectError.is(error) ? error.message : 'another error';
  }
  return 'loaded';
}

describe('a rule file with letters and white space that texts have in another form', () => {
  it.each([
    ['ｏｐｅｎ sesame', 'can never fire: it needs "ｏ" (U+FF4F)', 'write `o` in its'],
    ['open… sesame', '(character 5) can never fire: it needs "…" (U+2026)', 'write `\\.\\.\\.` in'],
    [
      'ope\u0301n',
      '(character 3) can never fire: it needs "e\u0301" (U+0065)',
      'write `\u00e9` in its',
    ],
    ['open\u200b sesame', '(character 5) can never fire: it needs "\u200b"', 'leave it out'],
    [
      'open (?:ﬁ|ﬂ)x',
      '(character 9) can never fire: it needs "ﬁ" (U+FB01)',
      'write `fi` in its place',
    ],
    ['open [ａｂ]', '(character 6) can never fire', 'write `a` in its place'],
    ['open \\x{FF41}', '(character 6) can never fire', 'write `a` in its place'],
    ['open(?: \\u2460)+', '(character 9) can never fire', 'write `1` in its place'],
    [
      'open\\nsesame',
      '(character 5) can never fire: it needs "\\n", and in',
      'write ` ` in its place',
    ],
    ['open\\s*[\\t\\n]now', '(character 8) can never fire', 'write ` ` in its place'],
    ['open\\x0asesame', '(character 5) can never fire: it needs "\\n"', 'write ` ` in its place'],
    ['open\u00a0sesame', '(character 5) can never fire', 'write ` ` in its place'],
    [
      'open  sesame',
      '(character 5) can never fire: it needs several',
      'write `\\s` in their place',
    ],
    ['(?:open\\s{2,}|shut\\s\\s)sesame', '(character 8) can never fire: it needs several', '`\\s`'],
    ['open\\s+[ \\t]\\s*sesame', '(character 5) can never fire: it needs several', '`\\s`'],
  ])('says that a pattern with what no text has never fires: %s', (pattern, problem, mend) => {
    const said = failure(withPattern(`'${pattern}'`));
    expect(said).toContain(problem);
    expect(said).toContain(mend);
  });

  it.each([
    'open(?:…|\\.\\.\\.) sesame',
    'open [!！]',
    'open [^！]x',
    'open ａ?b',
    'open (?:ａ){0,2}b',
    'c[oó]mo',
    'señor',
    'недавние',
    '忽略。',
    '[ａ-ｚ] open',
    '(?i)open ｜*sesame',
    'a[\u0301]?b',
    'open\\x20sesame',
    'open[ \\t]\\s*\\n?sesame',
    'open(?:\\n|\\s)sesame',
    'open \\W?\\sx',
    'open[^\\n]x',
    'open\\s{1,3} ?x',
    'open[\\s,]+ x',
    '\\p{L}é\\u00e9',
  ])('takes a pattern that fires without what no text has: %s', (pattern) => {
    expect(failure(withPattern(`'${pattern}'`))).toBe('loaded');
  });

  it.each(['İptal et', '[İI]ptal et', '\\x{130}ptal et', '\u{1e900}bc et', '\u{1e922}bc et'])(
    'a pattern fires that needs a letter with two forms: %s',
    (pattern) => {
      const rules = loadRules([{ name: 'magic.yml', text: withPattern(`'${pattern}'`) }]);
      const written = pattern.replace('[İI]', 'İ').replace('\\x{130}', 'İ');
      const [found] = new Scanner({ rules }).scan(`Now ${written}.`).detections;
      expect(found?.matched).toBe(written);
    },
  );

  it('names the line and the column of what is wrong', () => {
    expect(failure(withPattern("'open\\tsesame'"))).toMatch(/^magic\.yml:13:\d+: /);
  });
});
