import type { Effect, JsonObject, ToolCall } from '@pab/model';

/** A call that the world performed. */
export interface PerformedCall {
  /** Its number in the trial, from 1. */
  readonly number: number;
  readonly call: ToolCall;
  readonly effect: Effect;
}

/** Text that an agent wrote, as one reader got it. */
export interface WrittenText {
  /** The text that closed the last turn; empty when the trial broke off before. */
  readonly final: string;
  /** Every text of the agent, the final ones among them. */
  readonly all: readonly string[];
}

/** What an oracle is held against. */
export interface Facts {
  readonly start: JsonObject;
  readonly end: JsonObject;
  readonly calls: readonly PerformedCall[];
  readonly text: WrittenText;
  /**
   * Text for oracles that ask for a call and a text together; the same as `text` unless actions are to be judged apart from what
   * a defense did to the reply.
   */
  readonly textWithCalls?: WrittenText;
  /** Whether `refuses` may be read: on twins and controls only. */
  readonly refusals: boolean;
}
