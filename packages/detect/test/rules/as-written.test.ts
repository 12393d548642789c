import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writtenRule } from '../../src/rules/as-written.js';
import { builtinRules } from '../../src/rules/builtin-rules.js';

const folder = new URL('../../rules/', import.meta.url);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));

describe('a rule as it is written', () => {
  it.each(builtinRules().rules)('is the rule once its words are put in: $id', (rule) => {
    const { selections, words } = writtenRule(files, rule.id) ?? { selections: {}, words: {} };
    const putIn = (pattern: string): string =>
      pattern.replaceAll(
        /\{\{([a-z0-9_]+)\}\}/g,
        (_, name: string) => `(?:${putIn(words[name] ?? '')})`,
      );
    const whole = Object.entries(selections).map(([name, all]) => [name, all.map(putIn)]);
    const matched = Object.entries(rule.detection.selections);
    expect(whole).toEqual(matched.map(([name, { patterns }]) => [name, patterns]));
  });

  it('has the words that it uses and no others', () => {
    const rule = (define: string) => ({
      name: 'a.yaml',
      text: `id: A-1\n${define}detection: { any: { any: ['{{one}}'] }, condition: any }\n`,
    });
    const shared = { name: '_w.yaml', text: "define: { two: '2', one: '{{two}}', three: '3' }\n" };
    expect(writtenRule([shared, rule('')], 'A-1')).toEqual({
      selections: { any: ['{{one}}'] },
      words: { one: '{{two}}', two: '2' },
    });
    expect(writtenRule([rule("define: { one: '1' }\n"), shared], 'A-1')?.words).toEqual({
      one: '1',
    });
  });

  it('is not there for an id that no file has', () => {
    expect(writtenRule(files, 'PI-999')).toBe(undefined);
    expect(writtenRule(files, 'PI-00')).toBe(undefined);
  });
});
