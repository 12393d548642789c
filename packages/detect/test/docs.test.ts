import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  resultMarkdown,
  ruleMarkdown,
  sectionOf,
  speedMarkdown,
  withSection,
} from '../scripts/page-tables.js';
import { rewriteMarkdown, rewriteTable } from '../src/rewrites/index.js';
import { loadRules } from '../src/rules/load-rules.js';
import { Scanner } from '../src/scanner.js';
import { parseCorrelations } from '../src/session/index.js';
import { testRules } from '../src/test-rules.js';

const docs = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8');

const yamlBlocks = (page: string) =>
  [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);

describe('docs/detector.md (made by node packages/detect/scripts/detector-page.js)', () => {
  it('lists the rules of the pack', () => {
    expect(sectionOf(docs('detector.md'), 'rules')).toBe(ruleMarkdown(new Scanner().rules));
  });

  it('shows the table of rewrites that rewrite-table.js prints', () => {
    const scanner = new Scanner();
    const rows = rewriteTable((text) => scanner.scan(text).verdict !== 'benign');
    expect(sectionOf(docs('detector.md'), 'rewrites')).toBe(rewriteMarkdown(rows));
  });

  it('shows results that stand in the committed result files', () => {
    const table = resultMarkdown(docs('results/detect/README.md'));
    expect(table.split('\n').length).toBeGreaterThan(10);
    expect(sectionOf(docs('detector.md'), 'results')).toBe(table);
  });

  it('shows the times that stand in the committed result file', () => {
    const bench: unknown = JSON.parse(docs('results/detect/bench.json'));
    expect(sectionOf(docs('detector.md'), 'speed')).toBe(
      speedMarkdown(bench as Parameters<typeof speedMarkdown>[0]),
    );
  });

  it('has a rule and a filter as examples that load and pass their own tests', () => {
    const files = yamlBlocks(docs('detector.md'))
      .filter((text) => /^(?:detection|filter):/m.test(text))
      .map((text, index) => ({ name: `example-${index}.yaml`, text }));
    const pack = loadRules(files);
    expect([pack.rules.length, pack.filters.length]).toEqual([1, 1]);
    expect(testRules(pack)).toMatchObject({ failures: [] });
  });

  it('says truly that a paraphrase is not found', () => {
    const quoted = /Paraphrase without trigger words\.\*\* "([^"]+)"/.exec(
      docs('detector.md'),
    )?.[1];
    expect(quoted).toBeDefined();
    expect(new Scanner().scan(quoted ?? '').verdict).toBe('benign');
  });

  it('has a correlation as an example that loads', () => {
    const found = yamlBlocks(docs('detector.md'))
      .filter((text) => /^correlation:/m.test(text))
      .flatMap((text) => parseCorrelations(text));
    expect(found.map(({ id }) => id)).toEqual(['ACME-C01']);
  });
});

describe('a section of a page', () => {
  const page = 'Before.\n\n<!-- x:begin -->\n\nold\n\n<!-- x:end -->\n\nAfter.\n';

  it('is replaced, and everything else stays', () => {
    const changed = withSection(page, 'x', 'new\n');
    expect(changed).toBe(page.replace('old', 'new'));
    expect(sectionOf(changed, 'x')).toBe('new\n');
  });

  it('must be there', () => {
    expect(() => sectionOf(page, 'y')).toThrow('the page has no section "y"');
  });
});
