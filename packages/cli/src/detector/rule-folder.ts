import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { RuleFile, RulePack } from '@pab/detect';
import { CliError } from '../errors.js';

const RULE_FILE = /\.ya?ml$/i;

async function ruleFilesIn(folder: string, shown: string): Promise<RuleFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files: RuleFile[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const name = `${shown}/${entry.name}`;
    if (entry.isDirectory()) files.push(...(await ruleFilesIn(path, name)));
    else if (RULE_FILE.test(entry.name)) files.push({ name, text: await readFile(path, 'utf8') });
  }
  return files;
}

/** Reads the YAML files of a folder (with its folders), or one file. */
export async function readRuleFolder(path: string, cwd: string): Promise<RuleFile[]> {
  const full = resolve(cwd, path);
  const found = await stat(full).catch(() => undefined);
  if (found === undefined) throw new CliError(`there is no rule folder ${path}`);
  const shown = path.replace(/[/\\]+$/, '');
  const files = found.isDirectory()
    ? await ruleFilesIn(full, shown)
    : [{ name: shown, text: await readFile(full, 'utf8') }];
  if (files.length === 0) throw new CliError(`no rule file (*.yaml, *.yml) in ${path}`);
  return files;
}

/** The files of the built-in rules; none where the package was taken apart. */
export async function readBuiltinFiles(): Promise<RuleFile[]> {
  const manifest = createRequire(import.meta.url).resolve('@pab/detect/package.json');
  return ruleFilesIn(join(dirname(manifest), 'rules'), 'rules').catch(() => []);
}

/** Loads the YAML rules of a folder (with its folders), or of one file. Filters without a rule act on the built-in ones. */
export async function loadRuleFolder(path: string, cwd: string): Promise<RulePack> {
  const { builtinRules, loadRules } = await import('@pab/detect');
  const { rules, filters } = loadRules(await readRuleFolder(path, cwd));
  return {
    rules: rules.length === 0 && filters.length > 0 ? builtinRules().rules : rules,
    filters,
  };
}
