import type { CallOptions, Case, Message, Session, TargetResult, Task } from '@pab/model';

/**
 * What only targets of this package get, and only when `runTrial` gives it: the case with its plans. The key is a
 * unique symbol that the package does not export, so no real target can ask for it.
 */
export const harness: unique symbol = Symbol('pab harness access');

export interface HarnessAccess {
  readonly case: Case;
  /** Whether every injected text was legible in what the target was given so far. */
  delivered(): boolean;
  /** Whether the defense told the target that some text is not to be trusted: by its log, or by system text that it added. */
  announced(): boolean;
  /** The conversation as the target has it, for targets that keep none of their own. */
  messages(): readonly Message[];
  /** True when the defense has a hook around model calls, which a simulated policy then goes through. */
  readonly modelHooks: boolean;
}

export type RunTurn = (
  task: Task,
  session: Session,
  options?: CallOptions,
) => Promise<TargetResult>;

/** A target that follows the case itself. `[harness]` is called once a trial, `run` of what it gives once a turn. */
export interface HarnessTarget {
  readonly [harness]: (access: HarnessAccess) => RunTurn;
}

export function isHarnessTarget(target: object): target is HarnessTarget {
  return harness in target;
}
