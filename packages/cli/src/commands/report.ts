import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { builder, once } from './flags.js';

interface Arguments {
  readonly run: string;
  readonly format: string;
  readonly out: string;
  readonly quiet: boolean;
}

async function handle(args: Arguments, io: Io): Promise<void> {
  const [{ FORMATS, placesIn, writeReports }, { didYouMean }] = await Promise.all([
    import('../audit/write-reports.js'),
    import('@pab/model'),
  ]);
  const names = (once('format', args.format) ?? '').split(',').map((name) => name.trim());
  const formats = names.map((name) => {
    const found = FORMATS.find((format) => format === name);
    if (found !== undefined) return found;
    throw new CliError(
      `there is no format "${name}".${didYouMean(name, FORMATS)} There are ${FORMATS.join(', ')}`,
    );
  });
  const out = once('out', args.out);
  if (out === undefined) throw new CliError('name the folder to write to with --out');
  const places = placesIn(resolve(io.cwd, out), formats);
  await writeReports(resolve(io.cwd, args.run), places);
  const shown = placesIn(out, formats);
  for (const format of formats) io.stdout.write(`${shown[format] ?? ''}\n`);
}

export function reportCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'report <run>',
    describe: 'Write reports of a run',
    builder: builder<Arguments>((command) =>
      command
        .positional('run', { type: 'string', demandOption: true, describe: 'Folder of a run' })
        .option('format', {
          type: 'string',
          default: 'html',
          requiresArg: true,
          describe: 'html, junit, sarif, markdown, eval, agentdojo: one, or several by comma',
        })
        .option('out', {
          type: 'string',
          demandOption: true,
          requiresArg: true,
          describe: 'Folder to write to',
        })
        .option('quiet', { type: 'boolean', default: false, describe: 'No words' })
        .example('$0 report runs/mine --format html,junit --out reports', 'two files'),
    ),
    handler: (args) => handle(args, io),
  };
}
