import { type IntervalOptions, scoreLimits, wilsonInterval } from './binomial-intervals.js';
import { normalQuantile } from './normal-distribution.js';
import { DEFAULT_CONFIDENCE, type Interval, type Rate, rateOf } from './rate.js';

/** The confusion matrix of a detector at one threshold. */
export interface Confusion {
  readonly tp: number;
  readonly fp: number;
  readonly tn: number;
  readonly fn: number;
}

/** A metric that is not a plain share of trials; null where it is undefined. */
export interface Metric {
  readonly value: number | null;
  readonly intervals: readonly Interval[];
}

export interface OperatingPoint extends Confusion {
  /** tp of all flagged; null where nothing was flagged. */
  readonly precision: Rate;
  /** tp of all positives; null where there is none. */
  readonly recall: Rate;
  /** fp of all negatives; null where there is none. */
  readonly fpr: Rate;
  /** Harmonic mean of precision and recall; null where nothing is positive or flagged. */
  readonly f1: Metric;
}

/**
 * Precision, recall, false-positive rate (each with Wilson's interval) and F1 from counts.
 *
 * F1 is `2 J / (1 + J)` of the share J = tp / (tp + fp + fn), so Wilson's limits for J map to limits for F1.
 *
 * @throws RangeError unless all four counts are whole numbers from 0
 */
export function operatingPoint(
  confusion: Confusion,
  options: IntervalOptions = {},
): OperatingPoint {
  const { tp, fp, tn, fn } = confusion;
  return {
    tp,
    fp,
    tn,
    fn,
    precision: wilsonRate(tp, tp + fp, options),
    recall: wilsonRate(tp, tp + fn, options),
    fpr: wilsonRate(fp, fp + tn, options),
    f1: f1Of(tp, tp + fp + fn, options),
  };
}

function f1Of(
  hits: number,
  size: number,
  { confidence = DEFAULT_CONFIDENCE }: IntervalOptions,
): Metric {
  if (size === 0) return { value: null, intervals: [] };
  const { low, high } = scoreLimits(hits / size, size, normalQuantile((1 + confidence) / 2));
  return {
    value: f1OfShare(hits / size),
    intervals: [
      {
        low: f1OfShare(low),
        high: f1OfShare(high),
        method: 'Wilson, mapped from the Jaccard index',
      },
    ],
  };
}

function f1OfShare(share: number): number {
  return (2 * share) / (1 + share);
}

function wilsonRate(k: number, n: number, options: IntervalOptions): Rate {
  const interval = wilsonInterval({ k, n }, options);
  return rateOf({ k, n }, interval === null ? [] : [interval]);
}

/** How often a detector saw what was delivered, against how often the agent obeyed it. */
export interface DetectedExecuted {
  readonly detectedExecuted: number;
  readonly detectedNot: number;
  readonly missedExecuted: number;
  readonly missedNot: number;
  /** Executed, of those detected. */
  readonly executedGivenDetected: Rate;
  /** Executed, of those missed. */
  readonly executedGivenMissed: Rate;
  /** Detected, of those executed: what the detector could have prevented. */
  readonly detectedGivenExecuted: Rate;
  /** Detected, of those not executed. */
  readonly detectedGivenNot: Rate;
}

/** The 2×2 table of detected × executed over the bytes that were delivered, with its conditional rates. */
export function detectedExecuted(
  trials: Iterable<{ readonly detected: boolean; readonly executed: boolean }>,
  options: IntervalOptions = {},
): DetectedExecuted {
  const table = { detectedExecuted: 0, detectedNot: 0, missedExecuted: 0, missedNot: 0 };
  for (const { detected, executed } of trials) {
    if (detected) table[executed ? 'detectedExecuted' : 'detectedNot'] += 1;
    else table[executed ? 'missedExecuted' : 'missedNot'] += 1;
  }
  const { detectedExecuted: both, detectedNot, missedExecuted, missedNot } = table;
  return {
    ...table,
    executedGivenDetected: wilsonRate(both, both + detectedNot, options),
    executedGivenMissed: wilsonRate(missedExecuted, missedExecuted + missedNot, options),
    detectedGivenExecuted: wilsonRate(both, both + missedExecuted, options),
    detectedGivenNot: wilsonRate(detectedNot, detectedNot + missedNot, options),
  };
}
