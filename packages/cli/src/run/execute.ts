import { runTrial } from '@pab/adapters';
import {
  type ChatModel,
  type Defense,
  instantiate,
  randomFrom,
  type Target,
  type Transcript,
} from '@pab/model';
import { judge, type Trial, trialOf } from '@pab/score';
import { CliError } from '../errors.js';
import type { Corpus } from './corpus.js';
import { digestJson, digestText, transcriptText } from './run-digests.js';
import type { PlannedTrial } from './selection.js';

/** What every trial of a run shares. */
export interface ExecuteOptions {
  readonly corpus: Corpus;
  readonly target: Target;
  readonly defense: Defense;
  readonly seed: number;
  readonly maxSteps: number;
  readonly timeoutMs?: number | undefined;
  readonly provenance: 'part' | 'message';
  readonly model?: ChatModel | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
}

export interface Executed {
  readonly index: number;
  readonly trial: Trial;
  readonly transcript: Transcript;
  /** The transcript as the run folder has it, which is also what the trial's digest is of. */
  readonly transcriptJson: string;
  readonly ms: number;
}

/** Runs and judges one trial. Only a broken corpus makes it reject: what a target does is data. */
export async function execute(planned: PlannedTrial, options: ExecuteOptions): Promise<Executed> {
  const { scenario, variant, trial, index } = planned;
  const { corpus, target, defense, seed } = options;
  const world = corpus.worlds.get(scenario.world);
  if (world === undefined)
    throw new CliError(`${scenario.id}: there is no world "${scenario.world}"`);
  const theCase = instantiate(scenario, world, { seed, trial, variant });
  const started = options.elapsed();
  const transcript = await runTrial(theCase, target, defense, {
    maxSteps: options.maxSteps,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.model === undefined ? {} : { model: options.model }),
    provenance: options.provenance,
    random: randomFrom(`pab-trial-1\n${scenario.id}\n${variant}\n${seed}\n${trial}`),
    digest: digestJson,
  });
  const ms = options.elapsed() - started;
  const transcriptJson = transcriptText(transcript);
  return {
    index,
    transcript,
    transcriptJson,
    ms,
    trial: trialOf(theCase, transcript, judge(theCase, transcript), {
      target: target.name,
      defense: defense.name,
      digest: () => digestText(transcriptJson),
    }),
  };
}
