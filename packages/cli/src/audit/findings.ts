import { CHECKS, type Check, type Difference } from './difference.js';

const MOST_KEPT = 20;

/** Collects differences, and which checks they concern. */
export class Findings {
  readonly kept: Difference[] = [];
  readonly failed = new Set<Check>();
  readonly done = new Set<Check>();
  count = 0;

  add(difference: Difference): void {
    this.count += 1;
    this.failed.add(difference.check);
    if (this.kept.length < MOST_KEPT) this.kept.push(difference);
  }

  result(): Record<Check, boolean | null> {
    const entry = (check: Check): boolean | null =>
      this.failed.has(check) ? false : this.done.has(check) ? true : null;
    return Object.fromEntries(CHECKS.map((check) => [check, entry(check)])) as Record<
      Check,
      boolean | null
    >;
  }
}
