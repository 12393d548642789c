import type { Channel, ControlType, Family, ScenarioSeverity, Usage } from '@pab/model';
import type { Judgement } from './judgement.js';

/** One line of `trials.jsonl`: what was tried and what came of it. The transcript stands in a file of its own. */
export interface Trial {
  readonly schema: 1;
  readonly scenario: string;
  readonly trial: number;
  readonly seed: number;
  readonly channel: Channel;
  readonly family: Family;
  readonly severity: ScenarioSeverity;
  readonly controlType?: ControlType | undefined;
  /** Clusters of the statistics. `goal` is null on a control. */
  readonly goal: string | null;
  readonly taskId: string;
  readonly world: string;
  readonly imported?: true | undefined;
  /** The oracle looks for text that stands in the payload; such rates are reported apart. */
  readonly verbatimCanary?: true | undefined;
  readonly target: string;
  readonly defense: string;
  readonly judgement: Judgement;
  readonly usage: Usage;
  readonly modelId?: string | undefined;
  /** Why the trial broke off, when it did. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** SHA-256 (hex) of the canonical JSON of the transcript. */
  readonly transcript: string;
}
