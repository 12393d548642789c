import type { DefenseAction, Message, ToolCall, ToolResult, ToolSpec, Usage } from './contracts.js';

/** What stood before the model when a turn began, as the harness made it and as the defense left it. */
export interface PromptEntry {
  readonly type: 'prompt';
  readonly session: number;
  readonly turn: number;
  /** Messages as the defense left them. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** True when the defense gave back what it got. */
  readonly untouched: boolean;
  readonly actions: readonly DefenseAction[];
}

/** One model call. */
export interface ModelEntry {
  readonly type: 'model';
  /** SHA-256 (hex) of the canonical JSON of the request's messages and tools. */
  readonly request: string;
  /**
   * Messages of the request that the turn's prompt and the results so far do not give: what
   * `beforeModel` put in or changed, by index in the request.
   */
  readonly edits: readonly { readonly index: number; readonly message: Message }[];
  /** Text before `afterModel`, then what the agent took. */
  readonly text: string;
  readonly seenText?: string;
  readonly calls: readonly ToolCall[];
  readonly stop: 'done' | 'calls' | 'length' | 'blocked';
  readonly actions: readonly DefenseAction[];
}

/** One call that the target proposed. */
export interface CallEntry {
  readonly type: 'call';
  readonly proposed: ToolCall;
  /** What was performed; null when it was blocked. */
  readonly effective: ToolCall | null;
  /** What the world gave, before the defense; null when nothing was performed. */
  readonly raw: ToolResult | null;
  /** What the target was given. */
  readonly seen: ToolResult;
  readonly actions: readonly DefenseAction[];
}

/** The text that closes a turn. */
export interface OutputEntry {
  readonly type: 'output';
  readonly session: number;
  readonly turn: number;
  /** Before `onOutput`. */
  readonly text: string;
  /** What the user received. */
  readonly seen: string;
  readonly actions: readonly DefenseAction[];
}

export type TranscriptEntry = PromptEntry | ModelEntry | CallEntry | OutputEntry;

export type StopReason =
  | 'done'
  | 'max_steps'
  | 'timeout'
  | 'error'
  | 'halted'
  | 'provider_blocked'
  | 'aborted';

/** Everything that happened in one trial. The judge needs the case and this, and nothing else. */
export interface Transcript {
  readonly entries: readonly TranscriptEntry[];
  readonly stop: StopReason;
  readonly error?: { readonly code: string; readonly message: string };
  readonly usage: Usage;
  readonly modelId?: string;
  /** True when the target has no place for `beforeModel` and `afterModel`. */
  readonly blackBox?: true;
  /** SHA-256 (hex) of the canonical JSON of the world's state at the end. */
  readonly finalState: string;
}
