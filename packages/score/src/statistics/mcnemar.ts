import { betaCdf, logGamma } from './beta-distribution.js';

export interface McNemarResult {
  /** Pairs with the event in the first run alone. */
  readonly first: number;
  /** Pairs with the event in the second run alone. */
  readonly second: number;
  /** Two-sided exact p-value: binomial(first + second, 1/2), twice the smaller tail, at most 1. */
  readonly exact: number;
  /** Two-sided mid-p value, less conservative; its error rate may pass the nominal one slightly. */
  readonly midP: number;
}

/**
 * McNemar's test (1947) on the discordant pairs, exact and mid-p as in Fagerland, Lydersen & Laake (2013).
 * It takes pairs as independent: with several pairs to a goal use {@link pairedPermutationTest}.
 *
 * @throws RangeError unless both counts are whole numbers from 0
 */
export function mcNemarTest(first: number, second: number): McNemarResult {
  for (const count of [first, second]) {
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new RangeError(`discordant pairs must be a whole number >= 0, found ${String(count)}`);
    }
  }
  const n = first + second;
  const fewer = Math.min(first, second);
  if (n === 0) return { first, second, exact: 1, midP: 1 };
  const point = Math.exp(
    logGamma(n + 1) - logGamma(fewer + 1) - logGamma(n - fewer + 1) - n * Math.LN2,
  );
  if (first === second) return { first, second, exact: 1, midP: 1 - point / 2 };
  const exact = Math.min(1, 2 * betaCdf(0.5, n - fewer, fewer + 1));
  return { first, second, exact, midP: Math.max(0, exact - point) };
}
