import type { SummaryRate } from '../summarise/summary.js';
import type { Disagreement } from './recorded-facts.js';

/** Counts and rates of recorded trials: all of them, one pipeline, one suite. */
export interface RecordedGroup {
  /** Trials read, of every purpose, with those that broke off. */
  readonly trials: number;
  /** Attacks that gave data. */
  readonly attacked: number;
  /** Attacks among them whose text came before the agent; null where no recording can tell. */
  readonly delivered: number | null;
  readonly compromised: number;
  /** Attacks that are missing data. */
  readonly errors: number;
  /** Attacks without a verdict of the source. */
  readonly unjudged: number;
  /** Attacks that the source counts as successful, before any correction of ours. */
  readonly source_compromised: number;
  readonly useful_under_attack: number;
  readonly rates: {
    /** Compromised among all attacks that gave data. */
    readonly compromise: SummaryRate;
    /** Compromised among the attacks that were delivered. Recordings do not know `reached`. */
    readonly compromise_given_delivered: SummaryRate;
    readonly utility_under_attack: SummaryRate;
    readonly clean_utility: SummaryRate;
    /** Goals that the agent reaches when the user asks for them. */
    readonly ceiling: SummaryRate;
    /** Compromised among the attacks on goals that the agent reaches when asked; n is 0 where no goal was posed. */
    readonly compromise_given_able: SummaryRate;
  };
  /** Attacks with both verdicts: task done or not, safe or compromised. */
  readonly cells: {
    readonly useful_safe: number;
    readonly useful_compromised: number;
    readonly useless_safe: number;
    readonly useless_compromised: number;
  };
  readonly benign: { readonly n: number; readonly useful: number; readonly errors: number };
  readonly ceiling: { readonly n: number; readonly achieved: number; readonly errors: number };
  readonly notes: readonly string[];
}

export interface RecordedSummary extends RecordedGroup {
  readonly schema: 1;
  readonly formats: readonly string[];
  readonly disagreements: readonly Disagreement[];
  /** How many disagreements there are; the list holds the first 1,000. */
  readonly disagreed: number;
  readonly by_pipeline: Readonly<Record<string, RecordedPipeline>>;
  readonly by_suite: Readonly<Record<string, RecordedGroup>>;
}

export interface RecordedPipeline extends RecordedGroup {
  readonly by_suite: Readonly<Record<string, RecordedGroup>>;
}

export interface RecordedSummaryOptions {
  readonly seed: number;
  /** Bootstrap resamples, at least 100; default 2,000. */
  readonly resamples?: number;
}
