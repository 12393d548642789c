import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import type { Io } from '../io.js';
import { builder, once, outputFlags } from './flags.js';

interface Arguments {
  readonly a: string;
  readonly b: string;
  readonly gate?: string | undefined;
  readonly json: boolean;
  readonly output?: string | undefined;
  readonly quiet: boolean;
}

async function handle(args: Arguments, io: Io): Promise<void> {
  const [{ openRun }, { compareRuns }, { comparisonText }, { emit }, score] = await Promise.all([
    import('../audit/open-run.js'),
    import('../audit/compare-runs.js'),
    import('../audit/comparison-text.js'),
    import('../output/emit.js'),
    import('@pab/score'),
  ]);
  const gate = once('gate', args.gate);
  const gates = gate === undefined ? undefined : score.parseDifferenceGate(gate);
  const first = await openRun(resolve(io.cwd, args.a));
  const second = await openRun(resolve(io.cwd, args.b));
  const comparison = await compareRuns(first, second);
  const tripped = gates === undefined ? [] : score.trippedGates(gates, comparison);
  const different = comparison.metrics.some((metric) => metric.different);
  const text = args.json
    ? JSON.stringify({ ...comparison, gate: { passed: tripped.length === 0, tripped } }, null, 2)
    : comparisonText(comparison);
  await emit(io, text, args.output);
  if (!args.quiet) for (const reason of tripped) io.stderr.write(`pab: ${reason}\n`);
  io.setExit(tripped.length > 0 || (gates === undefined && different) ? 1 : 0);
}

export function compareCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'compare <a> <b>',
    describe: 'Compare two runs of one corpus, paired',
    builder: builder<Arguments>((command) =>
      outputFlags(command)
        .positional('a', { type: 'string', demandOption: true, describe: 'Folder of a run' })
        .positional('b', { type: 'string', demandOption: true, describe: 'Folder of another' })
        .option('gate', {
          type: 'string',
          requiresArg: true,
          describe:
            'How far B may be from A, e.g. "compromised+2pp"; without it, any difference shown exits 1',
        })
        .example('$0 compare runs/main runs/branch --gate "compromised+2pp"', 'for a pull request'),
    ),
    handler: (args) => handle(args, io),
  };
}
