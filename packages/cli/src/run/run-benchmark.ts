import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createReadStream } from 'node:fs';
import {
  type ChatModel,
  canonicalJson,
  type Defense,
  type JsonObject,
  type Target,
} from '@pab/model';
import { createSummary, JUDGE_VERSION, type Summary, type Trial } from '@pab/score';
import type { Budget } from './budget.js';
import type { Corpus } from './corpus.js';
import { type Executed, execute } from './execute.js';
import { inOrder } from './in-order.js';
import { manifestDigest, type RunManifest } from './manifest.js';
import { NothingReached, OutOfReach } from './out-of-reach.js';
import {
  manifestFile,
  RunFolder,
  readTrials,
  summaryFile,
  trialsFile,
  writeWhole,
} from './run-folder.js';
import { countTrials, planTrials, type Selection, select } from './selection.js';

/** One target against one defense over a corpus. */
export interface RunOptions {
  readonly corpus: Corpus;
  readonly corpusPaths?: readonly string[];
  readonly target: Target;
  readonly defense: Defense;
  /** The target is a simulated policy: its numbers test the harness. */
  readonly simulated?: boolean;
  readonly selection?: Selection;
  readonly trials?: number;
  readonly seed?: number;
  readonly maxSteps?: number;
  readonly timeoutMs?: number | undefined;
  readonly concurrency?: number;
  readonly provenance?: 'part' | 'message';
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
  readonly official?: boolean;
  /** For defenses that need a model. */
  readonly model?: ChatModel | undefined;
  readonly budget?: Budget | undefined;
  /**
   * Trials in a row that may fail on the way to the model; then the run stops, and they are run again on resume. 0, the
   * default, is any number.
   */
  readonly maxFailures?: number | undefined;
  /** Folder to write; nothing is written when absent. */
  readonly out?: string | undefined;
  readonly resume?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly elapsed: () => number;
  readonly now: () => Date;
  readonly version: string;
  readonly nodeVersion: string;
  /** Versions of the packages that make the run, for the manifest. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Bootstrap resamples of the summary. */
  readonly resamples?: number | undefined;
  /** Called after each trial, in order. */
  readonly onTrial?: (executed: Executed, done: number, planned: number) => void;
}

export interface RunResult {
  readonly summary: Summary;
  readonly planned: number;
  readonly done: number;
  readonly interrupted: boolean;
  /** Why trials failed, in words, with how many; the first twenty reasons. */
  readonly failures: readonly { readonly reason: string; readonly trials: number }[];
  /** Why the run stopped before its end: a budget ran out, or the model was not reached any more. */
  readonly stopped?: string;
  /** The model was not reached any more. */
  readonly unreached: boolean;
}

const DEFAULT_RESAMPLES = 2000;

/** Trials after which the event loop gets its turn. */
const TRIALS_A_TURN = 16;

const nextTurn = (): Promise<void> =>
  new Promise((resume) => {
    setImmediate(resume);
  });

/** Reasons of failure that a result names. */
const FAILURES = 20;

async function digestFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The selection as the manifest keeps it; also what `--resume` compares. */
function selectionData(selection: Selection): JsonObject {
  return JSON.parse(canonicalJson(selection)) as JsonObject;
}

function manifestOf(options: RunOptions): RunManifest {
  const { corpus, target, defense } = options;
  return {
    schema: 1,
    corpus: corpusCounts(corpus),
    target: {
      name: target.name,
      options: target.options ?? {},
      simulated: options.simulated ?? false,
    },
    defense: { name: defense.name, options: defense.options ?? {} },
    seed: options.seed ?? 0,
    trials: options.trials ?? 1,
    maxSteps: options.maxSteps ?? 15,
    timeoutMs: options.timeoutMs ?? null,
    provenance: options.provenance ?? 'part',
    resamples: options.resamples ?? DEFAULT_RESAMPLES,
    selection: selectionData(options.selection ?? {}),
    shard: options.shard ?? null,
    official: options.official ?? false,
    corpusPaths: options.corpus.bundled ? ['bundled'] : (options.corpusPaths ?? []),
    versions: {
      pab: options.version,
      judge: JUDGE_VERSION,
      node: options.nodeVersion,
      packages: options.packages ?? {},
    },
  };
}

/** The text of a finished manifest, sealed with its own digest. */
export function manifestText(manifest: RunManifest): string {
  const { result } = manifest;
  const sealed: RunManifest =
    result === undefined
      ? manifest
      : { ...manifest, result: { ...result, manifestSha256: manifestDigest(manifest) } };
  return `${JSON.stringify(sealed, null, 2)}\n`;
}

export function corpusCounts(corpus: Corpus): RunManifest['corpus'] {
  const attacks = corpus.scenarios.filter(({ kind }) => kind === 'attack').length;
  return {
    name: corpus.name,
    version: corpus.version,
    sha256: corpus.sha256,
    attacks,
    controls: corpus.scenarios.length - attacks,
  };
}

/**
 * Runs a benchmark: every trial of the plan in order, with bounded concurrency, judged as it comes, written as it comes. With the
 * same options the trials are the same bytes, however the run was interrupted or parallelised.
 */
export async function runBenchmark(options: RunOptions): Promise<RunResult> {
  // What cannot be run must not leave a folder behind.
  select(options.corpus.scenarios, options.selection ?? {});
  const manifest = manifestOf(options);
  const folder =
    options.out === undefined
      ? undefined
      : options.resume === true
        ? await RunFolder.resume(options.out, manifest)
        : await RunFolder.create(options.out, manifest);
  try {
    return await runInto(folder, manifest, options);
  } finally {
    await folder?.release();
  }
}

async function runInto(
  folder: RunFolder | undefined,
  manifest: RunManifest,
  options: RunOptions,
): Promise<RunResult> {
  const { corpus, selection = {}, trials = 1, seed = 0, shard, signal, budget } = options;
  const scenarios = select(corpus.scenarios, selection);
  const whole = countTrials(scenarios, { trials, twins: selection.twins });
  const mine = (index: number): boolean =>
    shard === undefined || index % shard.of === shard.index - 1;
  const planned = shard === undefined ? whole : Math.floor((whole - shard.index) / shard.of) + 1;
  const started = options.now();
  const startedMs = options.elapsed();
  const summary = createSummary({
    corpus: manifest.corpus,
    target: options.target.name,
    defense: options.defense.name,
    trials,
    seed,
    simulated: options.simulated ?? false,
    resamples: manifest.resamples,
  });
  const modelIds = new Set<string>();
  const failures = new Map<string, number>();
  let done = 0;
  let errors = 0;
  const count = (trial: Trial): void => {
    summary.add(trial);
    if (trial.modelId !== undefined) modelIds.add(trial.modelId);
    if (trial.judgement.outcome === 'error') errors += 1;
    if (trial.error !== undefined) {
      const reason = `${trial.error.code}: ${trial.error.message}`;
      // A hostile server could give another text every time.
      if (failures.has(reason) || failures.size < FAILURES) {
        failures.set(reason, (failures.get(reason) ?? 0) + 1);
      }
    }
    done += 1;
  };

  if (folder !== undefined && folder.done > 0 && options.out !== undefined) {
    for await (const trial of readTrials(options.out)) count(trial);
  }
  const before = done;
  function* remaining() {
    let skipped = 0;
    for (const trial of planTrials(scenarios, { trials, twins: selection.twins })) {
      if (!mine(trial.index)) continue;
      if (skipped < before) {
        skipped += 1;
        continue;
      }
      if (signal?.aborted === true || budget?.exhausted() !== undefined) return;
      yield trial;
    }
  }
  const giveUp = new AbortController();
  const ended = signal === undefined ? giveUp.signal : AbortSignal.any([signal, giveUp.signal]);
  // Every trial under way listens to it.
  setMaxListeners(0, ended);
  const outOfReach = new OutOfReach(options.maxFailures ?? 0);
  const executeOptions = {
    corpus,
    target: options.target,
    defense: options.defense,
    seed,
    maxSteps: options.maxSteps ?? 15,
    timeoutMs: options.timeoutMs,
    provenance: options.provenance ?? 'part',
    model: options.model,
    signal: ended,
    elapsed: options.elapsed,
  } as const;
  const keep = (executed: Executed): void => {
    count(executed.trial);
    folder?.add(executed);
    options.onTrial?.(executed, done, planned);
  };
  try {
    const running = inOrder(remaining(), (trial) => execute(trial, executeOptions), {
      concurrency: options.concurrency ?? 1,
    });
    for await (const executed of running) {
      // What was cut off by Ctrl-C is not data: it is run again on resume.
      if (signal?.aborted === true && executed.transcript.stop === 'aborted') break;
      budget?.spend(executed.trial);
      for (const one of outOfReach.next(executed)) keep(one);
      if (outOfReach.reason !== undefined) break;
      // Simulated policies wait for nothing, so Ctrl-C and timers would not be heard before the end.
      if (done % TRIALS_A_TURN === 0) await nextTurn();
    }
    // Of an interrupted run, nothing that failed last is data.
    if (signal?.aborted !== true && outOfReach.reason === undefined) {
      for (const one of outOfReach.rest()) keep(one);
    }
  } finally {
    giveUp.abort();
    folder?.close();
  }
  if (done === 0 && outOfReach.reason !== undefined && signal?.aborted !== true) {
    throw new NothingReached(
      `${outOfReach.reason}, the first ones of ${planned}, so nothing was measured`,
    );
  }
  const interrupted = signal?.aborted === true && done < planned;
  const unreached = !interrupted && outOfReach.reason !== undefined;
  const stopped =
    done < planned ? (unreached ? outOfReach.reason : budget?.exhausted()) : undefined;
  const wallSeconds = Math.round((options.elapsed() - startedMs) / 10) / 100;
  const finished = summary.finish({
    wallSeconds,
    costUsd: budget?.cost() ?? null,
    stopped:
      stopped !== undefined || interrupted ? `${done} of ${planned} trials were run` : undefined,
  });
  if (options.out !== undefined && folder !== undefined) {
    await writeWhole(summaryFile(options.out), `${JSON.stringify(finished, null, 2)}\n`);
    const complete: RunManifest = {
      ...manifest,
      result: {
        started: started.toISOString(),
        ended: options.now().toISOString(),
        planned,
        done,
        errors,
        modelIds: [...modelIds].toSorted(),
        trialsSha256: await digestFile(trialsFile(options.out)),
        manifestSha256: '',
      },
    };
    await writeWhole(manifestFile(options.out), manifestText(complete));
  }
  return {
    summary: finished,
    planned,
    done,
    interrupted,
    unreached,
    failures: [...failures].map(([reason, failed]) => ({ reason, trials: failed })),
    ...(stopped === undefined ? {} : { stopped }),
  };
}
