import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { formatProblem, loadJsonl, type Problem, type Scenario, type World } from '@pab/model';
import { CliError } from '../errors.js';
import { bundledCorpusFile } from './bundled-corpus.js';

/** A corpus as a run uses it. */
export interface Corpus {
  readonly name: string;
  readonly version: string;
  /** SHA-256 (hex) of the bytes that were loaded. */
  readonly sha256: string;
  readonly scenarios: readonly Scenario[];
  readonly worlds: ReadonlyMap<string, World>;
  /** True for the corpus that this version ships with, whole. */
  readonly bundled: boolean;
}

export interface LoadOutcome {
  readonly corpus: Corpus;
  readonly problems: readonly Problem[];
}

const MAX_FILE = 512 * 1024 * 1024;

async function filesUnder(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|jsonl)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !file.includes('node_modules') && !/(?:^|[/\\])dist[/\\]/.test(relative(path, file)),
    )
    .toSorted();
}

/** The scenarios of a folder that `pab harvest` wrote, which holds texts and rejected rows beside them. */
async function harvestFile(folder: string, named: string): Promise<string | undefined> {
  const entries = new Set(await readdir(folder));
  if (
    !entries.has('manifest.json') ||
    !(entries.has('scenarios.jsonl') || entries.has('rows.jsonl'))
  ) {
    return undefined;
  }
  if (entries.has('scenarios.jsonl')) return join(folder, 'scenarios.jsonl');
  throw new CliError(
    `${named} is a harvest of labelled texts only, without scenarios; \`pab eval\` reads it`,
  );
}

async function expand(paths: readonly string[], cwd: string): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    if (path === '')
      throw new CliError(
        'a corpus is named by an empty text; is a variable of your script not set?',
      );
    const full = resolve(cwd, path);
    const found = await stat(full).catch(() => undefined);
    if (found === undefined) {
      throw new CliError(
        `there is no file or folder ${path}; name a .jsonl file, a .yaml file or a folder of them`,
      );
    }
    if (found.isDirectory()) {
      const harvested = await harvestFile(full, path);
      const inside = harvested === undefined ? await filesUnder(full) : [harvested];
      if (inside.length === 0)
        throw new CliError(`${path} holds no .yaml or .jsonl file; there is nothing to load`);
      for (const one of inside) files.push(one);
    } else if (found.size > MAX_FILE) {
      throw new CliError(`${path} has ${found.size} bytes; a corpus file may have ${MAX_FILE}`);
    } else files.push(full);
  }
  return [...new Set(files)];
}

/** Loads the bundled corpus. Its problems would be ours: they are an error. */
export async function loadBundledCorpus(): Promise<Corpus> {
  const { corpus, problems } = await loadFiles([bundledCorpusFile()], '/');
  if (problems.length > 0) throw new CliError(problems.map(formatProblem).join('\n'));
  return { ...corpus, bundled: true };
}

async function loadFiles(
  files: readonly string[],
  cwd: string,
  known?: ReadonlyMap<string, World>,
): Promise<LoadOutcome> {
  const problems: Problem[] = [];
  const scenarios: Scenario[] = [];
  const worlds = new Map<string, World>(known);
  const hash = createHash('sha256');
  let header: { name: string; version: string } | undefined;
  const authored: { file: string; bytes: Uint8Array }[] = [];
  for (const full of files) {
    const file = relative(cwd, full).startsWith('..') ? full : relative(cwd, full);
    const bytes = await readFile(full);
    hash.update(bytes);
    if (!full.endsWith('.jsonl')) {
      authored.push({ file, bytes });
      continue;
    }
    const loaded = loadJsonl(bytes, file, worlds);
    for (const one of loaded.problems) problems.push(one);
    for (const one of loaded.scenarios) scenarios.push(one);
    for (const [id, world] of loaded.worlds) worlds.set(id, world);
    header ??= loaded.header;
  }
  if (authored.length > 0) {
    const { loadYaml } = await import('@pab/model/yaml');
    const loaded = loadYaml(authored, worlds);
    for (const one of loaded.problems) problems.push(one);
    for (const one of loaded.scenarios) scenarios.push(one);
    for (const [id, world] of loaded.worlds) worlds.set(id, world);
  }
  const seen = new Set<string>();
  for (const { id } of scenarios) {
    if (seen.has(id))
      problems.push({
        file: files.map((file) => basename(file)).join(', '),
        line: 1,
        column: 1,
        path: 'id',
        message: `"${id}" is the id of two scenarios; ids are unique and stable`,
      });
    seen.add(id);
  }
  const [first = 'corpus'] = files;
  return {
    problems,
    corpus: {
      name: header?.name ?? basename(first).replace(/\.[^.]+$/, ''),
      version: header?.version ?? '0',
      sha256: hash.digest('hex'),
      scenarios: scenarios.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      worlds,
      bundled: false,
    },
  };
}

/**
 * Loads the corpus that `paths` name; the bundled one when there are none. Scenarios may stand in worlds of the bundled corpus.
 * Problems are given back for `validate`; everything else uses `loadSoundCorpus`.
 */
export async function loadCorpus(paths: readonly string[], cwd: string): Promise<LoadOutcome> {
  if (paths.length === 0) return { corpus: await loadBundledCorpus(), problems: [] };
  const files = await expand(paths, cwd);
  const bundled = await loadBundledCorpus().catch(() => undefined);
  const outcome = await loadFiles(files, cwd, bundled?.worlds);
  const same = bundled !== undefined && outcome.corpus.sha256 === bundled.sha256;
  if (outcome.problems.length === 0 && outcome.corpus.scenarios.length === 0) {
    const [file = ''] = files;
    return {
      ...outcome,
      problems: [
        {
          file: relative(cwd, file),
          line: 1,
          column: 1,
          path: '',
          message: 'there is no scenario in what was named; an empty corpus measures nothing',
        },
      ],
    };
  }
  return { ...outcome, corpus: { ...outcome.corpus, bundled: same } };
}

const SHOWN = 50;

/** The same, but any problem is an error that lists them. */
export async function loadSoundCorpus(paths: readonly string[], cwd: string): Promise<Corpus> {
  const { corpus, problems } = await loadCorpus(paths, cwd);
  if (problems.length === 0) return corpus;
  const more = problems.length > SHOWN ? [`… and ${problems.length - SHOWN} more`] : [];
  throw new CliError(
    [
      `the corpus has ${problems.length} problem(s), so nothing was run:`,
      ...problems.slice(0, SHOWN).map(formatProblem),
      ...more,
    ].join('\n'),
  );
}
