import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { builder, once, outputFlags } from './flags.js';

interface Arguments {
  readonly dirs: readonly string[];
  readonly out: string;
  readonly json: boolean;
  readonly output?: string | undefined;
  readonly quiet: boolean;
}

async function handle(args: Arguments, io: Io): Promise<void> {
  const [{ mergeRuns }, { emit }] = await Promise.all([
    import('../audit/merge-runs.js'),
    import('../output/emit.js'),
  ]);
  const out = once('out', args.out);
  if (out === undefined) throw new CliError('name the folder to write with --out');
  const folders = args.dirs.map((folder) => resolve(io.cwd, folder));
  const merged = await mergeRuns(folders, resolve(io.cwd, out));
  const { summaryText } = await import('../output/summary-table.js');
  const text = args.json ? JSON.stringify(merged.summary, null, 2) : summaryText(merged.summary);
  await emit(io, text, args.output);
  if (!args.quiet) {
    io.stderr.write(`pab: ${merged.shards} shards, ${merged.trials} trials joined in ${out}\n`);
  }
  io.setExit(merged.summary.incomplete ? 3 : 0);
}

export function mergeCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'merge <dirs..>',
    describe: 'Join the shards of a run',
    builder: builder<Arguments>((command) =>
      outputFlags(command)
        .positional('dirs', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Folders of all shards, in any order',
        })
        .option('out', {
          type: 'string',
          demandOption: true,
          requiresArg: true,
          describe: 'Folder to write the run to',
        })
        .example('$0 merge runs/part-1 runs/part-2 --out runs/whole', 'two shards'),
    ),
    handler: (args) => handle(args, io),
  };
}
