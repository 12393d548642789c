import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isObject, type JsonValue } from '@pab/model';
import { createSummary, parseTrial, ScoreError, type Summary, type Trial } from '@pab/score';
import { CliError } from '../errors.js';
import { manifestFile, summaryFile, trialsFile } from '../run/run-folder.js';
import { type FinishedManifest, parseManifest } from './parse-manifest.js';
import { LineTooLong, strictLines } from './strict-lines.js';

/** A finished run, as it is read for comparing and reporting. Every line is checked; nothing is taken on trust. */
export interface OpenRun {
  readonly folder: string;
  readonly name: string;
  readonly manifest: FinishedManifest;
  /** Trials one at a time. */
  trials(): AsyncGenerator<Trial>;
}

const MOST_BYTES = 16 * 1024 * 1024;

/** @throws CliError when there is no finished run in the folder */
export async function openRun(folder: string): Promise<OpenRun> {
  const file = manifestFile(folder);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) {
    throw new CliError(`there is no manifest.json in ${folder}; is this the folder of a run?`);
  }
  let value: JsonValue;
  try {
    if (found.size > MOST_BYTES) throw new Error('it is too long');
    value = JSON.parse(await readFile(file, 'utf8')) as JsonValue;
  } catch (cause) {
    throw new CliError(`${file} is not JSON; it may have been cut off`, { cause });
  }
  const parsed = parseManifest(value);
  if (!parsed.ok) {
    throw new CliError(`${file}: ${parsed.problem.field} is not ${parsed.problem.wanted}`);
  }
  return {
    folder,
    name: basename(folder),
    manifest: parsed.manifest,
    trials: () => readTrialLines(trialsFile(folder)),
  };
}

async function* readTrialLines(file: string): AsyncGenerator<Trial> {
  try {
    for await (const { bytes, number, ended } of strictLines(file)) {
      if (!ended) {
        throw new CliError(`${file}:${number}: the last line has no end; the file was cut off`);
      }
      yield parseTrial(bytes.toString('utf8'), number);
    }
  } catch (error) {
    if (CliError.is(error)) throw error;
    if (ScoreError.is(error)) throw new CliError(`${file}: ${error.message}`, { cause: error });
    if (error instanceof LineTooLong) throw new CliError(`${file}: ${error.message}`);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new CliError(`there is no ${file}; the run has lost its trials`, { cause: error });
    }
    throw error;
  }
}

const number = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 ? value : null;

async function measuredUsage(
  folder: string,
): Promise<{ wall: number | null; cost: number | null }> {
  const text = await readFile(summaryFile(folder), 'utf8').catch(() => '{}');
  try {
    const value = JSON.parse(text) as JsonValue;
    const usage = isObject(value) && isObject(value['usage']) ? value['usage'] : {};
    return { wall: number(usage['wall_s']), cost: number(usage['cost_usd']) };
  } catch {
    return { wall: null, cost: null };
  }
}

/** The summary of a run from its trials; what only the run itself could measure (time, cost) is taken from its summary. */
export async function summaryOf(run: OpenRun, onTrial?: (trial: Trial) => void): Promise<Summary> {
  const { folder, manifest } = run;
  const { corpus, target, defense, seed, resamples, result } = manifest;
  const summary = createSummary({
    corpus,
    target: target.name,
    defense: defense.name,
    trials: manifest.trials,
    seed,
    simulated: target.simulated,
    resamples,
  });
  let count = 0;
  for await (const trial of run.trials()) {
    summary.add(trial);
    count += 1;
    onTrial?.(trial);
  }
  if (count === 0) {
    throw new CliError(`${folder} has no trials; nothing is known, which is not 0 %`);
  }
  const { wall, cost } = await measuredUsage(folder);
  return summary.finish({
    wallSeconds: wall,
    costUsd: cost,
    stopped: count < result.planned ? `${count} of ${result.planned} trials were run` : undefined,
  });
}
