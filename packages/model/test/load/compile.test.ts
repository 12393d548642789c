import { expect, it } from 'vitest';
import { compile, digestText, loadJsonl, Scenario, World } from '../../src/index.js';
import { bytesOf, scenarioWith, worldInput } from '../sample.js';

const scenarios = ['b-1', 'a-1'].map((id) => Scenario.parse(scenarioWith({ id })));
const worlds = new Map([
  ['desk', World.parse(worldInput)],
  ['unused', World.parse({ ...worldInput, id: 'unused' })],
]);
const options = { name: 'test', version: '1.2.3', scenarios, worlds };

it('gives the same bytes whatever the order of the scenarios', () => {
  const { text, manifest } = compile(options);
  expect(compile({ ...options, scenarios: scenarios.toReversed() }).text).toBe(text);
  expect(manifest.sha256).toBe(digestText(text));
});

it('writes each world in use once, and scenarios in order of id', () => {
  const lines = compile(options)
    .text.trim()
    .split('\n')
    .map((line) => Object.keys(JSON.parse(line) as object));
  expect(lines).toEqual([
    ['corpus'],
    ['digest', 'world'],
    ['scenario', 'worldDigest'],
    ['scenario', 'worldDigest'],
  ]);
});

it('loads again as what it was', () => {
  const { text, manifest } = compile(options);
  const loaded = loadJsonl(bytesOf(text), 'c.jsonl');
  expect(loaded.problems).toEqual([]);
  expect(loaded.header).toEqual({ name: 'test', version: '1.2.3' });
  expect(compile({ name: 'test', version: '1.2.3', ...loaded }).manifest).toEqual(manifest);
  expect(manifest).toMatchObject({
    attacks: 2,
    controls: 0,
    channels: { document: 2 },
    families: { data_exfiltration: 2 },
  });
});
