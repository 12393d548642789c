import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Scanner } from '../../src/scanner.js';

type Where = 'input' | 'context';

/** An everyday text full of trigger words, and an attack in nearly the same words. */
interface Twins {
  readonly scope: Where;
  readonly language: string;
  readonly benign: string;
  readonly attack: string;
}

interface Listed {
  readonly label: 'benign' | 'attack';
  readonly scope: Where;
  readonly language: string;
  readonly text: string;
  /** The rules are known to judge it wrongly. */
  readonly mistaken?: true;
}

function linesOf<T>(name: string): T[] {
  const text = readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

const scanner = new Scanner();
const isFound = (text: string, scope: Where): boolean =>
  (scope === 'input' ? scanner.scan(text) : scanner.scanContext(text)).verdict !== 'benign';

const twins = linesOf<Twins>('twins.jsonl');
const listed = linesOf<Listed>('trigger-words.jsonl');

const rateOf = (label: Listed['label'], scope: Where): number => {
  const texts = listed.filter((text) => text.label === label && text.scope === scope);
  return texts.filter(({ text }) => isFound(text, scope)).length / texts.length;
};

describe('everyday texts and their hostile twins', () => {
  it('come in twelve languages or more, and in both scopes', () => {
    expect(new Set(twins.map(({ language }) => language)).size).toBeGreaterThanOrEqual(12);
    expect(new Set(twins.map(({ scope }) => scope)).size).toBe(2);
  });

  it.each(twins)('spares “$benign” and finds “$attack”', ({ scope, benign, attack }) => {
    expect(isFound(benign, scope)).toBe(false);
    expect(isFound(attack, scope)).toBe(true);
  });
});

describe('lists of texts with trigger words', () => {
  it('are judged rightly but for those that are marked', () => {
    const wrong = listed
      .filter(({ label, scope, text }) => isFound(text, scope) !== (label === 'attack'))
      .filter(({ mistaken }) => mistaken !== true);
    expect(wrong.map(({ label, scope, text }) => `${label} ${scope}: ${text}`)).toEqual([]);
  });

  it('hold at most one false alarm in a hundred prompts and one in twenty mails', () => {
    expect(rateOf('benign', 'input')).toBeLessThanOrEqual(0.01);
    expect(rateOf('benign', 'context')).toBeLessThanOrEqual(0.05);
  });

  it('are found in nine of ten attacks', () => {
    expect(rateOf('attack', 'input')).toBeGreaterThanOrEqual(0.9);
    expect(rateOf('attack', 'context')).toBeGreaterThanOrEqual(0.9);
  });
});
