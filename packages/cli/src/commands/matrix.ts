import { join, resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { builder, once, outputFlags, runFlags } from './flags.js';
import type { RunArguments } from './run-settings.js';

interface Arguments extends RunArguments {
  readonly targets: string;
  readonly defenses: string;
  readonly out?: string | undefined;
  readonly resume: boolean;
}

/** Splits a list at commas that begin a new name, not a further option of the one before. */
export function splitNames(text: string): string[] {
  return text
    .split(/,(?![A-Za-z][\w-]*=)/)
    .map((name) => name.trim())
    .filter(Boolean);
}

const folderName = (target: string, defense: string): string =>
  `${target}__${defense}`.replace(/[^\w.+-]+/g, '_').slice(0, 120);

async function handle(args: Arguments, io: Io): Promise<void> {
  const [
    { loadSoundCorpus },
    { loadTarget },
    { loadDefense },
    { runBenchmark },
    { parseGate, tripped },
    settings,
    { createProgress },
    { emit },
    { summaryTable, LEGEND, SIMULATED },
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
    import('../output/summary-table.js'),
    import('../run/out-of-reach.js'),
  ]);
  const gate = args.failOn === undefined ? [] : parseGate(args.failOn);
  const targetNames = splitNames(once('targets', args.targets) ?? '');
  const defenseNames = splitNames(once('defenses', args.defenses) ?? '');
  if (targetNames.length === 0) throw new CliError('--targets names no target');
  if (defenseNames.length === 0) throw new CliError('--defenses names no defense');
  if (args.resume && args.out === undefined)
    throw new CliError('--resume needs --out, the folder of the runs to go on with');
  // Everything is loaded before anything is run: a misspelt name at the end must not cost an hour.
  const targets = [];
  for (const name of targetNames) targets.push({ text: name, ...(await loadTarget(name, io)) });
  const defenses = [];
  for (const name of defenseNames)
    defenses.push({ text: name, defense: await loadDefense(name, io) });
  const corpus = await loadSoundCorpus(args.corpus ?? [], io.cwd);
  const shared = await settings.runSettings(args, corpus, io);
  const { limitRate } = await import('../run/limit-rate.js');
  const { printable } = await import('@pab/model');
  const summaries = [];
  const met: string[] = [];
  let incomplete = false;
  let interrupted = false;
  const runs = targets.length * defenses.length;
  for (const { text, target, simulated } of targets) {
    const limited = args.rpm === undefined ? target : limitRate(target, args.rpm, io.elapsed);
    for (const { text: defenseText, defense } of defenses) {
      if (interrupted) break;
      const progress = createProgress(
        io,
        `run ${summaries.length + 1} of ${runs}: ${text} × ${defenseText}`,
        args.quiet,
      );
      const result = await runBenchmark({
        ...shared,
        target: limited,
        defense,
        simulated,
        budget: await settings.budgetOf(args, target.name, io),
        resume: args.resume,
        out:
          args.out === undefined
            ? undefined
            : join(resolve(io.cwd, args.out), folderName(text, defenseText)),
        onTrial: (_executed, done, planned) => {
          progress.step(done, planned);
        },
      })
        .catch((error: unknown) => {
          if (!(error instanceof NothingReached)) throw error;
          met.push(`${text} × ${defenseText}: ${printable(error.message)}`);
          return undefined;
        })
        .finally(() => {
          progress.end();
        });
      if (result === undefined) {
        // With another defense it is out of reach as well.
        incomplete = true;
        break;
      }
      interrupted = result.interrupted;
      incomplete ||= result.summary.incomplete || result.stopped !== undefined;
      // A row is named as it was asked for: two options of one defense are two rows.
      summaries.push({ ...result.summary, target: text, defense: defenseText, simulated });
      if (result.unreached) {
        const stopped = `${result.stopped ?? ''}: ${result.done} of ${result.planned} trials were run`;
        met.push(`${text} × ${defenseText}: ${printable(stopped)}`);
      }
      for (const condition of tripped(gate, result.summary))
        met.push(`${text} × ${defenseText}: ${condition}`);
    }
  }
  if (summaries.length === 0 && met.length > 0 && !interrupted) {
    throw new CliError(`${met.join('\n')}\n--max-failures 0 goes on regardless`);
  }
  if (args.json) {
    await emit(io, JSON.stringify({ schema: 1, runs: summaries }, null, 2), args.output);
  } else {
    const simulated = summaries.some((summary) => summary.simulated);
    const { name, version } = corpus;
    const counts = summaries[0]?.corpus;
    const head = `Corpus ${name} ${version}: ${counts?.attacks ?? 0} attacks, ${counts?.controls ?? 0} controls; seed ${args.seed}, ${args.trials} trial(s) each.`;
    const text = [
      head,
      ...(simulated ? [SIMULATED] : []),
      '',
      summaryTable(summaries),
      '',
      LEGEND,
    ].join('\n');
    await emit(io, text, args.output);
  }
  if (!args.quiet) {
    for (const condition of met) io.stderr.write(`pab: ${condition}\n`);
    if (incomplete)
      io.stderr.write(
        'pab: at least one run is incomplete: more than 5 % of its trials failed, it reached a budget, or it did not reach its model\n',
      );
  }
  io.setExit(interrupted ? 130 : incomplete ? 3 : met.length > 0 ? 1 : 0);
}

export function matrixCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'matrix',
    describe: 'Run several targets against several defenses: one table',
    builder: builder<Arguments>((command) =>
      outputFlags(runFlags(command))
        .option('targets', {
          type: 'string',
          default: 'naive,wary,diligent,paranoid',
          requiresArg: true,
          describe: 'Targets, by comma',
        })
        .option('defenses', {
          type: 'string',
          default: 'none,delimit,spotlight,filter,allowlist',
          requiresArg: true,
          describe: 'Defenses, by comma',
        })
        .option('out', {
          type: 'string',
          requiresArg: true,
          describe: 'Folder for one run folder each',
        })
        .option('resume', {
          type: 'boolean',
          default: false,
          describe: 'Go on with the runs in --out',
        })
        .example('$0 matrix', 'the simulated policies against the simple defenses')
        .example(
          '$0 matrix --targets openai-compat:model=m --defenses none,spotlight:mode=encoding',
          'a model',
        ),
    ),
    handler: (args) => handle(args, io),
  };
}
