import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import type { Io } from '../io.js';
import { builder, once, outputFlags } from './flags.js';

interface Arguments {
  readonly dir: string;
  readonly html?: string | undefined;
  readonly json: boolean;
  readonly output?: string | undefined;
  readonly quiet: boolean;
}

async function handle(args: Arguments, io: Io): Promise<void> {
  const [{ buildLeaderboard }, { emit }, { writeWhole }, score, { printable }] = await Promise.all([
    import('../audit/build-leaderboard.js'),
    import('../output/emit.js'),
    import('../run/run-folder.js'),
    import('@pab/score'),
    import('@pab/model'),
  ]);
  const say = (text: string): void => {
    if (!args.quiet) io.stderr.write(`pab: ${printable(text)}\n`);
  };
  const html = once('html', args.html);
  const board = await buildLeaderboard(resolve(io.cwd, args.dir), {
    signal: io.signal,
    onRun: (name) => {
      say(`verifying ${name}`);
    },
  });
  const runs = score.rankedRuns(board.runs);
  const text = args.json
    ? JSON.stringify({ schema: 1, corpus: board.corpus, runs, refused: board.refused }, null, 2)
    : score.leaderboardMarkdown(board).split('\n').map(printable).join('\n');
  await emit(io, text, args.output);
  if (html !== undefined) await writeWhole(resolve(io.cwd, html), score.leaderboardHtml(board));
  for (const { name, reason } of board.refused) say(`not in the table: ${name}: ${reason}`);
  io.setExit(board.refused.length > 0 ? 3 : 0);
}

export function leaderboardCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'leaderboard <dir>',
    describe: 'A table of the official runs that verify',
    builder: builder<Arguments>((command) =>
      outputFlags(command)
        .positional('dir', {
          type: 'string',
          demandOption: true,
          describe: 'Folder with the folders of runs',
        })
        .option('html', {
          type: 'string',
          requiresArg: true,
          describe: 'Write the table as one self-contained page too',
        })
        .example('$0 leaderboard runs --html leaderboard.html', 'Markdown on stdout, and a page'),
    ),
    handler: (args) => handle(args, io),
  };
}
