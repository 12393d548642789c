import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import type { Io } from '../io.js';
import { builder, outputFlags } from './flags.js';

interface Arguments {
  readonly run: string;
  readonly corpus?: readonly string[] | undefined;
  readonly json: boolean;
  readonly output?: string | undefined;
  readonly quiet: boolean;
}

async function handle(args: Arguments, io: Io): Promise<void> {
  const [{ verifyRun }, { verifyText }, { verificationCorpus }, { emit }] = await Promise.all([
    import('../audit/verify-run.js'),
    import('../audit/verify-text.js'),
    import('../audit/verification-corpus.js'),
    import('../output/emit.js'),
  ]);
  const { report } = await verifyRun(resolve(io.cwd, args.run), {
    corpus: verificationCorpus(args.corpus, io.cwd),
    signal: io.signal,
  });
  await emit(io, args.json ? JSON.stringify(report, null, 2) : verifyText(report), args.output);
  io.setExit(report.verified ? 0 : 1);
}

export function verifyCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'verify <run>',
    describe: 'Check a run again from its transcripts',
    builder: builder<Arguments>((command) =>
      outputFlags(command)
        .positional('run', { type: 'string', demandOption: true, describe: 'Folder of a run' })
        .option('corpus', {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'Files or folders of its corpus, when it is not the bundled one',
        })
        .example('$0 verify runs/mine', 'digests, tool results, judgements and rates'),
    ),
    handler: (args) => handle(args, io),
  };
}
