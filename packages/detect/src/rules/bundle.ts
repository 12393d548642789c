import { patternsOf } from './builtin-rules.js';
import { knownWords } from './known-words.js';
import { loadRules, type RuleFile } from './load-rules.js';

const NOTE =
  '// Made from rules/*.yaml by `node scripts/bundle-rules.js`; a test compares the two.\n';

/** The text of `pack.ts`: every rule as one JSON string, which a JavaScript engine reads fastest. */
export function bundle(files: readonly RuleFile[]): string {
  const { rules } = loadRules(files);
  const lines = rules.map((rule) => `  ${literal(JSON.stringify(rule))},\n`);
  return [NOTE, `export const PACK: readonly string[] = [\n${lines.join('')}];\n`].join('');
}

/** The text of `pack-words.ts`: the words that the patterns of the rules require. */
export function bundleWords(files: readonly RuleFile[]): string {
  const { rules } = loadRules(files);
  const json = JSON.stringify(knownWords(patternsOf(rules)));
  return [NOTE, `export const PACK_WORDS =\n  ${literal(json)};\n`].join('');
}

/** Quoted as the formatter would: with the quote that needs fewer escapes. */
function literal(json: string): string {
  const escaped = json
    .replaceAll('\\', '\\\\')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `'${escaped.replaceAll("'", "\\'")}'`;
}
