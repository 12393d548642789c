import { createHash } from 'node:crypto';
import { runTrial } from '@pab/adapters';
import {
  type ChatModel,
  canonicalJson,
  type Defense,
  instantiate,
  randomFrom,
  type Target,
  type Transcript,
  type TranscriptEntry,
} from '@pab/model';
import { judge, type Trial, trialOf } from '@pab/score';
import { CliError } from '../errors.js';
import type { Corpus } from './corpus.js';
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

const digestText = (text: string): string => createHash('sha256').update(text).digest('hex');

// A model request holds every message before it again, and the tools: each is written out once. They are replaced, never changed in place.
const written = new WeakMap<object, string>();

function canonicalOnce(value: unknown): string {
  if (typeof value !== 'object' || value === null) return canonicalJson(value);
  const held = written.get(value);
  if (held !== undefined) return held;
  const made = canonicalJson(value);
  written.set(value, made);
  return made;
}

/** The same as `canonicalJson`, put together from the messages when the value is a request. */
function canonicalOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return canonicalJson(value);
  const { messages, tools } = value as { readonly [key: string]: unknown };
  if (!Array.isArray(messages) || !Array.isArray(tools) || Object.keys(value).length !== 2) {
    return canonicalJson(value);
  }
  return `{"messages":[${messages.map(canonicalOnce).join(',')}],"tools":${canonicalOnce(tools)}}`;
}

/** Digest of a value's canonical JSON: of requests and states, whose keys may have come in any order. */
export const digestJson = (value: unknown): string => digestText(canonicalOf(value));

// Half of a transcript is the tools of its prompts, which many trials share.
const toolTexts = new WeakMap<object, string>();

function toolText(tools: object): string {
  const held = toolTexts.get(tools);
  if (held !== undefined) return held;
  const made = JSON.stringify(tools);
  toolTexts.set(tools, made);
  return made;
}

/** JSON text, or nothing for what an object leaves out; the types of `JSON.stringify` do not say so. */
function textOf(value: unknown): string | undefined {
  return JSON.stringify(value);
}

/** Fields in their order, as `JSON.stringify` writes them, with `write` for the one that is named. */
function fieldsText<T extends object, Key extends keyof T & string>(
  value: T,
  named: Key,
  write: (field: T[Key]) => string,
): string {
  const fields: string[] = [];
  for (const [key, field] of Object.entries(value)) {
    const text = key === named ? write(value[named]) : textOf(field);
    if (text !== undefined) fields.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${fields.join(',')}}`;
}

function entryText(entry: TranscriptEntry): string {
  return entry.type === 'prompt' ? fieldsText(entry, 'tools', toolText) : JSON.stringify(entry);
}

/** The same text as `JSON.stringify`. */
function transcriptText(transcript: Transcript): string {
  return fieldsText(transcript, 'entries', (entries) => `[${entries.map(entryText).join(',')}]`);
}

/** Digest of the JSON text of a transcript, which is also its text in the run folder: the bytes are digested as they are written. */
export const digestTranscript = (transcript: unknown): string =>
  digestText(JSON.stringify(transcript));

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
