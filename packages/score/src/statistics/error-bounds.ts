import { type Counts, checkCounts } from './rate.js';

export interface ErrorBounds {
  /** The rate if every missing trial had been without the event; null without any trial. */
  readonly low: number | null;
  /** The rate if every missing trial had shown the event; null without any trial. */
  readonly high: number | null;
  /** Trials that failed and count in neither `k` nor `n`. */
  readonly errors: number;
  /** Share of all trials that failed; null without any trial. */
  readonly share: number | null;
  /** Whether more failed than the limit allows: the run is then incomplete. */
  readonly incomplete: boolean;
}

/**
 * What missing trials could have done to a rate (Manski's worst-case bounds): all errors good, all errors bad.
 *
 * @param limit share of errors above which a run is incomplete; 0.05 unless given
 */
export function errorBounds(
  counts: Counts,
  errors: number,
  { limit = 0.05 }: { readonly limit?: number } = {},
): ErrorBounds {
  checkCounts(counts);
  checkCounts({ k: errors, n: errors });
  const all = counts.n + errors;
  if (all === 0) return { low: null, high: null, errors, share: null, incomplete: false };
  return {
    low: counts.k / all,
    high: (counts.k + errors) / all,
    errors,
    share: errors / all,
    incomplete: errors / all > limit,
  };
}
