import type { CommandModule } from 'yargs';
import type { Io } from '../io.js';
import { outputFlags, wholeNumber } from './flags.js';

interface Arguments {
  readonly scenario: string;
  readonly corpus?: readonly string[] | undefined;
  readonly seed: number;
  readonly json: boolean;
  readonly output?: string | undefined;
}

async function handle(args: Arguments, io: Io): Promise<void> {
  const [{ instantiate }, { loadSoundCorpus }, { select }, { emit }, { describeCase }] =
    await Promise.all([
      import('@pab/model'),
      import('../run/corpus.js'),
      import('../run/selection.js'),
      import('../output/emit.js'),
      import('../output/describe-case.js'),
    ]);
  const corpus = await loadSoundCorpus(args.corpus ?? [], io.cwd);
  const [scenario] = select(corpus.scenarios, { ids: [args.scenario] });
  const world = scenario === undefined ? undefined : corpus.worlds.get(scenario.world);
  if (scenario === undefined || world === undefined) return;
  const built = instantiate(scenario, world, { seed: wholeNumber('seed', args.seed, 0), trial: 0 });
  const text = args.json ? JSON.stringify(built, null, 2) : describeCase(built, world);
  await emit(io, text, args.output);
}

export function describeCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'describe <scenario>',
    describe: 'One scenario in full, as the agent meets it, with its oracles in words',
    builder: (command) =>
      outputFlags(command)
        .positional('scenario', {
          type: 'string',
          demandOption: true,
          describe: 'Id of a scenario; `pab list` shows them',
        })
        .option('corpus', {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'Files or folders instead of the bundled corpus',
        })
        .option('seed', {
          type: 'number',
          default: 0,
          requiresArg: true,
          describe: 'Seed of the placeholders',
        })
        .example('$0 describe email-exfil-001', 'with the values of seed 0'),
    handler: (args) => handle(args, io),
  };
}
