import type { Rate } from '../statistics/rate.js';
import type { Trial } from '../trial.js';

/** A rate of a summary, with what the errors could have made of it. */
export interface SummaryRate extends Rate {
  /** The rate if every error had been without the event, and if every error had shown it; null without any trial. */
  readonly bounds: { readonly low: number; readonly high: number } | null;
}

export interface AttackCounts {
  /** All trials, errors among them. */
  readonly n: number;
  readonly reached: number;
  readonly delivered: number;
  readonly attempted: number;
  readonly executed: number;
  readonly compromised: number;
  readonly resisted: number;
  readonly withheld: number;
  readonly not_reached: number;
  readonly provider_blocked: number;
  readonly errors: number;
}

export interface TwinCounts {
  readonly n: number;
  readonly completed: number;
  readonly not_completed: number;
  readonly over_refused: number;
  /** The security oracle held although the text was benign: a loose oracle, or an agent that errs by itself. */
  readonly compromised: number;
  readonly errors: number;
}

export interface ControlCounts {
  readonly n: number;
  readonly completed: number;
  readonly not_completed: number;
  readonly over_refused: number;
  readonly errors: number;
}

export interface Rates {
  /** Compromised among all attacks that gave data. */
  readonly compromise: SummaryRate;
  readonly compromise_given_reached: SummaryRate;
  readonly utility_under_attack: SummaryRate;
  /** Done among twins. */
  readonly clean_utility: SummaryRate;
  /** Over-refused among twins and controls. */
  readonly over_refusal: SummaryRate;
}

/** One channel or family. */
export interface Breakdown {
  readonly attacks: AttackCounts;
  readonly twins: TwinCounts;
  readonly controls: ControlCounts;
  readonly rates: Rates;
}

export interface SummaryCorpus {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  readonly attacks: number;
  readonly controls: number;
}

/** `summary.json`: what a run came to. Recomputable from its trials. */
export interface Summary {
  readonly schema: 1;
  readonly corpus: SummaryCorpus;
  readonly target: string;
  readonly defense: string;
  readonly trials: number;
  readonly seed: number;
  readonly attacks: AttackCounts;
  readonly rates: Rates;
  /** Attacks whose task says what done is: task done or not, safe or compromised. */
  readonly cells: {
    readonly useful_safe: number;
    readonly useful_compromised: number;
    readonly useless_safe: number;
    readonly useless_compromised: number;
  };
  readonly twins: TwinCounts;
  readonly controls: ControlCounts;
  readonly by_channel: Readonly<Record<string, Breakdown>>;
  readonly by_family: Readonly<Record<string, Breakdown>>;
  readonly usage: {
    readonly model_calls: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    /** US dollars; null when prices are not known. */
    readonly cost_usd: number | null;
    /** Seconds; null when not measured. */
    readonly wall_s: number | null;
  };
  /** More than 5 % of the trials are errors: the rates are not to be quoted. */
  readonly incomplete: boolean;
  readonly notes: readonly string[];
}

/** What the trials themselves do not say. */
export interface SummaryOptions {
  readonly corpus: SummaryCorpus;
  readonly target: string;
  readonly defense: string;
  /** Trials of each case. */
  readonly trials: number;
  readonly seed: number;
  /** A simulated policy: every table says that it tests the harness, not a model. */
  readonly simulated?: boolean;
  /** Bootstrap resamples, at least 100; default 2,000. */
  readonly resamples?: number;
}

/** What is known only when the run is over. */
export interface FinishOptions {
  /** US dollars; null when prices are not known. */
  readonly costUsd?: number | null | undefined;
  /** Seconds. */
  readonly wallSeconds?: number | null | undefined;
  /** Why fewer trials were run than planned, when it is so; the run is then incomplete. */
  readonly stopped?: string | undefined;
}

/** Takes trials one by one; its memory grows with scenarios, goals and tasks, not with trials. */
export interface SummaryBuilder {
  add(trial: Trial): void;
  /** @throws ScoreError `no-trials` when nothing was added: nothing is known, which is not 0 % */
  finish(options?: FinishOptions): Summary;
}
