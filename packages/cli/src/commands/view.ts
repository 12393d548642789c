import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import type { Io } from '../io.js';
import { builder, wholeNumber } from './flags.js';

interface Arguments {
  readonly run: string;
  readonly port: number;
  readonly quiet: boolean;
}

async function handle(args: Arguments, io: Io): Promise<void> {
  const [{ openRun }, { reportPage }, { servePage }] = await Promise.all([
    import('../audit/open-run.js'),
    import('../audit/write-reports.js'),
    import('../audit/serve-page.js'),
  ]);
  const port = wholeNumber('port', args.port, 0, 65_535);
  const page = await reportPage(await openRun(resolve(io.cwd, args.run)));
  const server = await servePage(page, port);
  io.stdout.write(`${server.url}\n`);
  if (!args.quiet) io.stderr.write('pab: Ctrl-C ends it\n');
  await new Promise<void>((ended) => {
    if (io.signal?.aborted === true) ended();
    io.signal?.addEventListener('abort', () => {
      ended();
    });
  });
  await server.close();
  io.setExit(0);
}

export function viewCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'view <run>',
    describe: 'Show a run in the browser, served on this machine only',
    builder: builder<Arguments>((command) =>
      command
        .positional('run', { type: 'string', demandOption: true, describe: 'Folder of a run' })
        .option('port', {
          type: 'number',
          default: 0,
          requiresArg: true,
          describe: 'Port; a free one by default',
        })
        .option('quiet', { type: 'boolean', default: false, describe: 'No words' })
        .example('$0 view runs/mine', 'then open the address that is printed'),
    ),
    handler: (args) => handle(args, io),
  };
}
