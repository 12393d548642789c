/**
 * The smallest threshold at which at most `budget` (a share) of the benign probabilities lie at or
 * above it, and not below `floor`. It is rounded up to six decimals, so that a file holds it exactly.
 */
export function thresholdFor(
  benign: readonly number[],
  { budget, floor }: { readonly budget: number; readonly floor: number },
): number {
  const allowed = Math.floor(budget * benign.length);
  const first = benign.toSorted((a, b) => b - a)[allowed];
  if (first === undefined) return floor;
  const above = (Math.floor(first * 1e6) + 1) / 1e6;
  return Math.min(1, Math.max(floor, above));
}
