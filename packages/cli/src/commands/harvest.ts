import { stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve } from 'node:path';
import type { ByteSource, HarvestOptions, HarvestResult, ParquetReader } from '@pab/harvest';
import type { World } from '@pab/model';
import type { CommandModule } from 'yargs';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { builder, once, wholeNumber } from './flags.js';

export interface HarvestArguments {
  readonly source: readonly string[];
  readonly out?: string | undefined;
  readonly force: boolean;
  readonly format?: string | undefined;
  readonly split?: string | undefined;
  readonly textCol?: string | undefined;
  readonly labelCol?: string | undefined;
  readonly positive?: readonly string[] | undefined;
  readonly label?: 'attack' | 'benign' | undefined;
  readonly dedupe: 'off' | 'exact' | 'near';
  readonly threshold: number;
  readonly seed: number;
  readonly against?: readonly string[] | undefined;
  readonly wrap?: string | undefined;
  readonly world?: string | undefined;
  readonly redact: boolean;
  readonly limit?: number | undefined;
  readonly licence?: string | undefined;
  readonly revision?: string | undefined;
  readonly offline: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

const HUB = /^(?:hf:(?:\/\/)?)([\w.-]+(?:\/[\w.-]+)?)(?:#([\w.-]+))?$/u;

/** How a file is named in places and manifests: as the user wrote it, and never a path of this machine. */
function shownName(path: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, path));
  return isAbsolute(path) || inside.startsWith('..')
    ? basename(path)
    : inside.replaceAll('\\', '/');
}

interface Sources {
  readonly sources: readonly ByteSource[];
  readonly licence: string | null;
  readonly revision: string | null;
}

async function fromHub(
  dataset: string,
  config: string | undefined,
  split: string | undefined,
  args: HarvestArguments,
  io: Io,
): Promise<Sources> {
  const { hubSources } = await import('@pab/harvest');
  if (!args.quiet) io.stderr.write(`asking the hub for ${dataset}\n`);
  return hubSources({
    dataset,
    ...(config === undefined ? {} : { config }),
    ...(split === undefined ? {} : { split }),
    env: io.env,
    fetch: globalThis.fetch,
    offline: args.offline,
    sleep: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
    ...(io.signal === undefined ? {} : { signal: io.signal }),
  });
}

async function open(args: HarvestArguments, split: string | undefined, io: Io): Promise<Sources> {
  const { fileSource } = await import('@pab/harvest');
  const sources: ByteSource[] = [];
  let licence: string | null = null;
  let revision: string | null = null;
  for (const named of args.source) {
    const hub = HUB.exec(named);
    if (hub !== null) {
      const found = await fromHub(hub[1] ?? '', hub[2], split, args, io);
      for (const one of found.sources) sources.push(one);
      ({ licence, revision } = found);
      continue;
    }
    const path = resolve(io.cwd, named);
    const there = await stat(path).catch(() => undefined);
    if (there === undefined) {
      const guess = /^[\w.-]+\/[\w.-]+$/u.test(named)
        ? `; for the Hugging Face hub write hf:${named}`
        : '';
      throw new CliError(`there is no file ${named}${guess}`);
    }
    if (!there.isFile())
      throw new CliError(`${named} is a folder; name the files that are to be imported`);
    sources.push(await fileSource(path, shownName(named, io.cwd)));
  }
  return { sources, licence, revision };
}

/** A world by its id in the bundled corpus, or a YAML or JSON file with one. */
async function findWorld(named: string, io: Io): Promise<World> {
  const { loadBundledCorpus, loadCorpus } = await import('../run/corpus.js');
  const bundled = await loadBundledCorpus().catch(() => undefined);
  const known = bundled?.worlds.get(named);
  if (known !== undefined) return known;
  if (/\.(?:ya?ml|jsonl)$/u.test(named)) {
    const [{ canonicalJson }, { corpus }] = await Promise.all([
      import('@pab/model'),
      loadCorpus([named], io.cwd),
    ]);
    // The bundled worlds come along with those of the file, as other objects with the same content.
    const only = [...corpus.worlds.values()].find(
      (world) => canonicalJson(bundled?.worlds.get(world.id) ?? null) !== canonicalJson(world),
    );
    if (only !== undefined) return only;
  }
  const { didYouMean } = await import('@pab/model');
  const names = [...(bundled?.worlds.keys() ?? [])];
  throw new CliError(
    `there is no world "${named}".${didYouMean(named, names)} Known: ${names.join(', ') || 'none'}; or name a file with one`,
  );
}

/** Most sets are no Parquet files, so the reader of those is loaded where one is met. */
const parquet: ParquetReader = async function* (source) {
  const { parquetReader } = await import('@pab/harvest/parquet');
  yield* parquetReader(source);
};

/** `--split test` picks a part of a hub data set; `--split train=0.8,test=0.2` makes parts. */
function readSplit(split: string | undefined): {
  pick: string | undefined;
  make: string | undefined;
} {
  if (split === undefined) return { pick: undefined, make: undefined };
  return split.includes('=') ? { pick: undefined, make: split } : { pick: split, make: undefined };
}

async function optionsOf(args: HarvestArguments, io: Io): Promise<HarvestOptions> {
  const { fileSource, parseSplits } = await import('@pab/harvest');
  const { pick, make } = readSplit(once('split', args.split));
  if (pick !== undefined && !args.source.some((named) => HUB.test(named))) {
    throw new CliError(
      `--split ${pick} picks a part of a hub data set, and no source is one; to make parts write --split ${pick}=0.8,other=0.2`,
    );
  }
  if (!(args.threshold > 0 && args.threshold <= 1)) {
    throw new CliError(`--threshold is a number above 0, at most 1, not ${String(args.threshold)}`);
  }
  if ((args.wrap === undefined) !== (args.world === undefined)) {
    throw new CliError('--wrap CHANNEL and --world WORLD go together');
  }
  const out = once('out', args.out);
  if (out === undefined || out === '')
    throw new CliError('name the folder to write with --out DIR');
  const { sources, licence, revision } = await open(args, pick, io);
  const against = await Promise.all(
    (args.against ?? []).map((path) => fileSource(resolve(io.cwd, path), shownName(path, io.cwd))),
  );
  const stated = once('licence', args.licence) ?? licence ?? undefined;
  const commit = once('revision', args.revision) ?? revision ?? undefined;
  return {
    sources,
    out: resolve(io.cwd, out),
    force: args.force,
    ...(args.format === undefined ? {} : { format: args.format }),
    columns: {
      ...(args.textCol === undefined ? {} : { textColumn: args.textCol }),
      ...(args.labelCol === undefined ? {} : { labelColumn: args.labelCol }),
      ...(args.positive === undefined
        ? {}
        : { positive: args.positive.flatMap((list) => list.split(',')) }),
      ...(args.label === undefined ? {} : { label: args.label }),
    },
    read: { parquet },
    dedupe: args.dedupe,
    threshold: args.threshold,
    seed: wholeNumber('seed', args.seed, 0, 0x7fffffff),
    ...(make === undefined ? {} : { splits: parseSplits(make) }),
    ...(against.length === 0 ? {} : { against }),
    ...(args.wrap === undefined
      ? {}
      : { wrap: { channel: args.wrap, world: await findWorld(args.world ?? '', io) } }),
    redact: args.redact,
    ...(args.limit === undefined ? {} : { limit: wholeNumber('limit', args.limit, 1) }),
    ...(stated === undefined ? {} : { licence: stated }),
    ...(commit === undefined ? {} : { revision: commit }),
    ...(io.signal === undefined ? {} : { signal: io.signal }),
    ...(args.quiet ? {} : { onProgress: (read: number) => void io.stderr.write(`${read} read\n`) }),
  };
}

function report({ manifest }: HarvestResult, shown: string): string {
  const lines = [
    `${manifest.title}: ${manifest.rows_read} read, ${manifest.rows_written} written (${manifest.texts} texts, ${manifest.scenarios} scenarios), ${manifest.rejected} rejected, ${manifest.duplicates} duplicates`,
    ...(manifest.rejected > 0
      ? [`the rejected rows and the reasons are in ${shown}/rejects.jsonl`]
      : []),
    ...manifest.notes,
  ];
  return `${lines.join('\n')}\n`;
}

async function handle(args: HarvestArguments, io: Io): Promise<void> {
  const { harvest, HarvestError } = await import('@pab/harvest');
  const { printable } = await import('@pab/model');
  try {
    const result = await harvest(await optionsOf(args, io));
    if (!args.quiet) {
      const words = report(result, args.out ?? '')
        .split('\n')
        .map(printable)
        .join('\n');
      io.stderr.write(words);
    }
    io.stdout.write(
      args.json ? `${JSON.stringify(result.manifest, null, 2)}\n` : `${args.out ?? ''}\n`,
    );
    if (result.manifest.rejected > 0) io.setExit(3);
  } catch (error) {
    if (io.signal?.aborted === true) {
      // Nothing was kept: the folder appears whole or not at all.
      io.setExit(130);
      return;
    }
    if (HarvestError.is(error)) throw new CliError(error.message, { cause: error });
    throw error;
  }
}

/** `pab harvest`: turns public sets into scenarios and labelled texts. */
export function harvestCommand(io: Io): CommandModule<object, HarvestArguments> {
  return {
    command: 'harvest <source..>',
    describe: 'Import public sets as scenarios and labelled texts',
    builder: builder((command) =>
      command
        .positional('source', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Files, or hf:owner/name (hf:owner/name#config) on the Hugging Face hub',
        })
        .option('out', { type: 'string', requiresArg: true, describe: 'Folder to write' })
        .option('force', {
          type: 'boolean',
          default: false,
          describe: 'Replace a folder that an earlier harvest made',
        })
        .option('format', {
          type: 'string',
          requiresArg: true,
          describe: 'Source format; told from the content unless given',
        })
        .option('split', {
          type: 'string',
          requiresArg: true,
          describe: 'Part of a hub data set (test), or parts to make (train=0.8,test=0.2)',
        })
        .option('text-col', { type: 'string', requiresArg: true, describe: 'Column of the text' })
        .option('label-col', { type: 'string', requiresArg: true, describe: 'Column of the label' })
        .option('positive', {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'Labels that mean attack, e.g. 1,jailbreak',
        })
        .option('label', {
          choices: ['attack', 'benign'] as const,
          describe: 'Label of all rows, where there is no column',
        })
        .option('dedupe', {
          choices: ['off', 'exact', 'near'] as const,
          default: 'near' as const,
          describe:
            'near: leave out exact duplicates and mark clusters of near ones; off: constant memory',
        })
        .option('threshold', {
          type: 'number',
          default: 0.8,
          requiresArg: true,
          describe: 'Least similarity of near duplicates',
        })
        .option('seed', {
          type: 'number',
          default: 0,
          requiresArg: true,
          describe: 'Seed of duplicates and parts',
        })
        .option('against', {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'Mark rows that also stand in these files',
        })
        .option('wrap', {
          type: 'string',
          requiresArg: true,
          describe: 'Make scenarios of texts: the channel to place them in',
        })
        .option('world', {
          type: 'string',
          requiresArg: true,
          describe: 'World for --wrap: an id of the bundled corpus, or a file',
        })
        .option('redact', {
          type: 'boolean',
          default: false,
          describe: 'Mask credentials and personal data',
        })
        .option('limit', {
          type: 'number',
          requiresArg: true,
          describe: 'Read at most so many units',
        })
        .option('licence', {
          type: 'string',
          requiresArg: true,
          describe: 'Licence of the source, where it is not known',
        })
        .option('revision', {
          type: 'string',
          requiresArg: true,
          describe: 'Revision of the source',
        })
        .option('offline', {
          type: 'boolean',
          default: false,
          describe: 'Use the cache of hub data sets only',
        })
        .option('json', { type: 'boolean', default: false, describe: 'The manifest on stdout' })
        .option('quiet', { type: 'boolean', default: false, describe: 'No progress and no words' })
        .example('$0 harvest test_cases_dh_base.json --out injecagent', 'scenarios of InjecAgent')
        .example(
          '$0 harvest hf:deepset/prompt-injections --split test --out deepset',
          'labelled texts from the hub',
        ),
    ),
    handler: (args) => handle(args, io),
  };
}
