import type { SummaryRate } from '@pab/score';

/** A share as people read it: `12.5 %`; `n/a` where nothing was counted. */
export function percent(value: number | null): string {
  return value === null ? 'n/a' : `${(value * 100).toFixed(value === 1 ? 0 : 1)} %`;
}

const short = (share: number): string => (share * 100).toFixed(1).replace(/\.0$/, '');

/**
 * A rate with an interval in brackets: `12.5 [8.2-18.9]`, in percent. The widest interval is shown: a table that is read at a
 * glance should not promise more than the most careful estimator does.
 */
export function withInterval({ value, intervals }: SummaryRate): string {
  if (value === null) return 'n/a';
  const widest = intervals.toSorted((a, b) => b.high - b.low - (a.high - a.low))[0];
  return widest === undefined
    ? short(value)
    : `${short(value)} [${short(widest.low)}-${short(widest.high)}]`;
}
