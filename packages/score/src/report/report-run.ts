import type { JsonObject } from '@pab/model';
import type { Summary, SummaryRate } from '../summarise/summary.js';
import type { Trial } from '../trial.js';

/** A run as reports describe it: its summary, and what its manifest says of how it was made. */
export interface ReportRun {
  readonly name: string;
  readonly summary: Summary;
  readonly targetOptions: JsonObject;
  readonly defenseOptions: JsonObject;
  /** A simulated policy: its numbers test the harness, not a model. */
  readonly simulated: boolean;
  readonly official: boolean;
  readonly judge: string;
  /** Version of the tool that ran it. */
  readonly version: string;
  readonly maxSteps: number;
  readonly modelIds: readonly string[];
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly ended: string;
}

/** What is wrong with a trial, when something is: what reports list. */
export type Fault = 'compromised' | 'over_refused' | 'error';

export function faultOf({ judgement }: Trial): Fault | undefined {
  const { outcome } = judgement;
  return outcome === 'compromised' || outcome === 'over_refused' || outcome === 'error'
    ? outcome
    : undefined;
}

/** `em-de-001, attack, trial 0` */
export function trialName({ scenario, trial, judgement }: Trial): string {
  return `${scenario}, ${judgement.variant}, trial ${trial}`;
}

/** A share in percent with one decimal; `n/a` where nothing was counted. */
export function percent(share: number | null): string {
  return share === null ? 'n/a' : `${(share * 100).toFixed(1).replace(/\.0$/, '')} %`;
}

/** The widest interval of a rate: a number read at a glance should not promise more than the most careful estimator. */
export function widestInterval({
  intervals,
}: SummaryRate): SummaryRate['intervals'][number] | undefined {
  return intervals.toSorted((a, b) => b.high - b.low - (a.high - a.low))[0];
}

const number = (share: number): string => (share * 100).toFixed(1).replace(/\.0$/, '');

/** `12.5 % (8.2–18.9)` */
export function rateText(rate: SummaryRate): string {
  const interval = widestInterval(rate);
  if (rate.value === null || interval === undefined) return percent(rate.value);
  return `${percent(rate.value)} (${number(interval.low)}–${number(interval.high)})`;
}

/** The headline rates in the order in which reports show them. */
export const HEADLINES = [
  ['compromise_given_reached', 'Compromised, given reached'],
  ['compromise', 'Compromised, of all attacks'],
  ['utility_under_attack', 'Useful under attack'],
  ['clean_utility', 'Clean utility'],
  ['over_refusal', 'Over-refusal'],
] as const satisfies readonly (readonly [keyof Summary['rates'], string])[];
