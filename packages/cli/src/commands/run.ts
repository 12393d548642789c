import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { JsonValue, Target } from '@pab/model';
import type { CommandModule } from 'yargs';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { builder, once, outputFlags, runFlags, wholeNumber } from './flags.js';
import type { RunArguments, SharedOptions } from './run-settings.js';

interface Arguments extends Omit<RunArguments, 'trials'> {
  /** 1 unless given; 3 for an official run. */
  readonly trials?: number | undefined;
  readonly official: boolean;
  readonly junit?: string | undefined;
  readonly sarif?: string | undefined;
  readonly html?: string | undefined;
  readonly eval?: string | undefined;
  readonly target: string;
  readonly defense: string;
  readonly out?: string | undefined;
  readonly resume: boolean;
  readonly shard?: string | undefined;
  readonly jsonl: boolean;
}

function parseShard(
  text: string | undefined,
): { readonly index: number; readonly of: number } | undefined {
  if (text === undefined) return undefined;
  const found = /^(\d+)\/(\d+)$/.exec(text);
  const index = Number(found?.[1]);
  const of = Number(found?.[2]);
  if (found === null || index < 1 || index > of) {
    throw new CliError(`--shard is I/N with I from 1 to N, e.g. 2/4, not "${text}"`);
  }
  return { index, of };
}

/** Anything that would make the run other than official is said before anything is run. */
async function checkOfficial(
  args: Arguments,
  shared: SharedOptions,
  target: Target,
): Promise<void> {
  const { officialProblems } = await import('../audit/official.js');
  const { selection = {}, seed = 0, trials = 1, maxSteps = 15, provenance = 'part' } = shared;
  const given = Object.entries(selection).filter(([, value]) => value !== undefined);
  const problems = officialProblems(
    {
      seed,
      trials,
      maxSteps,
      provenance,
      selection: Object.fromEntries<JsonValue>(given as [string, JsonValue][]),
      target: { name: target.name, options: target.options ?? {}, simulated: false },
    },
    shared.corpus.bundled,
  );
  if (args.out === undefined) problems.push('it has no --out; an official run is its files');
  if (problems.length > 0)
    throw new CliError(
      ['this would not be an official run:', ...problems.map((problem) => `  ${problem}`)].join(
        '\n',
      ),
    );
}

const REPORTS = ['junit', 'sarif', 'html', 'eval'] as const;

/** Where the reports that were asked for go; undefined when there are none. */
function reportPlaces(args: Arguments, io: Io): Readonly<Record<string, string>> | undefined {
  const places = REPORTS.flatMap((format) => {
    const file = once(format, args[format]);
    return file === undefined ? [] : [[format, resolve(io.cwd, file)] as const];
  });
  return places.length === 0 ? undefined : Object.fromEntries(places);
}

/** Reports are made from a run on disk; one that is not kept stands in a temporary folder meanwhile. */
async function handle(args: Arguments, io: Io): Promise<void> {
  const places = reportPlaces(args, io);
  if (places === undefined || args.out !== undefined) {
    const out =
      once('out', args.out) === undefined || args.out === undefined
        ? undefined
        : resolve(io.cwd, args.out);
    await execute(args, io, out, places);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'pab-run-'));
  try {
    await execute(args, io, join(folder, 'run'), places);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function execute(
  given: Arguments,
  io: Io,
  out: string | undefined,
  places: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  const args = { ...given, trials: given.trials ?? (given.official ? 3 : 1) };
  const [
    { loadSoundCorpus },
    { loadTarget },
    { loadDefense },
    { runBenchmark },
    { parseGate, tripped },
    settings,
    { createProgress },
    { emit },
    { NothingReached },
  ] = await Promise.all([
    import('../run/corpus.js'),
    import('../run/load-target.js'),
    import('../run/load-defense.js'),
    import('../run/run-benchmark.js'),
    import('../run/gate.js'),
    import('./run-settings.js'),
    import('../output/progress.js'),
    import('../output/emit.js'),
    import('../run/out-of-reach.js'),
  ]);
  const gate = parseGate(args.failOn ?? 'compromised>0%');
  const shard = parseShard(once('shard', args.shard));
  if (args.json && args.jsonl)
    throw new CliError('--json and --jsonl both write to stdout; choose one');
  if (args.resume && args.out === undefined)
    throw new CliError('--resume needs --out, the folder of the run to go on with');
  const { target, simulated } = await loadTarget(once('target', args.target) ?? '', io);
  const defense = await loadDefense(once('defense', args.defense) ?? 'none', io);
  const corpus = await loadSoundCorpus(args.corpus ?? [], io.cwd);
  const { limitRate } = await import('../run/limit-rate.js');
  const limited =
    args.rpm === undefined
      ? target
      : limitRate(target, wholeNumber('rpm', args.rpm, 1), io.elapsed);
  const budget = await settings.budgetOf(args, target.name, io);
  const shared = await settings.runSettings(args, corpus, io);
  if (args.official) await checkOfficial(args, shared, target);
  const progress = createProgress(io, `${target.name} × ${defense.name}`, args.quiet);
  const lines: string[] = [];
  const result = await runBenchmark({
    ...shared,
    official: args.official,
    target: limited,
    defense,
    simulated,
    shard,
    budget,
    resume: args.resume,
    out,
    onTrial: ({ trial }, done, planned) => {
      progress.step(done, planned);
      if (!args.jsonl) return;
      // Written as they come unless they go to a file, which is written whole.
      if (args.output === undefined) io.stdout.write(`${JSON.stringify(trial)}\n`);
      else lines.push(JSON.stringify(trial));
    },
  })
    .catch((error: unknown) => {
      if (!(error instanceof NothingReached)) throw error;
      throw new CliError(`${error.message}. ${goOn(args.out)}`, { cause: error });
    })
    .finally(() => {
      progress.end();
    });
  const { summary } = result;
  const { printable } = await import('@pab/model');
  if (places !== undefined && out !== undefined && result.done > 0) {
    const { writeReports } = await import('../audit/write-reports.js');
    await writeReports(out, places);
  }
  if (args.json) await emit(io, JSON.stringify(summary, null, 2), args.output);
  else if (args.jsonl) {
    if (args.output !== undefined) await emit(io, lines.join('\n'), args.output);
  } else {
    const { summaryText } = await import('../output/summary-table.js');
    await emit(io, summaryText(summary), args.output);
  }
  const say = (text: string): void => {
    if (!args.quiet) io.stderr.write(`${text}\n`);
  };
  if (result.interrupted) {
    say(
      `pab: interrupted after ${result.done} of ${result.planned} trials${args.out === undefined ? '' : `; go on with --resume --out ${args.out}`}`,
    );
    io.setExit(130);
    return;
  }
  if (result.stopped !== undefined) {
    const stopped = printable(result.stopped);
    say(`pab: ${stopped}: ${result.done} of ${result.planned} trials were run`);
    if (result.unreached) say(`pab: ${goOn(args.out)}`);
  }
  for (const { reason, trials } of result.failures.slice(0, 5)) {
    say(`pab: ${trials} trial(s) failed: ${printable(reason)}`);
  }
  const met = tripped(gate, summary);
  if (summary.incomplete || result.stopped !== undefined) {
    if (summary.incomplete)
      say(
        'pab: more than 5 % of the trials failed; this run is incomplete and its rates are not to be quoted',
      );
    io.setExit(3);
    return;
  }
  for (const condition of met) say(`pab: ${condition}`);
  io.setExit(met.length > 0 ? 1 : 0);
}

/** What to do about a model that is not reached. */
function goOn(out: string | undefined): string {
  const again = out === undefined ? 'run it again' : `go on with --resume --out ${out}`;
  return `When the model can be reached, ${again}; --max-failures 0 goes on regardless`;
}

export function runCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'run',
    describe: 'Run one target against one defense over the corpus',
    builder: builder<Arguments>((command) =>
      outputFlags(runFlags(command))
        .option('target', {
          type: 'string',
          demandOption: true,
          requiresArg: true,
          describe: 'Target: a name with options, a file, or a package',
        })
        .option('defense', {
          type: 'string',
          default: 'none',
          requiresArg: true,
          describe: 'Defense, or several composed: a+b',
        })
        .option('out', {
          type: 'string',
          requiresArg: true,
          describe: 'Folder to write the run to',
        })
        .option('resume', {
          type: 'boolean',
          default: false,
          describe: 'Go on with the run in --out',
        })
        // Without a default, so that an official run knows whether the number was asked for.
        .option('trials', {
          type: 'number',
          default: undefined,
          defaultDescription: '1, or 3 with --official',
          requiresArg: true,
          describe: 'Trials of each case',
        })
        .option('official', {
          type: 'boolean',
          default: false,
          describe:
            'The whole bundled corpus, pinned seeds, at least 3 trials: for the leaderboard',
        })
        .option('shard', { type: 'string', requiresArg: true, describe: 'Only part I of N: I/N' })
        .option('junit', { type: 'string', requiresArg: true, describe: 'Write JUnit XML too' })
        .option('sarif', { type: 'string', requiresArg: true, describe: 'Write SARIF 2.1.0 too' })
        .option('html', { type: 'string', requiresArg: true, describe: 'Write a page too' })
        .option('eval', {
          type: 'string',
          requiresArg: true,
          describe: 'Write an Inspect log (.eval) too',
        })
        .option('jsonl', {
          type: 'boolean',
          default: false,
          describe: 'One trial a line on stdout',
        })
        .example('$0 run --target naive --defense spotlight:mode=datamarking', 'a simulated policy')
        .example(
          '$0 run --target openai-compat:model=my-model --defense ./my-defense.ts --out runs/mine',
          'a model behind PAB_BASE_URL',
        ),
    ),
    handler: (args) => handle(args, io),
  };
}
