import type {
  EquivalenceResult,
  Interval,
  McNemarResult,
  PermutationResult,
} from '../statistics/index.js';

/** What two runs are compared in; each a share of paired trials. */
export const COMPARED = [
  'compromised',
  'compromised_given_reached',
  'utility_under_attack',
  'clean_utility',
  'over_refused',
] as const;
export type ComparedMetric = (typeof COMPARED)[number];

/** For which metrics more is worse. */
export const MORE_IS_WORSE: Readonly<Record<ComparedMetric, boolean>> = {
  compromised: true,
  compromised_given_reached: true,
  utility_under_attack: false,
  clean_utility: false,
  over_refused: true,
};

/** One metric over the pairs that both runs have. */
export interface MetricComparison {
  readonly metric: ComparedMetric;
  /** Pairs that count: both trials gave data, and where it is asked for, both were reached. */
  readonly pairs: number;
  /** Pairs left out because one of the two trials gave no data. */
  readonly missing: number;
  /** Share in the first run; null without pairs. */
  readonly first: number | null;
  readonly second: number | null;
  /** Second less first, in [-1, 1]; null without pairs. */
  readonly difference: number | null;
  /** Of the difference: for independent pairs, and clustered. */
  readonly intervals: readonly Interval[];
  /** What the clusters are, and how many there are. */
  readonly clusteredBy: 'goal' | 'task';
  readonly clusters: number;
  /** Exact and mid-p, as if pairs were independent. */
  readonly mcNemar: McNemarResult;
  /** By cluster: the test to read. */
  readonly permutation: PermutationResult;
  /** Holm's adjusted p-value of the permutation test over all metrics that have pairs; null without pairs. */
  readonly adjustedP: number | null;
  /** The adjusted p-value is at most 0.05. */
  readonly different: boolean;
  /** Least difference that this many pairs, clustered as they are, would show with a chance of 80 %; null when none would. */
  readonly detectable: number | null;
  readonly equivalence: EquivalenceResult;
}

/** A scenario whose trials came out otherwise in the second run. */
export interface ChangedScenario {
  readonly scenario: string;
  readonly variant: string;
  /** Trials in which the event was in the first run alone. */
  readonly gone: number;
  /** Trials in which it was in the second run alone. */
  readonly come: number;
}

/** Two runs of one corpus, paired by scenario, variant and trial. */
export interface Comparison {
  readonly schema: 1;
  readonly first: RunName;
  readonly second: RunName;
  /** Pairs, and trials that only one run has. */
  readonly pairs: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly metrics: readonly MetricComparison[];
  /** Attacks whose outcome changed, worse ones first; at most 50. */
  readonly changed: readonly ChangedScenario[];
  readonly notes: readonly string[];
}

export interface RunName {
  readonly name: string;
  readonly target: string;
  readonly defense: string;
}

export interface ComparisonOptions {
  readonly first: RunName;
  readonly second: RunName;
  /** Seed of bootstrap and permutations. */
  readonly seed?: number;
  /** At least 100; 10,000 unless given. */
  readonly resamples?: number;
  /** The difference that does not matter, as a share; 0.02 unless given. */
  readonly margin?: number;
  /** What else the reader should know of how the runs differ. */
  readonly notes?: readonly string[];
}
