import { canonicalJson } from '@pab/model';
import { type Comparison, createComparison } from '@pab/score';
import { CliError } from '../errors.js';
import type { OpenRun } from './open-run.js';
import type { FinishedManifest } from './parse-manifest.js';

const corpusOf = ({ corpus }: FinishedManifest): string =>
  `${corpus.name} ${corpus.version} (${corpus.sha256.slice(0, 12)})`;

/** Runs that cannot be held against each other are refused, with what is different. */
function refuse(first: FinishedManifest, second: FinishedManifest): void {
  if (first.corpus.sha256 !== second.corpus.sha256) {
    throw new CliError(
      `these runs are of different corpora, ${corpusOf(first)} and ${corpusOf(second)}; numbers of different corpora are not compared`,
    );
  }
  if (first.versions.judge !== second.versions.judge) {
    throw new CliError(
      `these runs were judged by different versions, ${first.versions.judge} and ${second.versions.judge}; run one of them again`,
    );
  }
}

/** What else differs: it does not forbid the comparison, but a reader must know. */
function notesOf(first: FinishedManifest, second: FinishedManifest): string[] {
  const notes: string[] = [];
  if (first.seed !== second.seed) {
    notes.push(
      `the seeds differ (${first.seed} and ${second.seed}): pairs share the scenario, not the values in it`,
    );
  }
  for (const key of ['maxSteps', 'timeoutMs', 'provenance'] as const) {
    if (canonicalJson(first[key]) !== canonicalJson(second[key])) {
      notes.push(`${key} differs (${canonicalJson(first[key])} and ${canonicalJson(second[key])})`);
    }
  }
  for (const [name, { result }] of [['A', first] as const, ['B', second] as const]) {
    if (result.done < result.planned) {
      notes.push(`${name} is incomplete: ${result.done} of ${result.planned} trials were run`);
    }
  }
  return notes;
}

const named = ({ name, manifest }: OpenRun) => ({
  name,
  target: manifest.target.name,
  defense: manifest.defense.name,
});

/** Compares two runs from their trials. The runs are read, not verified. */
export async function compareRuns(first: OpenRun, second: OpenRun): Promise<Comparison> {
  refuse(first.manifest, second.manifest);
  const comparison = createComparison({
    first: named(first),
    second: named(second),
    notes: notesOf(first.manifest, second.manifest),
  });
  for await (const trial of first.trials()) comparison.addFirst(trial);
  for await (const trial of second.trials()) comparison.addSecond(trial);
  return comparison.finish();
}
