import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import type { Budget } from '../run/budget.js';
import type { Corpus } from '../run/corpus.js';
import type { RunOptions } from '../run/run-benchmark.js';
import { once, positive, wholeNumber } from './flags.js';

/** What the flags of a run give, whatever the command. */
export interface RunArguments {
  readonly corpus?: readonly string[] | undefined;
  readonly channel?: readonly string[] | undefined;
  readonly family?: readonly string[] | undefined;
  readonly id?: readonly string[] | undefined;
  readonly kind?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly trials: number;
  readonly seed: number;
  readonly concurrency: number;
  readonly maxSteps: number;
  readonly timeout?: number | undefined;
  readonly twins: boolean;
  readonly provenance: 'part' | 'message';
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly prices?: string | undefined;
  readonly maxFailures: number;
  readonly rpm?: number | undefined;
  readonly failOn?: string | undefined;
  readonly json: boolean;
  readonly output?: string | undefined;
  readonly quiet: boolean;
}

/** Seconds of the longest trial; a timer of Node holds 24 days. */
const DAY = 86_400;

/** Several values of one flag: given twice, or with commas. */
export function listOf(values: readonly string[] | undefined): readonly string[] | undefined {
  return values?.flatMap((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );
}

export async function readPrices(file: string | undefined, cwd: string) {
  if (file === undefined) return undefined;
  const { parsePrices } = await import('../run/budget.js');
  const text = await readFile(resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    throw new CliError(`there is no price file ${file}`, { cause });
  });
  return parsePrices(text, file);
}

export type SharedOptions = Omit<
  RunOptions,
  'target' | 'defense' | 'simulated' | 'out' | 'onTrial' | 'budget'
>;

/** The flags of a run, checked, before anything is started. */
export async function runSettings(
  args: RunArguments,
  corpus: Corpus,
  io: Io,
): Promise<SharedOptions> {
  const [{ packageVersion }, { packageVersions }] = await Promise.all([
    import('../version.js'),
    import('../audit/package-versions.js'),
  ]);
  return {
    corpus,
    corpusPaths: args.corpus ?? [],
    selection: {
      channels: listOf(args.channel),
      families: listOf(args.family),
      ids: listOf(args.id),
      kinds: listOf(args.kind),
      limit: args.limit === undefined ? undefined : wholeNumber('limit', args.limit, 1),
      twins: args.twins,
    },
    trials: wholeNumber('trials', args.trials, 1, 10_000),
    seed: wholeNumber('seed', args.seed, 0),
    concurrency: wholeNumber('concurrency', args.concurrency, 1, 1000),
    maxSteps: wholeNumber('max-steps', args.maxSteps, 1, 1000),
    timeoutMs:
      args.timeout === undefined ? undefined : positive('timeout', args.timeout, DAY) * 1000,
    maxFailures: wholeNumber('max-failures', args.maxFailures, 0),
    provenance: args.provenance,
    signal: io.signal,
    elapsed: io.elapsed,
    now: io.now,
    version: await packageVersion(),
    nodeVersion: process.version,
    packages: await packageVersions(),
  };
}

export async function budgetOf(args: RunArguments, target: string, io: Io): Promise<Budget> {
  const { createBudget } = await import('../run/budget.js');
  const prices = await readPrices(once('prices', args.prices), io.cwd);
  return createBudget({
    maxTokens:
      args.maxTokens === undefined ? undefined : wholeNumber('max-tokens', args.maxTokens, 1),
    maxCost: args.maxCost === undefined ? undefined : positive('max-cost', args.maxCost),
    price: prices?.get(target),
  });
}
