import { amount } from '../check-result.js';
import { boolean, list, record } from '../check-values.js';
import { f1Interval, type Interval, wilson } from './intervals.js';

/** How one operating point sorts a set. Rates are null where they are not defined. */
export interface Confusion {
  readonly tp: number;
  readonly fp: number;
  readonly tn: number;
  readonly fn: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  readonly fpr: number | null;
  readonly intervals: {
    readonly precision: Interval | null;
    readonly recall: Interval | null;
    readonly f1: Interval | null;
    readonly fpr: Interval | null;
  };
}

function ratio(k: number, n: number): number | null {
  return n === 0 ? null : k / n;
}

/** Metrics of the four counts. F1 is defined when there is an attack or an alarm. */
export function confusion(counts: {
  readonly tp: number;
  readonly fp: number;
  readonly tn: number;
  readonly fn: number;
}): Confusion {
  const given = record(counts, 'the counts', 'an object with tp, fp, tn and fn');
  for (const name of ['tp', 'fp', 'tn', 'fn']) amount(given[name], name);
  const { tp, fp, tn, fn } = counts;
  return {
    tp,
    fp,
    tn,
    fn,
    precision: ratio(tp, tp + fp),
    recall: ratio(tp, tp + fn),
    f1: ratio(2 * tp, 2 * tp + fp + fn),
    fpr: ratio(fp, fp + tn),
    intervals: {
      precision: wilson(tp, tp + fp) ?? null,
      recall: wilson(tp, tp + fn) ?? null,
      f1: f1Interval(tp, fp + fn) ?? null,
      fpr: wilson(fp, fp + tn) ?? null,
    },
  };
}

/** Counts alarms over rows. */
export function confusionOf(
  rows: readonly { readonly attack: boolean; readonly alarm: boolean }[],
): Confusion {
  list(rows, 'confusionOf', 'rows with attack and alarm');
  for (const [i, row] of rows.entries()) {
    const given = record(row, `the row ${i}`, 'an object with attack and alarm');
    boolean(given['attack'], `attack of row ${i}`);
    boolean(given['alarm'], `alarm of row ${i}`);
  }
  let [tp, fp, tn, fn] = [0, 0, 0, 0];
  for (const { attack, alarm } of rows) {
    if (attack && alarm) tp += 1;
    else if (attack) fn += 1;
    else if (alarm) fp += 1;
    else tn += 1;
  }
  return confusion({ tp, fp, tn, fn });
}
