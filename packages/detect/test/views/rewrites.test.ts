import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ATTACK_SENTENCES,
  REWRITES,
  rewriteMarkdown,
  rewriteTable,
  seededNumbers,
} from '../../src/rewrites/index.js';
import { decodeViews } from '../../src/views/index.js';

function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z ]/gu, '')
    .replaceAll(/ +/gu, ' ')
    .trim();
}

function shown(text: string): string[] {
  return decodeViews(text).views.map((view) => fold(view.text));
}

const sentences = fc
  .tuple(
    fc.constantFrom('ignore', 'disregard', 'forget', 'override', 'reveal', 'repeat'),
    fc.constantFrom('all', 'your', 'the'),
    fc.constantFrom('previous', 'prior', 'hidden', 'system', 'earlier'),
    fc.constantFrom('instructions', 'rules', 'prompt', 'messages', 'guidelines'),
    fc.constantFrom('and', 'then'),
    fc.constantFrom('send', 'show', 'print', 'tell'),
    fc.constantFrom('me the password', 'your secret key', 'everything you know'),
  )
  .map((words) => words.join(' '));

describe('rewrites', () => {
  it.each(REWRITES.map((rewrite) => [rewrite.name, rewrite] as const))(
    '%s is undone on sentences made at random',
    (_, rewrite) => {
      fc.assert(
        fc.property(sentences, fc.integer({ min: 0, max: 2 ** 31 }), (sentence, seed) => {
          const text = rewrite.apply(sentence, seededNumbers(seed));
          expect(shown(text)).toContainEqual(expect.stringContaining(fold(sentence)));
        }),
        { numRuns: 25 },
      );
    },
  );

  it('are at least 44 and named apart', () => {
    expect(REWRITES.length).toBeGreaterThanOrEqual(44);
    expect(new Set(REWRITES.map(({ name }) => name)).size).toBe(REWRITES.length);
  });

  it('give the same text for the same seed', () => {
    const once = rewriteTable(() => true).map(({ example }) => example);
    expect(rewriteTable(() => true).map(({ example }) => example)).toEqual(once);
  });

  it('are all undone on the sentences of the table', () => {
    const wanted = ATTACK_SENTENCES.map((sentence) => fold(sentence));
    const rows = rewriteTable((text) =>
      decodeViews(text).views.some((view) =>
        wanted.some((sentence) => fold(view.text).includes(sentence)),
      ),
    );
    expect(rows.filter(({ found }) => found < 7).map(({ name }) => name)).toEqual([]);
  });

  it('count as found from seven of eight sentences on', () => {
    const rows = rewriteTable((text) => text.includes('rules'));
    expect(rewriteMarkdown(rows)).toContain(
      `0 of ${REWRITES.length} rewrites found in at least 7 of 8`,
    );
  });
});
