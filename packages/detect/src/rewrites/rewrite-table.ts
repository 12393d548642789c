import { amount } from '../check-result.js';
import { callable, list, number, optionsOf, record, string, strings } from '../check-values.js';
import { cipherRewrites } from './cipher-rewrites.js';
import { encodingRewrites } from './encoding-rewrites.js';
import { invisibleRewrites } from './invisible-rewrites.js';
import { layoutRewrites } from './layout-rewrites.js';
import { letterRewrites } from './letter-rewrites.js';
import type { Rewrite } from './rewrite.js';
import { ATTACK_SENTENCES } from './sentences.js';

/** The named rewrites of the obfuscation table. */
export const REWRITES: readonly Rewrite[] = [
  ...invisibleRewrites,
  ...letterRewrites,
  ...layoutRewrites,
  ...encodingRewrites,
  ...cipherRewrites,
];

/** Sentences of a rewrite that must be found for the rewrite to count as found. */
export const NEEDED = 7;

export interface RewriteRow {
  readonly name: string;
  readonly parameters: string;
  /** Sentences found, of `of`. */
  readonly found: number;
  readonly of: number;
  /** First sentence, rewritten. */
  readonly example: string;
}

/** Numbers from a seed (mulberry32), from 0 up to 1. */
export function seededNumbers(seed: number): () => number {
  number(seed, 'the seed of seededNumbers');
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Tries every rewrite on every sentence. `scan` tells whether it finds the text to be an attack;
 * the numbers that rewrites draw come from a fixed seed.
 */
export function rewriteTable(
  scan: (text: string) => boolean,
  options: { readonly sentences?: readonly string[]; readonly seed?: number } = {},
): RewriteRow[] {
  callable(scan, 'rewriteTable', "such as (text) => scanner.scan(text).verdict !== 'benign'");
  optionsOf(options, 'rewriteTable', ['sentences', 'seed']);
  const { sentences = ATTACK_SENTENCES, seed = 7 } = options;
  strings(sentences, 'sentences');
  number(seed, 'seed');
  return REWRITES.map((rewrite) => {
    const random = seededNumbers(seed);
    const texts = sentences.map((sentence) => rewrite.apply(sentence, random));
    return {
      name: rewrite.name,
      parameters: rewrite.parameters,
      found: texts.filter((text) => scan(text)).length,
      of: texts.length,
      example: texts[0] ?? '',
    };
  });
}

/** The rows as a Markdown table with a closing line. */
export function rewriteMarkdown(rows: readonly RewriteRow[]): string {
  list(rows, 'rewriteMarkdown', 'rows as rewriteTable gives them');
  for (const [i, row] of rows.entries()) {
    const given = record(row, `the row ${i}`, 'as rewriteTable gives it');
    string(given['name'], `the name of row ${i}`);
    string(given['parameters'], `the parameters of row ${i}`);
    amount(given['found'], `found of row ${i}`);
    amount(given['of'], `of of row ${i}`);
  }
  const lines = rows.map(
    (row) => `| ${row.name} | ${row.parameters.replaceAll('|', '\\|')} | ${row.found}/${row.of} |`,
  );
  const counted = rows.filter((row) => row.found >= Math.min(NEEDED, row.of)).length;
  return [
    '| rewrite | parameters | found |',
    '| --- | --- | --- |',
    ...lines,
    '',
    `${counted} of ${rows.length} rewrites found in at least ${NEEDED} of ${rows[0]?.of ?? 0} sentences.`,
    '',
  ].join('\n');
}
