/** An interval at 95 %, as shares from 0 to 1. `method` names the estimator and its clusters. */
export interface SummaryInterval {
  readonly low: number;
  readonly high: number;
  readonly method: string;
}

/** A share with its counts; `value` is null when nothing was counted. */
export interface Rate {
  readonly value: number | null;
  readonly k: number;
  readonly n: number;
  readonly intervals: readonly SummaryInterval[];
  /** What it would be had every error gone well, and had every error gone badly, whichever is lower first; null when n and errors are 0. */
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
  readonly compromise: Rate;
  readonly compromise_given_reached: Rate;
  readonly utility_under_attack: Rate;
  /** Done among twins. */
  readonly clean_utility: Rate;
  /** Over-refused among twins and controls. */
  readonly over_refusal: Rate;
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
  readonly costUsd?: number | null;
  readonly wallSeconds?: number | null;
  /** Bootstrap resamples; default 2,000. */
  readonly resamples?: number;
}
