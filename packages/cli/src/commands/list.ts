import type { Scenario } from '@pab/model';
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

/** What is listed, and how its titles are shown. */
interface Listing {
  readonly scenarios: readonly Scenario[];
  readonly show: (title: string) => string;
}

async function listingOf(args: Arguments, io: Io): Promise<Listing> {
  const { corpus, channel, family, id, kind, limit } = args;
  const narrowed = [corpus, channel, family, id, kind, limit].some((flag) => flag !== undefined);
  if (!narrowed) {
    // The whole of what we ship needs neither the schemas nor the checks, which take longer to load than to list.
    const { readBundledScenarios } = await import('../run/bundled-corpus.js');
    return { scenarios: await readBundledScenarios(), show: (title) => title };
  }
  const [{ printable }, { loadSoundCorpus }, { select }, { listOf }] = await Promise.all([
    import('@pab/model'),
    import('../run/corpus.js'),
    import('../run/selection.js'),
    import('./run-settings.js'),
  ]);
  const { scenarios } = await loadSoundCorpus(corpus ?? [], io.cwd);
  const selection = {
    channels: listOf(channel),
    families: listOf(family),
    ids: listOf(id),
    kinds: listOf(kind),
    limit,
  };
  return { scenarios: select(scenarios, selection), show: printable };
}

async function handle(args: Arguments, io: Io): Promise<void> {
  const [{ scenarios, show }, { emit }, { table }] = await Promise.all([
    listingOf(args, io),
    import('../output/emit.js'),
    import('../output/table.js'),
  ]);
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
    show(title),
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
