// Prints the table of rewrites and how many of our attack sentences the scanner finds in each, as Markdown.
import { stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const { module: rewrites } = await runnerImport(`${root}src/rewrites/index.ts`);
const { module: detect } = await runnerImport(`${root}src/index.ts`);
const scanner = new detect.Scanner();
const rows = rewrites.rewriteTable(
  (/** @type {string} */ text) => scanner.scan(text).verdict !== 'benign',
);
stdout.write(rewrites.rewriteMarkdown(rows));
