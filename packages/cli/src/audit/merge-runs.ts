import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { canonicalJson, isObject, type JsonValue } from '@pab/model';
import { parseTrial, type Summary } from '@pab/score';
import { CliError } from '../errors.js';
import type { RunManifest } from '../run/manifest.js';
import { manifestText } from '../run/run-benchmark.js';
import {
  manifestFile,
  summaryFile,
  TRANSCRIPTS_PER_FILE,
  timingsFile,
  transcriptFile,
  trialsFile,
  writeWhole,
} from '../run/run-folder.js';
import { type OpenRun, openRun, summaryOf } from './open-run.js';
import { type StrictLine, strictLines } from './strict-lines.js';

/** What shards of one run have in common, down to the last option. */
const SHARED = [
  'corpus',
  'target',
  'defense',
  'seed',
  'trials',
  'maxSteps',
  'timeoutMs',
  'provenance',
  'resamples',
  'selection',
  'official',
  'versions',
] as const satisfies readonly (keyof RunManifest)[];

/** The shards in their order: all of one run, none twice, none missing, each whole. */
function inOrder(runs: readonly OpenRun[]): OpenRun[] {
  const [first] = runs;
  if (first === undefined) throw new CliError('name the folders of the shards to join');
  const byIndex = new Map<number, OpenRun>();
  for (const run of runs) {
    const { shard, result } = run.manifest;
    if (shard === null) throw new CliError(`${run.folder} is no shard; it was run without --shard`);
    const of = first.manifest.shard?.of;
    if (shard.of !== of) {
      throw new CliError(
        `${run.folder} is shard ${shard.index}/${shard.of}, and ${first.folder} is one of ${of}; they are of different runs`,
      );
    }
    for (const key of SHARED) {
      const [a, b] = [canonicalJson(first.manifest[key]), canonicalJson(run.manifest[key])];
      if (a !== b) {
        throw new CliError(
          `${run.folder} was run with another ${key} than ${first.folder} (${b}, not ${a}); they are of different runs`,
        );
      }
    }
    const other = byIndex.get(shard.index);
    if (other !== undefined) {
      throw new CliError(
        `${other.folder} and ${run.folder} are both shard ${shard.index}/${shard.of}; name each shard once`,
      );
    }
    if (result.done < result.planned) {
      throw new CliError(
        `${run.folder} has ${result.done} of ${result.planned} trials; go on with it (--resume) before it is joined`,
      );
    }
    byIndex.set(shard.index, run);
  }
  const of = first.manifest.shard?.of ?? 0;
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter(
    (index) => !byIndex.has(index),
  );
  if (missing.length > 0) {
    throw new CliError(`shard ${missing.map((index) => `${index}/${of}`).join(', ')} is missing`);
  }
  return [...byIndex].toSorted(([a], [b]) => a - b).map(([, run]) => run);
}

interface ShardLines {
  readonly run: OpenRun;
  readonly trials: AsyncGenerator<StrictLine>;
  readonly transcripts: AsyncGenerator<StrictLine>;
  readonly timings: AsyncGenerator<StrictLine>;
}

async function* transcriptLines(folder: string): AsyncGenerator<StrictLine> {
  const names = await readdir(join(folder, 'transcripts')).catch(() => [] as string[]);
  for (let part = 0; part < names.length; part += 1)
    yield* strictLines(transcriptFile(folder, part));
}

async function next(lines: AsyncGenerator<StrictLine>): Promise<StrictLine | undefined> {
  const step = await lines.next();
  return step.done === true ? undefined : step.value;
}

const NEWLINE = Buffer.from('\n');

/** A file that is written line by line. */
class LineFile {
  private pending: Buffer[] = [];
  private size = 0;
  private readonly stream;

  constructor(file: string) {
    this.stream = createWriteStream(file);
  }

  async add(line: Buffer): Promise<void> {
    this.pending.push(line, NEWLINE);
    this.size += line.length + 1;
    if (this.size > 1 << 20) await this.flush();
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.concat(this.pending);
    this.pending = [];
    this.size = 0;
    if (!this.stream.write(bytes)) {
      await new Promise<void>((resume) => {
        this.stream.once('drain', resume);
      });
    }
  }

  async close(): Promise<void> {
    await this.flush();
    await new Promise<void>((resume, fail) => {
      this.stream.once('error', fail);
      this.stream.end(resume);
    });
  }
}

function indexOf(line: StrictLine, file: string): number {
  let value: JsonValue;
  try {
    value = JSON.parse(line.bytes.toString('utf8')) as JsonValue;
  } catch (cause) {
    throw new CliError(`${file}:${line.number}: this line is not JSON`, { cause });
  }
  const index = isObject(value) ? value['index'] : undefined;
  if (typeof index === 'number') return index;
  throw new CliError(`${file}:${line.number}: this line has no index`);
}

async function joinLines(shards: readonly ShardLines[], out: string): Promise<number> {
  const trials = new LineFile(trialsFile(out));
  const timings = new LineFile(timingsFile(out));
  let transcripts = new LineFile(transcriptFile(out, 0));
  let count = 0;
  try {
    for (;;) {
      const shard = shards[count % shards.length];
      if (shard === undefined) break;
      const trial = await next(shard.trials);
      const transcript = await next(shard.transcripts);
      if (trial === undefined && transcript === undefined) break;
      if (trial === undefined || transcript === undefined || !trial.ended || !transcript.ended) {
        throw new CliError(
          `${shard.run.folder}: trials.jsonl and transcripts/ do not end together`,
        );
      }
      parseTrial(trial.bytes.toString('utf8'), trial.number);
      const index = indexOf(transcript, join(shard.run.folder, 'transcripts'));
      if (index !== count) {
        throw new CliError(
          `${shard.run.folder}: trial ${index} stands where trial ${count} should; the shards overlap or have been changed`,
        );
      }
      if (count > 0 && count % TRANSCRIPTS_PER_FILE === 0) {
        await transcripts.close();
        transcripts = new LineFile(transcriptFile(out, count / TRANSCRIPTS_PER_FILE));
      }
      await transcripts.add(transcript.bytes);
      await trials.add(trial.bytes);
      const timing = await next(shard.timings);
      if (timing !== undefined) await timings.add(timing.bytes);
      count += 1;
    }
    for (const { run, trials: rest } of shards) {
      if ((await next(rest)) !== undefined) {
        throw new CliError(`${run.folder} has more trials than its place in the run allows`);
      }
    }
  } finally {
    await trials.close();
    await timings.close();
    await transcripts.close();
  }
  return count;
}

export interface Merged {
  readonly shards: number;
  readonly trials: number;
  readonly summary: Summary;
}

/** Joins the shards of a run. Its trials and transcripts are the bytes of a run that was never split. */
export async function mergeRuns(folders: readonly string[], out: string): Promise<Merged> {
  const runs: OpenRun[] = [];
  for (const folder of folders) runs.push(await openRun(folder));
  const ordered = inOrder(runs);
  const [first] = ordered;
  if (first === undefined) throw new CliError('name the folders of the shards to join');
  if ((await stat(out).catch(() => undefined)) !== undefined) {
    throw new CliError(`${out} is there already; a run is never overwritten`);
  }
  const beside = `${out}.part`;
  await rm(beside, { recursive: true, force: true });
  await mkdir(join(beside, 'transcripts'), { recursive: true });
  const shards = ordered.map((run) => ({
    run,
    trials: strictLines(trialsFile(run.folder)),
    transcripts: transcriptLines(run.folder),
    timings: strictLines(timingsFile(run.folder)),
  }));
  try {
    const count = await joinLines(shards, beside);
    const results = ordered.map(({ manifest }) => manifest.result);
    const hash = createHash('sha256');
    await pipeline(createReadStream(trialsFile(beside)), hash);
    const { result: _result, ...shared } = first.manifest;
    const sum = (key: 'planned' | 'done' | 'errors'): number =>
      results.reduce((total, result) => total + result[key], 0);
    await writeWhole(
      manifestFile(beside),
      manifestText({
        ...shared,
        shard: null,
        result: {
          started: results.map(({ started }) => started).toSorted()[0] ?? '',
          ended:
            results
              .map(({ ended }) => ended)
              .toSorted()
              .at(-1) ?? '',
          planned: sum('planned'),
          done: sum('done'),
          errors: sum('errors'),
          modelIds: [...new Set(results.flatMap(({ modelIds }) => modelIds))].toSorted(),
          trialsSha256: hash.digest('hex'),
          manifestSha256: '',
        },
      }),
    );
    const summary = await summaryOf(await openRun(beside));
    await writeWhole(summaryFile(beside), `${JSON.stringify(summary, null, 2)}\n`);
    await rename(beside, out);
    return { shards: ordered.length, trials: count, summary };
  } finally {
    for (const { trials, transcripts, timings } of shards) {
      for (const lines of [trials, transcripts, timings]) await lines.return(undefined);
    }
    await rm(beside, { recursive: true, force: true });
  }
}
