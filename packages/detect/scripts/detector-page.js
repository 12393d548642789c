// Puts the tables of docs/detector.md in place: rules, rewrites, and results on labelled sets.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { resultMarkdown, ruleMarkdown, speedMarkdown, withSection } from './page-tables.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));
const { module: rewrites } = await runnerImport(`${root}src/rewrites/index.ts`);
const { module: detect } = await runnerImport(`${root}src/index.ts`);
const scanner = new detect.Scanner();
const rows = rewrites.rewriteTable(
  (/** @type {string} */ text) => scanner.scan(text).verdict !== 'benign',
);
const results = readFileSync(`${docs}results/detect/README.md`, 'utf8');
let page = readFileSync(`${docs}detector.md`, 'utf8');
page = withSection(page, 'rules', ruleMarkdown(scanner.rules));
page = withSection(page, 'rewrites', rewrites.rewriteMarkdown(rows));
page = withSection(page, 'results', resultMarkdown(results));
page = withSection(
  page,
  'speed',
  speedMarkdown(JSON.parse(readFileSync(`${docs}results/detect/bench.json`, 'utf8'))),
);
writeFileSync(`${docs}detector.md`, page);
