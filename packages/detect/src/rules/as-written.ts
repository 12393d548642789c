import { string } from '../check-values.js';
import { checkFiles, type RuleFile } from './load-rules.js';
import { YamlFile } from './yaml-fields.js';

/** The patterns of a rule as its file has them, with the words that they name. */
export interface WrittenRule {
  /** Patterns by selection, with `{{name}}` where words are put in. */
  readonly selections: Readonly<Record<string, readonly string[]>>;
  /** What the names stand for; those that the patterns use, and those that these use. */
  readonly words: Readonly<Record<string, string>>;
}

/**
 * Finds how a rule is written. A `Rule` holds patterns with all words put in, which is what is matched and is long to read.
 *
 * @param files Those that `loadRules` took; they are not checked again.
 * @returns undefined when no file has a rule of this id.
 */
export function writtenRule(files: readonly RuleFile[], id: string): WrittenRule | undefined {
  checkFiles(files, 'writtenRule');
  string(id, 'the id of a rule');
  const known = new Map<string, string>();
  let detection: object | undefined;
  for (const { name, text } of files) {
    const names = /^id:/m.test(text);
    if (names && !text.includes(id)) continue;
    const { root } = new YamlFile(name, text);
    const body = root.toJSON() as { id?: unknown; define?: object; detection?: object };
    if (names && body.id !== id) continue;
    for (const [word, value] of Object.entries(body.define ?? {})) {
      // A rule's own words come before those of all files.
      if (names || !known.has(word)) known.set(word, String(value));
    }
    if (names) detection = body.detection;
  }
  if (detection === undefined) return undefined;
  const selections: [string, string[]][] = [];
  for (const [name, value] of Object.entries(detection)) {
    if (name !== 'condition') selections.push([name, patternsOf(value)]);
  }
  const words = new Map<string, string>();
  const use = (pattern: string): void => {
    for (const [, name = ''] of pattern.matchAll(/\{\{([a-z0-9_]+)\}\}/g)) {
      const value = known.get(name);
      if (value === undefined || words.has(name)) continue;
      words.set(name, value);
      use(value);
    }
  };
  for (const [, patterns] of selections) for (const pattern of patterns) use(pattern);
  return { selections: Object.fromEntries(selections), words: Object.fromEntries(words) };
}

/** A list, or one under `any` or `all`. */
function patternsOf(selection: unknown): string[] {
  if (Array.isArray(selection)) return selection.map(String);
  if (typeof selection !== 'object' || selection === null) return [];
  return Object.values(selection).flatMap(patternsOf);
}
