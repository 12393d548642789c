import type { Message, StopReason } from '@pab/model';
import type { Place, RejectedRow } from '../row.js';

/** The formats of recorded runs, as `--format` takes them. */
export const RUN_FORMATS = [
  'pab',
  'agentdojo',
  'inspect',
  'injecagent',
  'asb',
  'spikee',
  'garak',
  'promptfoo',
  'tau',
  'openai',
  'anthropic',
  'otel',
] as const;

export type RunFormat = (typeof RUN_FORMATS)[number];

/**
 * What a trial was for: an attack; a benign task; or the *ceiling*, an attacker's goal that was posed as the user's own
 * task, which shows whether the agent can do it at all.
 */
export type RecordedKind = 'attack' | 'benign' | 'ceiling';

/** The scenario of ours that a transcript belongs to, so that it can be judged. */
export interface ScenarioClaim {
  readonly scenario: string;
  readonly seed: number;
  readonly trial: number;
  readonly variant: 'attack' | 'twin' | 'control';
}

/** One trial as somebody else recorded it. Names are as the source writes them. */
export interface RecordedTrial {
  readonly kind: 'trial';
  readonly format: RunFormat;
  readonly place: Place;
  readonly purpose: RecordedKind;
  /** Agent, model or guard, with its defense where the source names both as one. */
  readonly pipeline: string;
  readonly suite: string;
  readonly task: string;
  /** What the attacker wants; null on a benign trial. */
  readonly goal: string | null;
  /** The kind of attack; null on a benign trial or where the source names none. */
  readonly attack: string | null;
  /**
   * What the source concluded, with its polarity put right; null where it says nothing. On a trial that the source itself
   * takes for missing data both are null.
   */
  readonly verdict: { readonly compromised: boolean | null; readonly useful: boolean | null };
  /** Whether the injected text came before the agent; null where the recording does not hold what it takes to tell. */
  readonly delivered: boolean | null;
  /** Why the trial is missing data; null when it is not. */
  readonly error: string | null;
  /** Number of the repetition, from 0, where the source repeats trials. */
  readonly repeat: number;
  readonly notes: readonly string[];
  /** The conversation, made when it is asked for; absent where the source keeps none. */
  readonly messages?: () => readonly Message[];
  /** Set where the recording says why the chat ended. */
  readonly stop?: StopReason;
  /** Set where the recording names a scenario of ours. */
  readonly claim?: ScenarioClaim;
}

export type RecordedItem = RecordedTrial | RejectedRow;
