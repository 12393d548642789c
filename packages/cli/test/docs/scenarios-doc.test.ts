import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  CHANNELS,
  CONTROL_TYPES,
  formatProblem,
  isObject,
  type JsonValue,
  own,
  scenarioJsonSchema,
  VarSpec,
} from '@pab/model';
import { loadYaml } from '@pab/model/yaml';
import { describe, expect, it } from 'vitest';
import { loadBundledCorpus, selfTest } from '../../src/run/index.js';
import { codeBlocks } from './code-blocks.js';

const page = readFileSync(
  fileURLToPath(new URL('../../../../docs/scenarios.md', import.meta.url)),
  'utf8',
);

function propertiesOf(schema: JsonValue): string[] {
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}

async function loadExamples() {
  const corpus = await loadBundledCorpus();
  const files = codeBlocks(page, 'yaml').map(({ text, line }) => ({
    file: `docs/scenarios.md, line ${line}`,
    bytes: new TextEncoder().encode(text),
  }));
  const loaded = loadYaml(files, corpus.worlds);
  const worlds = new Map([...corpus.worlds, ...loaded.worlds]);
  return { ...loaded, corpus: { ...corpus, scenarios: loaded.scenarios, worlds } };
}

describe('docs/scenarios.md', () => {
  it('has examples that load without a problem', async () => {
    const { scenarios, worlds, problems } = await loadExamples();
    expect(problems.map(formatProblem)).toEqual([]);
    expect([...worlds.keys()]).toContain('lending-desk');
    expect(scenarios.map(({ id }) => id)).toEqual(['desk-override-001', 'email-exfil-001']);
  });

  it('has examples that pass the self-test and kill every mutant', async () => {
    const { corpus } = await loadExamples();
    const report = await selfTest(corpus, { seeds: [0], mutants: true });
    expect(report.failures).toEqual([]);
    expect(report.mutants.survivors).toEqual([]);
    expect(report.tolerance.flips).toEqual([]);
    expect(report.mutants.utility.total).toBeGreaterThan(0);
    expect(report.mutants.security.total).toBeGreaterThan(0);
  });

  it('names every field of a scenario and of a world', () => {
    const { scenario, world } = scenarioJsonSchema();
    const fields = [...propertiesOf(scenario), ...propertiesOf(world)];
    expect(fields.length).toBeGreaterThan(30);
    expect(fields.filter((field) => !page.includes(`\`${field}`))).toEqual([]);
  });

  it('names every kind of value, every kind of control, and real channels only', () => {
    const kinds = VarSpec.options.map(({ shape }) => shape.kind.value);
    expect(kinds.filter((kind) => !page.includes(`\`${kind}\``))).toEqual([]);
    expect(CONTROL_TYPES.filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
    const channels = [...page.matchAll(/^channel: (\w+)$/gm)].map(([, name]) => name);
    expect(channels.filter((name) => !CHANNELS.some((channel) => channel === name))).toEqual([]);
  });
});
