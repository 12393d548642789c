import { betaCdf, betaQuantile } from './beta-distribution.js';

/** Distribution function of Student's t with `degrees` > 0 degrees of freedom. */
export function studentCdf(x: number, degrees: number): number {
  const tail = betaCdf(degrees / (degrees + x * x), degrees / 2, 0.5) / 2;
  return x > 0 ? 1 - tail : tail;
}

/**
 * The `x` at which `studentCdf(x, degrees)` equals `probability`.
 *
 * @throws RangeError unless `0 < probability < 1` and `degrees > 0`
 */
export function studentQuantile(probability: number, degrees: number): number {
  if (!(probability > 0 && probability < 1 && degrees > 0)) {
    throw new RangeError(
      `studentQuantile needs a probability in (0, 1) and degrees > 0, found ${String(probability)} and ${String(degrees)}`,
    );
  }
  if (probability === 0.5) return 0;
  const tail = Math.min(probability, 1 - probability);
  const x = tail < 0.25 ? fromTail(tail, degrees) : fromMiddle(tail, degrees);
  return probability < 0.5 ? -x : x;
}

// With s = x²/(ν + x²), the middle is solved for s and the tail for 1 - s: each keeps its digits there.
function fromMiddle(tail: number, degrees: number): number {
  const share = betaQuantile(1 - 2 * tail, 0.5, degrees / 2);
  return Math.sqrt((degrees * share) / (1 - share));
}

function fromTail(tail: number, degrees: number): number {
  const rest = betaQuantile(2 * tail, degrees / 2, 0.5);
  return Math.sqrt((degrees * (1 - rest)) / rest);
}
