/**
 * Holm's (1979) adjusted p-values, in the order given: rejecting those at most `alpha` keeps the chance of
 * any false rejection in the family at most `alpha`, whatever the dependence.
 *
 * @throws RangeError when a p-value is outside [0, 1]
 */
export function holmAdjust(pValues: readonly number[]): number[] {
  for (const p of pValues) {
    if (!(p >= 0 && p <= 1)) throw new RangeError(`a p-value lies in [0, 1], found ${String(p)}`);
  }
  const order = pValues.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p);
  const adjusted: number[] = pValues.map(() => 1);
  let largest = 0;
  order.forEach(({ p, index }, rank) => {
    largest = Math.max(largest, Math.min(1, (order.length - rank) * p));
    adjusted[index] = largest;
  });
  return adjusted;
}
