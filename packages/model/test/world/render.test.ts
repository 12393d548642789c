import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type JsonValue, layoutOf, type Part, renderResult } from '../../src/index.js';

it('puts a value that was taken apart together again', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // -0 has no JSON of its own.
      const json = JSON.parse(JSON.stringify(value)) as JsonValue;
      expect(JSON.parse(renderResult(layoutOf(json, 's', 'environment')))).toEqual(json);
    }),
  );
});

it('takes an object that looks like a leaf for what it is', () => {
  const value = { '#': 0, '{}': { '#': 1 } };
  expect(JSON.parse(renderResult(layoutOf(value, 's', 'environment')))).toEqual(value);
});

const { parts, layout } = layoutOf({ title: 'a "b"', n: 5 }, 's', 'environment');
const edit = (change: (parts: readonly Part[]) => readonly Part[]): string =>
  renderResult({ parts: change(parts), layout });

it('escapes text that a defense has rewritten', () => {
  expect(edit((all) => all.map((part) => ({ ...part, text: `<"${part.text}">` })))).toBe(
    '{"title": "<\\"a \\"b\\"\\">", "n": "<\\"5\\">"}',
  );
});

it('shows a dropped leaf as null, and free parts before or after the JSON', () => {
  expect(edit(() => [])).toBe('{"title": null, "n": null}');
  const free = (text: string): Part => ({ text, provenance: 'system' });
  expect(edit((all) => [free('before'), ...all, free('after')])).toBe(
    'before\n{"title": "a \\"b\\"", "n": 5}\nafter',
  );
});
