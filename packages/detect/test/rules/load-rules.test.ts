import { describe, expect, it } from 'vitest';
import { DetectError } from '../../src/errors.js';
import { loadRules } from '../../src/rules/load-rules.js';
import { Scanner } from '../../src/scanner.js';

const DETECTION = `detection:
  condition: any
  patterns:
    - '\\bopen sesame\\b'
`;
const rule = (change: (text: string) => string = (text) => text): string =>
  change(`id: ACME-007
title: Magic words
description: Says the magic words.
severity: medium
confidence: 0.5
status: test
tags:
  atlas: [AML.T0051.000]
  owasp: [LLM01:2026]
${DETECTION}references: [https://example.com]
falsepositives: [Fairy tales]
tests:
  match: [open sesame, Now open sesame please]
  no_match: [open the door, sesame oil]
author: PAB
date: 2026-01-31
`);

function failure(text: string, name = 'magic.yml'): string {
  try {
    loadRules([{ name, text }]);
  } catch (error) {
    return DetectError.is(error) && error instanceof Error ? error.message : 'another error';
  }
  return 'loaded';
}

const withPattern = (pattern: string): string =>
  rule((text) => text.replace("'\\bopen sesame\\b'", pattern));

describe('loadRules', () => {
  it('reads the format with a list of patterns', () => {
    const [read] = loadRules([{ name: 'magic.yml', text: rule() }]).rules;
    expect(read).toMatchObject({ id: 'ACME-007', scope: ['input', 'context'], enabled: true });
    const scanner = new Scanner({ rules: loadRules([{ name: 'magic.yml', text: rule() }]) });
    expect(scanner.scan('Please, OPEN SESAME!').detections.map(({ id }) => id)).toEqual([
      'ACME-007',
    ]);
  });

  it('asks for every pattern when the condition is all', () => {
    const text = rule((source) =>
      source
        .replace('condition: any', 'condition: all')
        .replace("    - '\\bopen", "    - '\\bnow\\b'\n    - '\\bopen"),
    );
    const scanner = new Scanner({ rules: loadRules([{ name: 'magic.yml', text }]) });
    expect(scanner.scan('open sesame').detections).toEqual([]);
    expect(scanner.scan('open sesame, and now').detections.length).toBe(1);
  });

  it('names a look-ahead, where it stands, and what replaces it', () => {
    expect(failure(withPattern("'open (?!the) sesame'"))).toMatchInlineSnapshot(
      `"magic.yml:13:7: the pattern \`open (?!the) sesame\` (character 6) uses a negative look-ahead \`(?!\`. RE2 has none, because it keeps matching linear. Write the pattern as \`open  sesame\`, put \`open the\` into a selection \`other\`, and write \`condition: name and not other\`; a match of \`name\` that a match of \`other\` overlaps then does not count"`,
    );
  });

  it.each([
    ["'(?<!my )previous'", 'Write the pattern as `previous`, put `my previous` into a selection'],
    ["'tell (?!me|us)\\w+'", 'Write the pattern as `tell \\w+`, put `tell (?:me|us)` into'],
    ["'open (?=sesame)'", 'Write what must be there into the pattern: `open sesame`'],
    ["'(?<=open )sesame'", 'Write what must be there into the pattern: `open sesame`'],
    ["'open(?= the)\\b.*door'", 'into a selection of its own with `condition: name and other`'],
    ["'a(?:b(?!c)|d)'", 'Put what must not be there into a selection of its own and write'],
    ["'a|b(?!c)'", 'Put what must not be there into a selection of its own and write'],
    ["'a(?!b)c(?!d)'", 'Put what must not be there into a selection of its own and write'],
    ["'a(?!b'", 'Put what must not be there into a selection of its own and write'],
    ["'(?!b)'", 'Put what must not be there into a selection of its own and write'],
  ])('says what to write in place of %s', (pattern, words) => {
    expect(failure(withPattern(pattern))).toContain(words);
  });

  it('takes what it says to write in place of a look-around, and that does the same', () => {
    const text = rule((source) =>
      source.replace(
        /  condition: any\n  patterns:\n.*\n/,
        "  condition: name and not other\n  name: ['previous words']\n  other: ['my previous words']\n",
      ),
    ).replace('open sesame, Now', 'previous words, all previous words and now');
    const scanner = new Scanner({ rules: loadRules([{ name: 'magic.yml', text }]) });
    const found = (words: string) => scanner.scan(words).detections.length;
    expect(['previous words', 'my previous words', 'the previous words'].map(found)).toEqual([
      1, 0, 1,
    ]);
  });

  it('says that a second rule needs a file of its own', () => {
    expect(failure(`${rule()}---\n${rule()}`)).toMatch(
      /^magic\.yml:\d+:1: a second rule begins here; give each rule a file of its own$/,
    );
  });

  it.each([
    ["'(?<=a)b'", 'look-behind'],
    ["'(?<!a)b'", 'negative look-behind'],
    ["'(a)b\\1'", 'back-reference'],
    ["'(?P<x>a)(?P=x)'", 'back-reference'],
    ["'(?>a+)b'", 'atomic group'],
  ])('rejects %s by name', (pattern, name) => {
    expect(failure(withPattern(pattern))).toContain(name);
  });

  it.each([
    ["'[(?=]x'", 'a bracket that only looks like a look-ahead'],
    ["'\\(?=x'", 'an escaped parenthesis'],
  ])('takes %s: %s', (pattern) => {
    expect(failure(withPattern(pattern))).toBe('loaded');
  });

  it.each([
    [rule((text) => text.replace('title:', 'titel:')), 'magic.yml:2:1: unknown key "titel"'],
    [rule((text) => text.replace('ACME-007', 'acme 7')), 'magic.yml:1:5: "acme 7" is no id'],
    [
      rule((text) => text.replace('severity: medium', 'severity: huge')),
      'magic.yml:4:11: severity is "huge"',
    ],
    [rule((text) => text.replace('0.5', '1.5')), 'magic.yml:5:13: confidence is 1.5'],
    [
      withPattern("'open (sesame'"),
      'magic.yml:13:7: the pattern `open (sesame` is not a regular expression',
    ],
    [withPattern("'x*'"), 'matches the empty text'],
    [
      withPattern("'\\b'"),
      'magic.yml:13:7: the pattern `\\b` can match without taking in a character',
    ],
    [rule((text) => text.replace('open sesame, Now', '{a: b}, Now')), 'must be a string; a `: `'],
    [
      rule((text) => text.replace('[open the door, sesame oil]', '[42, oil]')),
      'must be a string, not 42',
    ],
    [rule((text) => text.replace(', sesame oil]', ']')), 'tests.no_match has 1; at least 2'],
    [
      rule((text) => text.replace('references: [https://example.com]\n', '')),
      '"references" is missing',
    ],
    [
      rule((text) => text.replace('falsepositives: [Fairy tales]', 'falsepositives: []')),
      'falsepositives is empty',
    ],
    [rule((text) => text.replace('  owasp: [LLM01:2026]\n', '')), 'tags.owasp is missing'],
    [rule((text) => text.replace('2026-01-31', "'31.1.2026'")), 'as YYYY-MM-DD'],
    [rule((text) => text.replace('2026-01-31', '2027-13-45')), 'date is "2027-13-45"; write a day'],
    [rule((text) => text.replace('2026-01-31', '2027-02-30')), 'magic.yml:20:7: date is'],
    [
      rule((text) => text.replace('Magic', 'Mag\ufffdc')),
      'magic.yml:2:11: a character is U+FFFD, as bytes that are not UTF-8 are read',
    ],
    [withPattern("'(?>a+)b'"), 'uses an atomic group'],
    [withPattern("'(?=a)b'"), 'uses a look-ahead'],
    [
      rule((text) => text.replace('LLM01:2026', 'LLM02:2077')),
      'magic.yml:9:11: "LLM02:2077" in tags.owasp is no id of the OWASP Top 10 for LLM applications; there are LLM01:2026 to LLM10:2026 and LLM01:2025 to LLM10:2025',
    ],
    [rule((text) => text.replace('LLM01:2026', 'LLM11:2026')), '"LLM11:2026" in tags.owasp is no'],
    [
      rule((text) => text.replace('[LLM01:2026]', "['LLM02:2025', LLM60]")),
      'magic.yml:9:25: "LLM60" in tags.owasp is no id',
    ],
    [
      rule((text) => text.replace('AML.T0051.000', 'AML.T0051.000, T0051')),
      'magic.yml:8:26: "T0051" in tags.atlas is no id such as AML.T0051.000',
    ],
    ['- a\n- b\n', 'magic.yml:1:1: a rule file holds a mapping'],
    ['id: [\n', 'is not valid YAML'],
  ])('says where and what is wrong (%#)', (text, message) => {
    expect(failure(text)).toContain(message);
  });

  it.each([
    [2, '  title: Magic words', 'magic.yml:2:3: is not valid YAML: the line is indented further'],
    [5, '    confidence: 0.5', 'magic.yml:5:5: is not valid YAML: the line is indented further'],
    [9, '   owasp: [LLM01:2026]', 'magic.yml:9:1: is not valid YAML: All mapping items'],
    [12, '   patterns:', 'magic.yml:12:4: is not valid YAML: the line is indented further'],
    [19, ' author: PAB', 'magic.yml:19:1: is not valid YAML: All mapping items'],
  ])('points to line %i when it is indented wrongly', (number, line, message) => {
    const lines = rule().split('\n');
    expect(failure(lines.with(number - 1, line).join('\n'))).toContain(message);
  });

  it('points to a key that its indentation made a part of another value', () => {
    const text = rule((source) =>
      source.replace('Says the magic words.', '>\n  Says the magic words.'),
    ).replace('severity', '  severity');
    expect(failure(text)).toBe(
      'magic.yml:5:3: "severity" is missing: this line is indented, so it belongs to what stands above it; begin it in the column of the other keys',
    );
  });

  it('takes the ids of both editions of the OWASP list', () => {
    const owasp = ['LLM01:2025', 'LLM10:2025', 'LLM01:2026', 'LLM10:2026'];
    const text = rule((source) => source.replace('[LLM01:2026]', JSON.stringify(owasp)));
    expect(loadRules([{ name: 'magic.yml', text }]).rules[0]?.tags.owasp).toEqual(owasp);
  });

  it('takes an OWASP id without a year for one of the newest edition', () => {
    const text = rule((source) => source.replace('[LLM01:2026]', "[LLM06, 'LLM01:2025']"));
    const { rules } = loadRules([{ name: 'magic.yml', text }]);
    expect(rules[0]?.tags.owasp).toEqual(['LLM06:2026', 'LLM01:2025']);
  });

  it('rejects a duplicate id and names both files', () => {
    const files = [
      { name: 'a.yml', text: rule() },
      { name: 'b.yml', text: rule() },
    ];
    expect(() => loadRules(files)).toThrow('b.yml:1:5: the id ACME-007 is already used in a.yml');
    const moved = {
      name: 'b.yml',
      text: rule((text) => `# ours\n${text.replace('id: ', '"id":   ')}`),
    };
    expect(() => loadRules([files[0] ?? moved, moved])).toThrow('b.yml:2:9: the id ACME-007');
  });

  it('rejects a filter of a rule that is nowhere', () => {
    const filter = (id: string) => ({
      name: 'f.yml',
      text: `id: ACME-F01\ntitle: Ours\nfilter:\n  rules: ['*', ${id}]\n  exclude: [ours]\n`,
    });
    const own = { name: 'own.yml', text: rule() };
    expect(() => loadRules([own, filter('PI-999')])).toThrow(
      'f.yml:4:16: there is no rule PI-999 that a filter could name',
    );
    expect(loadRules([own, filter('ACME-007')]).filters).toHaveLength(1);
    // One of the built-in pack, and one that may be loaded elsewhere.
    expect(loadRules([own, filter('PI-001')]).filters).toHaveLength(1);
    expect(loadRules([filter('OTHER-001')]).filters).toHaveLength(1);
  });

  it('rejects keys that could reach a prototype', () => {
    expect(failure(`${rule()}__proto__: {enabled: false}\n`)).toContain('unknown key "__proto__"');
    const text = rule((source) =>
      source.replace(DETECTION, 'detection:\n  condition: constructor\n  constructor: [abc]\n'),
    );
    expect(failure(text)).toContain('cannot name a selection');
  });

  it('names a key that stands twice, where it stands again', () => {
    expect(failure(`${rule()}title: Other words\n`)).toBe(
      'magic.yml:21:1: "title" stands twice in a rule; keep one of them',
    );
    const text = rule((source) => source.replace('  owasp:', '  atlas: [AML.T0054]\n  owasp:'));
    expect(failure(text)).toContain('magic.yml:9:3: "atlas" stands twice in tags');
  });

  it('does not expand a bomb of aliases', () => {
    const bomb = `a: &a [x, x]\n${Array.from({ length: 30 }, (_, i) => `k${i}: &k${i} [*${i === 0 ? 'a' : `k${i - 1}`}, *${i === 0 ? 'a' : `k${i - 1}`}]`).join('\n')}\n`;
    expect(failure(bomb + rule())).toContain('unknown key "a"');
  });
});

describe('selections', () => {
  const selected = (body: string): Scanner =>
    new Scanner({
      rules: loadRules([
        { name: 'm.yml', text: rule((text) => text.replace(DETECTION, `detection:\n${body}`)) },
      ]),
    });
  const fires = (scanner: Scanner, text: string): boolean =>
    scanner.scan(text).detections.length > 0;

  it('takes away only the matches that a `not` selection overlaps', () => {
    const scanner = selected(
      "  condition: magic and not tale\n  magic: ['open sesame']\n  tale: ['story of open sesame']\n",
    );
    expect(fires(scanner, 'the story of open sesame')).toBe(false);
    expect(fires(scanner, 'the story of open sesame, so open sesame')).toBe(true);
    expect(fires(scanner, 'open sesame, as in the story of Ali Baba')).toBe(true);
  });

  it('knows 1 of, all of, them and wildcards', () => {
    const two = "  word_a: ['sesame']\n  word_b: ['poppy']\n";
    expect(fires(selected(`  condition: 1 of word_*\n${two}`), 'poppy seeds')).toBe(true);
    expect(fires(selected(`  condition: all of them\n${two}`), 'poppy seeds')).toBe(false);
    expect(fires(selected(`  condition: all of word_*\n${two}`), 'poppy and sesame')).toBe(true);
    expect(
      fires(
        selected(`  condition: (word_a or word_b) and not _no\n${two}  _no: ['poppy field']\n`),
        'a poppy field',
      ),
    ).toBe(false);
  });

  it.each([
    ['not magic', '`not` needs something to take away from'],
    ['magic and other', 'no selection is named "other"'],
    ['(magic', 'a `)` is missing'],
    ['magic or not magic', '`not` needs something'],
    ['magic magic', '"magic" was not expected here'],
    ['1 of nothing*', 'no selection matches "nothing*"'],
  ])('explains what is wrong with the condition %s', (condition, message) => {
    expect(() => selected(`  condition: ${condition}\n  magic: [sesame]\n`)).toThrow(message);
  });

  it('puts shared words into patterns', () => {
    const scanner = new Scanner({
      rules: loadRules([
        { name: 'z.yml', text: withPattern("'open {{seed}}'") },
        { name: '_words.yml', text: 'define:\n  seed: sesame|poppy\n' },
      ]),
    });
    expect(fires(scanner, 'open poppy')).toBe(true);
    expect(failure(withPattern("'open {{seed}}'"))).toContain('nothing is defined as {{seed}}');
  });
});

describe('filters and overrides', () => {
  const filter =
    'id: SITE-1\ntitle: Our play\nfilter:\n  rules: [ACME-007]\n  exclude: ["open sesame the musical"]\n';

  it('takes matches away from other rules by id', () => {
    const rules = loadRules([
      { name: 'a.yml', text: rule() },
      { name: 'f.yml', text: filter },
    ]);
    const scanner = new Scanner({ rules });
    expect(scanner.scan('Tickets for Open Sesame the Musical').detections).toEqual([]);
    expect(scanner.scan('Open sesame the door').detections.length).toBe(1);
  });

  it('switches a rule off and changes its severity', () => {
    const rules = loadRules([{ name: 'a.yml', text: rule() }]);
    const off = new Scanner({ rules, overrides: { 'ACME-007': { enabled: false } } });
    expect(off.scan('open sesame').detections).toEqual([]);
    const high = new Scanner({
      rules,
      overrides: { 'ACME-007': { severity: 'critical', confidence: 1 } },
    });
    expect(high.scan('open sesame').score).toBe(85);
    expect(() => new Scanner({ rules, overrides: { 'ACME-8': {} } })).toThrow(
      'there is no rule ACME-8',
    );
  });

  it('reloads rules without a new scanner, and keeps overrides', () => {
    const rules = loadRules([{ name: 'a.yml', text: rule() }]);
    const scanner = new Scanner({ rules, overrides: { 'ACME-007': { severity: 'critical' } } });
    scanner.reload(loadRules([{ name: 'a.yml', text: withPattern("'close sesame'") }]));
    expect(scanner.scan('open sesame').detections).toEqual([]);
    expect(scanner.scan('close sesame').detections[0]?.severity).toBe('critical');
  });
});
