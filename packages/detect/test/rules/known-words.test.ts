import { describe, expect, it } from 'vitest';
import { builtinRules } from '../../src/rules/builtin-rules.js';
import { knownWords, wordsReader } from '../../src/rules/known-words.js';
import { PACK_WORDS } from '../../src/rules/pack-words.js';
import { type TellingStep, tellingWords } from '../../src/rules/telling-steps.js';

const plain = (branches: readonly (readonly TellingStep[])[]) =>
  branches.map((steps) =>
    steps.map(({ words, farthest, crosses, weight }) => ({
      words: words.map(({ text, startsWord, endsWord }) => ({ text, startsWord, endsWord })),
      farthest,
      crosses,
      weight,
    })),
  );

const patterns = builtinRules().rules.flatMap((rule) =>
  Object.values(rule.detection.selections).flatMap((selection) => selection.patterns),
);

describe('the table of required words', () => {
  it('is the one that scripts/bundle-rules.js makes of the shipped rules', () => {
    expect(PACK_WORDS === JSON.stringify(knownWords(patterns))).toBe(true);
  });

  it('gives what reading the pattern gives', () => {
    const wordsOf = wordsReader();
    const read = tellingWords();
    for (const pattern of new Set(patterns)) {
      expect(wordsOf(pattern), pattern).toEqual(plain(read(pattern)));
    }
  });

  it('reads a pattern that is not in it', () => {
    const pattern = '\\bopen sesame\\b.{0,9}\\bnow\\b';
    expect(wordsReader()(pattern)).toEqual(tellingWords()(pattern));
  });
});
