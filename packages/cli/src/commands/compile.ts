import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';

interface Arguments {
  readonly dir: string;
  readonly out?: string | undefined;
}

async function handle(args: Arguments, io: Io): Promise<void> {
  const [{ compile }, { loadSoundCorpus }, { writeWhole }] = await Promise.all([
    import('@pab/model'),
    import('../run/corpus.js'),
    import('../run/run-folder.js'),
  ]);
  const folder = resolve(io.cwd, args.dir);
  const manifestText = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
  if (manifestText === undefined) {
    throw new CliError(
      `${args.dir} has no package.json; its "version" is the version of the corpus`,
    );
  }
  const { version } = JSON.parse(manifestText) as { version?: unknown };
  if (typeof version !== 'string') throw new CliError(`${args.dir}/package.json has no "version"`);
  const { scenarios, worlds } = await loadSoundCorpus([folder], io.cwd);
  const { text, manifest } = compile({ name: 'pab-core', version, scenarios, worlds });
  const out = args.out === undefined ? join(folder, 'dist') : resolve(io.cwd, args.out);
  await mkdir(out, { recursive: true });
  await writeWhole(join(out, 'pab-core.jsonl'), text);
  await writeWhole(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  io.stderr.write(
    `${manifest.attacks} attacks and ${manifest.controls} controls in ${Object.keys(manifest.worlds).length} worlds\n`,
  );
  io.stdout.write(`${manifest.sha256}\n`);
}

export function compileCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'compile <dir>',
    describe: 'Compile an authored corpus folder to JSON Lines with its digest',
    builder: (command) =>
      command
        .positional('dir', {
          type: 'string',
          demandOption: true,
          describe: 'Folder with worlds/, scenarios/, controls/',
        })
        .option('out', {
          type: 'string',
          requiresArg: true,
          describe: 'Where to write; DIR/dist when absent',
        })
        .example('$0 compile corpus', 'writes corpus/dist'),
    handler: (args) => handle(args, io),
  };
}
