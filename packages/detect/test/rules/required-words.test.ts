import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { builtinRules } from '../../src/rules/builtin-rules.js';
import { CandidateFinder } from '../../src/rules/candidates.js';
import { toRe2 } from '../../src/rules/pattern.js';
import type { Places } from '../../src/rules/places.js';
import { requiredWords } from '../../src/rules/required-words.js';

const words = (pattern: string) =>
  requiredWords(pattern).map((branch) =>
    branch.map((step) =>
      step.words
        .map((word) => `${word.startsWord ? '^' : ''}${word.text}${word.endsWord ? '$' : ''}`)
        .join('|'),
    ),
  );

describe('requiredWords', () => {
  it('names one word of each group, in order', () => {
    expect(words('\\b(?:ignore|forget)\\b.{0,20}\\brules?')).toEqual([
      ['^ignore$|^forget$', '^rule'],
    ]);
  });

  it('leaves out what may be missing', () => {
    expect(words('see(?: the)? (?:rules)*end')).toEqual([['see', 'end']]);
  });

  it('keeps alternatives at the top apart', () => {
    expect(words('open door|close gate')).toEqual([['open door'], ['close gate']]);
  });

  it('knows nothing of a pattern without words', () => {
    expect(words('\\d{4}-\\d{2}')).toEqual([]);
    expect(words('[a-f]+|word')).toEqual([]);
  });

  it('reads classes, escapes and repeated groups without losing its place', () => {
    expect(words('[]a]x\\.y(?i:ONE)(?P<n>two){2}[^a\\]]three')).toEqual([
      ['x.y', 'one', 'two', 'three'],
    ]);
  });
});

/** Whether a match of a pattern that begins at a unit is looked for. */
function holds(places: Places, pattern: number, at: number): boolean {
  for (let place = places.first(pattern); place >= 0; place = places.next(place)) {
    if (at < places.start(place) || at > places.end(place)) continue;
    const count = places.begins(place);
    if (count === 0) return true;
    for (let i = 0; i < count; i++) {
      const begin = places.begin(place, i);
      if (begin - places.ahead(place) <= at && at <= begin) return true;
    }
  }
  return false;
}

describe('CandidateFinder', () => {
  const atoms = fc.constantFrom(
    'one',
    'two',
    'three',
    'x',
    '\\b',
    '\\s',
    '[^\\w.!?]+',
    '.',
    '\\w+',
    '\\.',
    '(?:one|two three)',
    '(?:one)?',
    '(?:two|x)*',
    '.{0,5}',
    '(?:\\w+ ){0,2}',
    '(?:three\\b|one)',
    '(?: one| two){1,2}',
    'o{2}',
    'σας',
    'önceki',
    'слово',
    '(?i:ONE)',
    '^',
    '\\Bone',
    '(?:one(?: two)?)?three',
    "['’]",
    "['’]?",
    '\\s?',
    '(?:the )?',
    '(?:^|[.!?] )',
    '(?:[“"]|\\n)?',
    '[ -/]',
    '[!-~]',
    '(?: one|’two|three)',
    '(?:o?\\b)',
    '(?:[a-z]{0,2}\\b)',
    '(?:[e ]*\\b)',
    '(?:\\b| two)',
    '(?: ?\\b)',
    '-',
  );
  const rows = fc.array(atoms, { minLength: 1, maxLength: 6 }).map((some) => some.join(''));
  const groups = fc
    .tuple(
      fc.constantFrom('', '\\b'),
      fc.array(rows, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '\\b'),
    )
    .map(([before, some, after]) => `${before}(?:${some.join('|')})${after}`);
  const patterns = fc.oneof(rows, groups);
  // Under 96 characters, which is the most that is looked for before a first word.
  const texts = fc
    .array(
      fc.constantFrom(
        'one',
        'two',
        'three',
        'x',
        ' ',
        '.',
        '! ',
        ', ',
        'oo',
        'wone',
        'the ',
        "'",
        '’',
        '-',
        '“',
        '\n',
        'İ',
        'ΣΑΣ',
        'σας',
        'ÖNCEKİ',
        'Önceki',
        'СЛОВО',
      ),
      {
        maxLength: 15,
      },
    )
    .map((parts) => parts.join(''));

  it('never misses a place where a pattern matches', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.tuple(patterns, patterns, texts), ([first, second, text]) => {
        const sources = [first, `${first}|${second}`];
        const finder = new CandidateFinder(sources);
        const found = finder.find(text);
        sources.forEach((source, index) => {
          const matcher = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE).matcher(text);
          while (matcher.find()) {
            const start = matcher.start();
            const covered = finder.unknown.includes(index) || holds(found, index, start);
            expect(covered, `${source} on ${JSON.stringify(text)} at ${start}`).toBe(true);
          }
        });
      }),
      { numRuns: 3_000 },
    );
  });

  it('never misses a match of the shipped rules in their own tests', { timeout: 60_000 }, () => {
    for (const rule of builtinRules().rules) {
      const sources = Object.values(rule.detection.selections).flatMap(
        (selection) => selection.patterns,
      );
      const finder = new CandidateFinder(sources);
      const compiled = sources.map((source) =>
        RE2JS.compile(toRe2(source), RE2JS.CASE_INSENSITIVE),
      );
      for (const text of [...rule.tests.match, ...rule.tests.noMatch]) {
        const found = finder.find(text);
        compiled.forEach((pattern, index) => {
          const matcher = pattern.matcher(text);
          while (matcher.find()) {
            const start = matcher.start();
            expect(
              finder.unknown.includes(index) || holds(found, index, start),
              `${rule.id}: ${sources[index]} on ${JSON.stringify(text)} at ${start}`,
            ).toBe(true);
          }
        });
      }
    }
  });
});
