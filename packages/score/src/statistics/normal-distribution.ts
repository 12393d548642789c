const SQRT_TWO_PI = Math.sqrt(2 * Math.PI);

/** Distribution function of the standard normal; relative error about 1e-13 in both tails. */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) throw new RangeError('normalCdf needs a number, found NaN');
  return x > 0 ? 1 - lowerTail(-x) : lowerTail(x);
}

/**
 * The `x` at which `normalCdf(x)` equals `probability`; absolute error about 1e-13. Rational start of
 * Abramowitz & Stegun 26.2.23, then Halley steps on the exact function.
 *
 * @returns minus or plus infinity at 0 and 1
 * @throws RangeError unless `0 <= probability <= 1`
 */
export function normalQuantile(probability: number): number {
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError(
      `normalQuantile needs a probability in [0, 1], found ${String(probability)}`,
    );
  }
  if (probability === 0) return -Infinity;
  if (probability === 1) return Infinity;
  if (probability === 0.5) return 0;
  // Only the lower tail is solved: there the function keeps its relative precision.
  const tail = Math.min(probability, 1 - probability);
  const t = Math.sqrt(-2 * Math.log(tail));
  let x =
    (2.515_517 + t * (0.802_853 + t * 0.010_328)) /
      (1 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308))) -
    t;
  for (let step = 0; step < 4; step += 1) {
    const ratio = (lowerTail(x) - tail) / density(x) || 0;
    x -= ratio / (1 + (x * ratio) / 2);
  }
  return probability < 0.5 ? x : -x;
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / SQRT_TWO_PI;
}

/** P(Z <= x) for x <= 0: Marsaglia's (2004) series near the middle, a continued fraction (A&S 26.2.14) further out. */
function lowerTail(x: number): number {
  if (x > -2.5) {
    let term = x;
    let sum = x;
    for (let k = 3; Math.abs(term) > 1e-18; k += 2) {
      term *= (x * x) / k;
      sum += term;
    }
    return 0.5 + sum * density(x);
  }
  let fraction = 0;
  for (let k = 120; k >= 1; k -= 1) fraction = k / (-x + fraction);
  return density(x) / (-x + fraction);
}
