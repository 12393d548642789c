/**
 * Share of benign texts that may be findings, and the least threshold: the verdict follows from the finding alone from
 * 35·p ≥ 19.5 (medium severity) and 60·p ≥ 49.5 (high) on.
 */
export const SUSPICIOUS_CUT = { budget: 0.01, floor: 0.56 };
export const MALICIOUS_CUT = { budget: 0.002, floor: 0.83 };

/** A benign text's probability and how much it counts. */
export interface WeighedProbability {
  readonly probability: number;
  readonly weight: number;
}

/**
 * The smallest threshold at which at most `budget` (a share of the weight) of the benign texts lie at or above it, and not
 * below `floor`. It is rounded up to six decimals, so that a file holds it exactly.
 */
export function thresholdFor(
  benign: readonly WeighedProbability[],
  { budget, floor }: { readonly budget: number; readonly floor: number },
): number {
  const total = benign.reduce((sum, { weight }) => sum + weight, 0);
  let above = 0;
  for (const { probability, weight } of benign.toSorted((a, b) => b.probability - a.probability)) {
    above += weight;
    if (above > budget * total) {
      return Math.min(1, Math.max(floor, (Math.floor(probability * 1e6) + 1) / 1e6));
    }
  }
  return floor;
}
