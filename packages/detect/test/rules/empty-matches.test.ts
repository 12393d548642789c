import { describe, expect, it } from 'vitest';
import { checkPattern } from '../../src/rules/pattern.js';

const WORDS = 'can match without taking in a character';

describe('a pattern that can match an empty place of a text', () => {
  it.each([
    String.raw`\b`,
    String.raw`\b|word`,
    String.raw`word|\b`,
    String.raw`\b(?:word)?`,
    String.raw`\b(?:please)?\s*`,
    String.raw`\w*\b`,
    String.raw`.*\b`,
    String.raw`\b[^x]*`,
    String.raw`(?m)\b$`,
    String.raw`(?m)^\b\w*?`,
    String.raw`\A\b`,
    String.raw`\b\z`,
    String.raw`x|(?:y|\b)`,
    '(?:^|$)|x',
    '(?:x|)',
  ])('is refused: %s', (pattern) => {
    const problem = checkPattern(pattern);
    expect(problem?.message).toMatch(new RegExp(`${WORDS}|matches the empty text`));
    expect(problem).toMatchObject({ offset: 0, unsupported: false });
  });

  it('is told what to write', () => {
    expect(checkPattern(String.raw`\b`)?.message).toBe(
      `${WORDS}, so it would fire in nearly every text; write into it what must be there, such as \`\\bword\\b\``,
    );
  });

  it.each([
    String.raw`\bword\b`,
    String.raw`\b\w`,
    String.raw`\w+\b`,
    String.raw`^\s*word`,
    '(?m)^#',
    String.raw`(?:^|\W)word(?:\W|$)`,
    String.raw`\b(?:a|b)?c`,
    '.',
    String.raw`[^\n]`,
    String.raw`\B-`,
    String.raw`слово\b`,
  ])('is another than %s', (pattern) => {
    expect(checkPattern(pattern)).toBeUndefined();
  });
});
