import type { CommandModule } from 'yargs';
import type { Io } from '../io.js';
import { outputFlags, selectionFlags } from './flags.js';

interface Arguments {
  readonly corpus?: readonly string[] | undefined;
  readonly channel?: readonly string[] | undefined;
  readonly family?: readonly string[] | undefined;
  readonly id?: readonly string[] | undefined;
  readonly kind?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly json: boolean;
  readonly output?: string | undefined;
}

async function handle(args: Arguments, io: Io): Promise<void> {
  const [{ printable }, { loadSoundCorpus }, { select }, { listOf }, { emit }, { table }] =
    await Promise.all([
      import('@pab/model'),
      import('../run/corpus.js'),
      import('../run/selection.js'),
      import('./run-settings.js'),
      import('../output/emit.js'),
      import('../output/table.js'),
    ]);
  const corpus = await loadSoundCorpus(args.corpus ?? [], io.cwd);
  const scenarios = select(corpus.scenarios, {
    channels: listOf(args.channel),
    families: listOf(args.family),
    ids: listOf(args.id),
    kinds: listOf(args.kind),
    limit: args.limit,
  });
  if (args.json) {
    const rows = scenarios.map(
      ({ id, kind, controlType, channel, family, severity, title, goal, taskId, world, tags }) => ({
        id,
        kind,
        control_type: controlType ?? null,
        channel,
        family,
        severity,
        title,
        goal: goal ?? null,
        task_id: taskId,
        world,
        tags,
      }),
    );
    await emit(io, JSON.stringify(rows, null, 2), args.output);
    return;
  }
  const rows = scenarios.map(({ id, kind, controlType, channel, family, world, title }) => [
    id,
    kind === 'control' ? (controlType ?? 'control') : family,
    channel,
    world,
    printable(title),
  ]);
  await emit(
    io,
    table(
      [
        { heading: 'id', align: 'left' },
        { heading: 'family or control', align: 'left' },
        { heading: 'channel', align: 'left' },
        { heading: 'world', align: 'left' },
        { heading: 'title', align: 'left' },
      ],
      rows,
      48,
    ),
    args.output,
  );
}

export function listCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'list',
    describe: 'What is in the corpus',
    builder: (command) =>
      outputFlags(selectionFlags(command))
        .example('$0 list --channel email', 'scenarios of one channel')
        .example('$0 list --kind control --json', 'controls, for a program'),
    handler: (args) => handle(args, io),
  };
}
