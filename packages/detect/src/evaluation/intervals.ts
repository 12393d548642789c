import { amount } from '../check-result.js';

/** An interval of a rate. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** How it was computed, e.g. `wilson-95`. */
  readonly method: string;
}

const Z95 = 1.959963984540054;

/** 95 % Wilson interval of k of n; undefined for n = 0. */
export function wilson(k: number, n: number): Interval | undefined {
  amount(k, 'k');
  amount(n, 'n');
  if (n <= 0) return undefined;
  const rate = k / n;
  const z2 = Z95 * Z95;
  const center = (rate + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt((rate * (1 - rate)) / n + z2 / (4 * n * n));
  return {
    low: k === 0 ? 0 : Math.max(0, center - half),
    high: k === n ? 1 : Math.min(1, center + half),
    method: 'wilson-95',
  };
}

function f1OfJaccard(jaccard: number): number {
  return (2 * jaccard) / (1 + jaccard);
}

function expit(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/**
 * 95 % interval of F1. F1 is 2J / (1 + J) of the Jaccard index J = tp / (tp + fp + fn), which is a
 * rate; the ends of its Wilson interval are carried over.
 */
export function f1Interval(tp: number, wrong: number): Interval | undefined {
  amount(tp, 'tp');
  amount(wrong, 'wrong');
  const jaccard = wilson(tp, tp + wrong);
  if (jaccard === undefined) return undefined;
  return {
    low: f1OfJaccard(jaccard.low),
    high: f1OfJaccard(jaccard.high),
    method: 'wilson-95 of Jaccard',
  };
}

/**
 * 95 % logit interval of an area under a precision-recall curve, after Boyd, Eng and Page 2013,
 * which holds its coverage where the binomial one does not.
 */
export function areaInterval(area: number, positives: number): Interval | undefined {
  amount(area, 'the area');
  amount(positives, 'positives');
  if (positives <= 0) return undefined;
  // Half a row away from 0 and 1, where the logit has no value.
  const held = Math.min(Math.max(area, 0.5 / positives), 1 - 0.5 / positives);
  if (!(held > 0 && held < 1)) return { low: 0, high: 1, method: 'logit-95' };
  const center = Math.log(held / (1 - held));
  const half = Z95 / Math.sqrt(positives * held * (1 - held));
  return {
    low: Math.min(area, expit(center - half)),
    high: Math.max(area, expit(center + half)),
    method: 'logit-95',
  };
}
