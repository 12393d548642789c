import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Leaderboard, RefusedRun, ReportRun } from '@pab/score';
import { CliError } from '../errors.js';
import { type Corpus, loadBundledCorpus } from '../run/corpus.js';
import { manifestFile } from '../run/run-folder.js';
import { openRun } from './open-run.js';
import { reportRun } from './report-run.js';
import { verifyRun } from './verify-run.js';

/** How deep below the folder runs are looked for: `DIR/run` and `DIR/group/run`. */
const DEEPEST = 2;

async function runsUnder(folder: string, depth = 0): Promise<string[]> {
  if ((await stat(manifestFile(folder)).catch(() => undefined)) !== undefined) return [folder];
  if (depth >= DEEPEST) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) found.push(...(await runsUnder(join(folder, entry.name), depth + 1)));
  }
  return found;
}

/** Why a run does not come into the table, or the run. */
async function admit(
  folder: string,
  name: string,
  corpus: Corpus,
  signal: AbortSignal | undefined,
): Promise<ReportRun | string> {
  const { manifest } = await openRun(folder);
  if (manifest.corpus.sha256 !== corpus.sha256) {
    return `it is of ${manifest.corpus.name} ${manifest.corpus.version} (${manifest.corpus.sha256.slice(0, 12)}), and this table is of ${corpus.name} ${corpus.version} (${corpus.sha256.slice(0, 12)}); numbers of two versions never stand in one table`;
  }
  if (!manifest.official) return 'it is no official run (pab run --official)';
  const { report, summary } = await verifyRun(folder, {
    corpus: () => Promise.resolve(corpus),
    signal,
  });
  if (!report.verified || summary === undefined) {
    const [first] = report.differences;
    const place = first?.line === undefined ? first?.file : `${first.file}:${first.line}`;
    return `it does not verify: ${place ?? ''}: ${first?.message ?? ''}`;
  }
  if (summary.incomplete) return 'it is incomplete: more than 5 % of its trials failed';
  return reportRun(name, manifest, summary);
}

/** The official runs below a folder that verify against the bundled corpus, and those that do not, with the reason. */
export async function buildLeaderboard(
  folder: string,
  { signal, onRun }: { signal?: AbortSignal | undefined; onRun?: (name: string) => void } = {},
): Promise<Leaderboard> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new CliError(`there is no folder ${folder}`);
  const folders = await runsUnder(folder);
  if (folders.length === 0) throw new CliError(`there is no run in ${folder}`);
  const corpus = await loadBundledCorpus();
  const runs: ReportRun[] = [];
  const refused: RefusedRun[] = [];
  for (const path of folders) {
    const name = relative(folder, path) || '.';
    onRun?.(name);
    let admitted: ReportRun | string;
    try {
      admitted = await admit(path, name, corpus, signal);
    } catch (error) {
      if (!CliError.is(error) || error.exit === 130) throw error;
      // Words about the place belong to whoever runs this, not into a page that is published.
      admitted = error.message.replaceAll(`${path}/`, '').replaceAll(path, name);
    }
    if (typeof admitted === 'string') refused.push({ name, reason: admitted });
    else runs.push(admitted);
  }
  const { name, version, sha256 } = corpus;
  return { corpus: { name, version, sha256 }, runs, refused };
}
