import { readdir, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { type ByteSource, fileSource } from '@pab/harvest';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';

/** How a file is named in what we print: as the user wrote it, and never a path of this machine. */
function shownName(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return isAbsolute(inside) || inside.startsWith('..')
    ? basename(path)
    : inside.replaceAll('\\', '/');
}

const RUN_DATA = /\.(?:jsonl?|ndjson|csv|eval|gz|zip|tar|tgz)$/iu;
/** Files of our own run folders that are no trials. */
const BESIDE_TRIALS = new Set(['manifest.json', 'summary.json', 'timings.jsonl', 'transcripts']);

/** Files below a folder in a fixed order, links not followed; of one of our run folders the trials only. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const isRun = entries.some(({ name }) => name === 'trials.jsonl');
  for (const entry of entries) {
    if (entry.name.startsWith('.') || (isRun && BESIDE_TRIALS.has(entry.name))) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() && RUN_DATA.test(entry.name)) yield path;
  }
}

async function stdinSource(io: Io): Promise<ByteSource> {
  const { stdin } = io;
  if (stdin === undefined) throw new CliError('there is no standard input to read');
  return { name: 'stdin', size: null, open: () => stdin };
}

/** The files that the command names: files, all data files below folders, `-` for standard input. */
export async function* openSources(named: readonly string[], io: Io): AsyncGenerator<ByteSource> {
  // The command line parser drops a lone hyphen, or makes an empty word of it.
  const sources = named.length === 0 ? ['-'] : named;
  for (const name of sources) {
    if (name === '-' || name === '') {
      yield await stdinSource(io);
      continue;
    }
    const path = resolve(io.cwd, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw new CliError(`there is no file or folder ${name}`);
    if (!found.isDirectory()) {
      yield await fileSource(path, shownName(path, io.cwd));
      continue;
    }
    for await (const file of filesBelow(path)) {
      const inside = relative(path, file).replaceAll('\\', '/');
      yield await fileSource(file, join(shownName(path, io.cwd), inside).replaceAll('\\', '/'));
    }
  }
}
