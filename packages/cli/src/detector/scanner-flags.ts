import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RulePack, Scanner } from '@pab/detect';
import type { Argv } from 'yargs';
import { CliError } from '../errors.js';
import { loadRuleFolder } from './rule-folder.js';

/** Flags that every command with a scanner has. */
export interface ScannerArguments {
  readonly rules?: string | undefined;
  readonly maliciousThreshold: number;
  readonly suspiciousThreshold: number;
  readonly trustedDomain: readonly string[];
  readonly deobfuscate: boolean;
  readonly ml: boolean;
  readonly model?: string | undefined;
}

/** Adds the flags of {@link ScannerArguments}. */
export function scannerFlags<T>(argv: Argv<T>) {
  return argv
    .option('rules', {
      type: 'string',
      requiresArg: true,
      describe:
        'Folder of rule files to use in place of the built-in ones; filters alone act on those',
    })
    .option('malicious-threshold', {
      type: 'number',
      requiresArg: true,
      default: 50,
      describe: 'Score from which a text is malicious',
    })
    .option('suspicious-threshold', {
      type: 'number',
      requiresArg: true,
      default: 20,
      describe: 'Score from which a text is suspicious',
    })
    .option('trusted-domain', {
      type: 'string',
      array: true,
      default: [] as string[],
      nargs: 1,
      describe: 'Host (with all below it) to which links of a reply may carry data',
    })
    .option('deobfuscate', {
      type: 'boolean',
      default: true,
      describe: 'Look at decoded views too (--no-deobfuscate turns them off)',
    })
    .option('ml', {
      type: 'boolean',
      default: false,
      describe:
        'Also ask the classifier PB-ML (user prompts only; for a review queue, not for blocking)',
    })
    .option('model', {
      type: 'string',
      requiresArg: true,
      describe: 'Model file for --ml in place of the built-in one',
    });
}

export interface BuiltScanner {
  readonly scanner: Scanner;
  /** Rules in force. */
  readonly rulesetSize: number;
}

async function classifierOf(model: string | undefined, cwd: string) {
  const { createClassifier } = await import('@pab/detect/classifier');
  if (model === undefined) return createClassifier((await import('@pab/detect/model')).model);
  let parsed: unknown;
  try {
    parsed = JSON.parse(await readFile(resolve(cwd, model), 'utf8'));
  } catch (cause) {
    throw new CliError(`cannot read the model ${model}: it must be a JSON file of \`pab train\``, {
      cause,
    });
  }
  return createClassifier(parsed);
}

/** Builds the scanner that the flags describe; `rules` wins over the flag of that name. */
export async function buildScanner(
  flags: ScannerArguments,
  { cwd, rules }: { readonly cwd: string; readonly rules?: RulePack },
): Promise<BuiltScanner> {
  for (const [name, value] of [
    ['malicious', flags.maliciousThreshold],
    ['suspicious', flags.suspiciousThreshold],
  ] as const) {
    if (!Number.isFinite(value)) throw new CliError(`--${name}-threshold must be a number`);
  }
  const detect = await import('@pab/detect');
  const pack =
    rules ??
    (flags.rules === undefined ? detect.builtinRules() : await loadRuleFolder(flags.rules, cwd));
  const scanner = new detect.Scanner({
    rules: pack,
    maliciousThreshold: flags.maliciousThreshold,
    suspiciousThreshold: flags.suspiciousThreshold,
    trustedDomains: flags.trustedDomain,
    deobfuscate: flags.deobfuscate,
    ...(flags.ml ? { classifier: await classifierOf(flags.model, cwd) } : {}),
  });
  return { scanner, rulesetSize: pack.rules.filter(({ enabled }) => enabled).length };
}
