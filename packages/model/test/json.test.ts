import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  deepEqual,
  didYouMean,
  getAt,
  type JsonValue,
  mapStrings,
  pointerSteps,
  scenarioJsonSchema,
  setAt,
} from '../src/index.js';

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

describe('canonicalJson', () => {
  it('is JSON of the same value, and equal for equal values', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('sorts keys by code unit, and keeps __proto__ as a key', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"a":{"d":1,"__proto__":2}}'))).toBe(
      '{"a":{"__proto__":2,"d":1},"b":1}',
    );
  });
});

describe('JSON pointers', () => {
  it('read back what they set, and leave everything else shared', () => {
    const value = { a: [{ b: 1 }, { b: 2 }], c: { 'd/e~f': 'x' } };
    expect(getAt(value, '/c/d~1e~0f')).toBe('x');
    const next = setAt(value, '/a/1/b', 9) as typeof value;
    expect(next).toEqual({ a: [{ b: 1 }, { b: 9 }], c: { 'd/e~f': 'x' } });
    expect(next.c).toBe(value.c);
    expect(next.a[0]).toBe(value.a[0]);
    expect(value.a[1]).toEqual({ b: 2 });
  });

  it('never reach a prototype', () => {
    expect(getAt({}, '/constructor')).toBeUndefined();
    expect(getAt({}, '/__proto__/x')).toBeUndefined();
    const polluted = setAt({}, '/__proto__', { x: 1 });
    expect(Object.keys(polluted as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('find nothing where there is nothing', () => {
    expect(pointerSteps('a')).toBeUndefined();
    expect(getAt([1], '/01')).toBeUndefined();
    expect(setAt({ a: 1 }, '/b/c', 1)).toBeUndefined();
    expect(setAt([1], '/-', 2)).toEqual([1, 2]);
  });
});

it('deepEqual agrees with canonical JSON', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(deepEqual(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
      expect(
        deepEqual(
          a,
          mapStrings(a, (text) => text),
        ),
      ).toBe(true);
    }),
  );
});

it('names the nearest right word', () => {
  expect(didYouMean('speling', ['spotlight', 'spelling'])).toBe(' Did you mean "spelling"?');
  expect(didYouMean('zzz', ['spotlight'])).toBe('');
  expect(didYouMean('spot', ['spotlight', 'none'])).toBe(' Did you mean "spotlight"?');
});

it('exports the scenario format as JSON Schema', () => {
  const { scenario, world } = scenarioJsonSchema();
  expect(scenario).toMatchObject({ type: 'object', additionalProperties: false });
  expect(Object.keys(scenario['properties'] as object)).toContain('injections');
  expect(Object.keys(world['properties'] as object)).toContain('tools');
});
