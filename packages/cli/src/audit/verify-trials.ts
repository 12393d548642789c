import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { instantiate, isObject, type JsonValue, type Transcript } from '@pab/model';
import { createSummary, judge, type SummaryBuilder, type Trial, trialOf } from '@pab/score';
import { CliError } from '../errors.js';
import type { Corpus } from '../run/corpus.js';
import { corpusCounts } from '../run/run-benchmark.js';
import { digestJson, digestTranscript } from '../run/run-digests.js';
import { TRANSCRIPTS_PER_FILE, transcriptFile, trialsFile } from '../run/run-folder.js';
import { type PlannedTrial, planTrials, select } from '../run/selection.js';
import { checkTranscript } from './check-transcript.js';
import {
  type Difference,
  type FieldPath,
  fieldName,
  firstByte,
  firstDifference,
  foundNot,
  withField,
} from './difference.js';
import type { Findings } from './findings.js';
import type { FinishedManifest } from './parse-manifest.js';
import { type StrictLine, strictLines } from './strict-lines.js';
import { asTranscript, transcriptProblem } from './transcript-shape.js';

/** What the trials of a run came to. */
export interface CheckedTrials {
  /** Trials as they follow from the transcripts. */
  readonly summary: SummaryBuilder;
  readonly count: number;
  readonly errors: number;
  readonly modelIds: readonly string[];
  /** Tool results that were replayed. */
  readonly results: number;
  /** Of `trials.jsonl` as it stands. */
  readonly sha256: string;
  /** False when the plan was left, so that what follows from all trials is not known. */
  readonly whole: boolean;
}

interface PlacedLine extends StrictLine {
  readonly file: string;
}

async function* transcriptLines(folder: string): AsyncGenerator<PlacedLine> {
  const names = await readdir(join(folder, 'transcripts')).catch(() => [] as string[]);
  for (let part = 0; ; part += 1) {
    const file = transcriptFile(folder, part);
    const name = basename(file);
    if (!names.includes(name)) return;
    for await (const line of strictLines(file)) {
      yield { ...line, file: `transcripts/${name}` };
      if (line.number > TRANSCRIPTS_PER_FILE) return;
    }
  }
}

/** Reads a line as JSON that stands exactly as it would be written. */
function parseLine(line: StrictLine): { value: JsonValue } | { problem: string; byte: number } {
  if (!line.ended) {
    return {
      problem: 'the last line has no end; the file was cut off',
      byte: line.offset + line.bytes.length,
    };
  }
  let value: JsonValue;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line.bytes);
    value = JSON.parse(text) as JsonValue;
  } catch {
    return { problem: 'this line is not JSON', byte: line.offset };
  }
  const byte = firstByte(Buffer.from(JSON.stringify(value)), line.bytes);
  return byte === undefined
    ? { value }
    : { problem: 'the line does not stand as it was written', byte: line.offset + byte };
}

const describe = ({ scenario, variant, trial }: PlannedTrial): string =>
  `${scenario.id}, ${variant}, trial ${trial}`;

function* plannedTrials(
  corpus: Corpus,
  { selection, shard, trials }: FinishedManifest,
): Generator<PlannedTrial> {
  const scenarios = select(corpus.scenarios, selection);
  for (const planned of planTrials(scenarios, { trials, twins: selection['twins'] !== false })) {
    if (shard === null || planned.index % shard.of === shard.index - 1) yield planned;
  }
}

function summaryFor(manifest: FinishedManifest, corpus: Corpus): SummaryBuilder {
  return createSummary({
    corpus: corpusCounts(corpus),
    target: manifest.target.name,
    defense: manifest.defense.name,
    trials: manifest.trials,
    seed: manifest.seed,
    simulated: manifest.target.simulated,
    resamples: manifest.resamples,
  });
}

async function next<T>(lines: AsyncGenerator<T>): Promise<T | undefined> {
  const step = await lines.next();
  return step.done === true ? undefined : step.value;
}

/** Walks `transcripts/` and `trials.jsonl` beside the plan; each trial is judged again from its transcript. */
class Walk {
  private readonly manifest: FinishedManifest;
  private readonly corpus: Corpus;
  private readonly findings: Findings;
  private readonly summary: SummaryBuilder;
  private readonly modelIds = new Set<string>();
  private count = 0;
  private errors = 0;
  private results = 0;

  constructor(manifest: FinishedManifest, corpus: Corpus, findings: Findings) {
    this.manifest = manifest;
    this.corpus = corpus;
    this.findings = findings;
    this.summary = summaryFor(manifest, corpus);
  }

  private off(difference: Omit<Difference, 'check'>): false {
    this.findings.add({ check: 'plan', ...difference });
    return false;
  }

  async run(folder: string, signal: AbortSignal | undefined): Promise<CheckedTrials> {
    const hash = createHash('sha256');
    const transcripts = transcriptLines(folder);
    const trials = strictLines(trialsFile(folder), (bytes) => hash.update(bytes));
    let whole = true;
    try {
      for (const planned of plannedTrials(this.corpus, this.manifest)) {
        if (signal?.aborted === true) throw new CliError('interrupted', { exit: 130 });
        const transcript = await next(transcripts);
        const trial = await next(trials);
        if (transcript === undefined && trial === undefined) break;
        whole = this.step(planned, transcript, trial);
        if (!whole) break;
      }
      if (whole) whole = this.ended(await next(transcripts), await next(trials));
      // The digest is of the whole file, wherever the walk stopped.
      while ((await next(trials)) !== undefined);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      whole = this.off({ file: 'trials.jsonl', message: 'the file is missing' });
    } finally {
      await transcripts.return(undefined);
      await trials.return(undefined);
    }
    for (const check of ['plan', 'transcripts', 'judgements'] as const) {
      if (whole || this.count > 0) this.findings.done.add(check);
    }
    return {
      summary: this.summary,
      count: this.count,
      errors: this.errors,
      modelIds: [...this.modelIds].toSorted(),
      results: this.results,
      sha256: hash.digest('hex'),
      whole,
    };
  }

  private ended(transcript: PlacedLine | undefined, trial: StrictLine | undefined): boolean {
    const { done } = this.manifest.result;
    if (transcript !== undefined || trial !== undefined) {
      const line = transcript ?? trial;
      return this.off({
        file: transcript?.file ?? 'trials.jsonl',
        line: line?.number,
        byte: line?.offset,
        message: `there is more than the ${this.count} trials of the plan`,
      });
    }
    if (this.count === done) return true;
    return this.off({
      file: 'trials.jsonl',
      line: this.count + 1,
      message: `there are ${this.count} trials; the manifest says ${done}`,
    });
  }

  /** One trial of the plan; false when the files have left the plan. */
  private step(
    planned: PlannedTrial,
    transcript: PlacedLine | undefined,
    trial: StrictLine | undefined,
  ): boolean {
    if (transcript === undefined) {
      return this.off({
        file: 'transcripts',
        message: `the transcript of trial ${planned.index} (${describe(planned)}) is missing, and trials.jsonl has it`,
      });
    }
    if (trial === undefined) {
      return this.off({
        file: 'trials.jsonl',
        line: this.count + 1,
        message: `trial ${planned.index} (${describe(planned)}) is missing, and its transcript is there`,
      });
    }
    const { file, number: line } = transcript;
    const parsed = parseLine(transcript);
    if ('problem' in parsed) {
      return this.off({ file, line, byte: parsed.byte, message: parsed.problem });
    }
    const { value } = parsed;
    const held =
      isObject(value) && Object.hasOwn(value, 'transcript') ? value['transcript'] : undefined;
    const wanted = {
      index: planned.index,
      scenario: planned.scenario.id,
      variant: planned.variant,
      trial: planned.trial,
      transcript: held ?? null,
    };
    const place = firstDifference(wanted, value);
    if (place !== undefined) {
      return this.off({
        file,
        line,
        field: fieldName(place.path),
        byte: this.byteOf(transcript, value, place.path, place.expected),
        message: `here the plan has trial ${planned.index} (${describe(planned)}); ${fieldName(place.path)}: ${foundNot(place.found, place.expected)}`,
      });
    }
    const shape = transcriptProblem(held);
    if (held === undefined || shape !== undefined) {
      const field = fieldName(['transcript', ...(shape?.path ?? [])]);
      return this.off({
        file,
        line,
        byte: transcript.offset,
        field,
        message: `${field} is not ${shape?.wanted ?? 'there'}`,
      });
    }
    this.trial(planned, asTranscript(held), transcript, value, trial);
    return true;
  }

  private byteOf(
    { bytes, offset }: StrictLine,
    value: JsonValue,
    path: FieldPath,
    expected: JsonValue | undefined,
  ): number {
    const right = Buffer.from(JSON.stringify(withField(value, path, expected)));
    return offset + (firstByte(right, bytes) ?? 0);
  }

  private trial(
    planned: PlannedTrial,
    transcript: Transcript,
    transcriptLine: PlacedLine,
    value: JsonValue,
    trialLine: StrictLine,
  ): void {
    const { scenario, variant, trial } = planned;
    const { seed, target, defense } = this.manifest;
    const world = this.corpus.worlds.get(scenario.world);
    if (world === undefined)
      throw new CliError(`${scenario.id}: there is no world "${scenario.world}"`);
    const theCase = instantiate(scenario, world, { seed, trial, variant });
    const broken = checkTranscript(theCase, transcript, digestJson);
    if (broken !== undefined) {
      const path = ['transcript', ...broken.path];
      this.findings.add({
        check: 'transcripts',
        file: transcriptLine.file,
        line: transcriptLine.number,
        byte: this.byteOf(transcriptLine, value, path, broken.expected),
        field: fieldName(path),
        message: `${describe(planned)}: ${fieldName(path)}: ${foundNot(broken.found, broken.expected)}: ${broken.why}`,
      });
    }
    this.results += transcript.entries.filter(({ type }) => type === 'call').length;
    const right = trialOf(theCase, transcript, judge(theCase, transcript), {
      target: target.name,
      defense: defense.name,
      digest: digestTranscript,
    });
    this.countIn(right);
    this.compareTrial(planned, right, trialLine);
  }

  private countIn(trial: Trial): void {
    this.count += 1;
    this.summary.add(trial);
    if (trial.modelId !== undefined) this.modelIds.add(trial.modelId);
    if (trial.judgement.outcome === 'error') this.errors += 1;
  }

  private compareTrial(planned: PlannedTrial, right: Trial, line: StrictLine): void {
    const wanted = Buffer.from(JSON.stringify(right));
    const byte = line.ended ? firstByte(wanted, line.bytes) : line.bytes.length;
    if (byte === undefined) return;
    const parsed = parseLine(line);
    const difference =
      'value' in parsed ? firstDifference(right as unknown as JsonValue, parsed.value) : undefined;
    const field = difference === undefined ? undefined : fieldName(difference.path);
    const digest = field === 'transcript';
    const said =
      'problem' in parsed
        ? parsed.problem
        : difference === undefined
          ? 'the line does not stand as it was written'
          : `${field ?? ''}: ${foundNot(difference.found, difference.expected)}: ${digest ? 'the transcript has another digest' : 'the transcript gives another value'}`;
    this.findings.add({
      check: digest ? 'digests' : 'judgements',
      file: 'trials.jsonl',
      line: line.number,
      byte: line.offset + byte,
      field,
      message: `${describe(planned)}: ${said}`,
    });
  }
}

/** Holds the trials of a run against plan, world and judge, streaming. */
export function checkTrials(
  folder: string,
  manifest: FinishedManifest,
  corpus: Corpus,
  findings: Findings,
  signal: AbortSignal | undefined,
): Promise<CheckedTrials> {
  return new Walk(manifest, corpus, findings).run(folder, signal);
}
