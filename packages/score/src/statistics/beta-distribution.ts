const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2;
const TINY = 1e-300;

/**
 * Natural logarithm of the gamma function for `x > 0`; relative error about 1e-14. Stirling's series
 * (Abramowitz & Stegun 6.1.41) after shifting the argument above 15 by the recurrence.
 *
 * @throws RangeError for `x <= 0` or NaN
 */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`logGamma needs x > 0, found ${String(x)}`);
  let shifted = x;
  let product = 1;
  while (shifted < 15) {
    product *= shifted;
    shifted += 1;
  }
  const inverse = 1 / shifted;
  const square = inverse * inverse;
  const series =
    inverse *
    (1 / 12 -
      square *
        (1 / 360 -
          square *
            (1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - square * (691 / 360_360))))));
  return (
    (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_TWO_PI + series - Math.log(product)
  );
}

/** Natural logarithm of the beta function B(a, b), for positive `a` and `b`. */
export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/**
 * Regularised incomplete beta function I_x(a, b): the distribution function of Beta(a, b) at `x`.
 * Continued fraction of Abramowitz & Stegun 26.5.8 by Lentz's method; absolute error about 1e-12.
 *
 * @throws RangeError unless `a > 0`, `b > 0` and `0 <= x <= 1`
 */
export function betaCdf(x: number, a: number, b: number): number {
  if (!(x >= 0 && x <= 1)) throw new RangeError(`betaCdf needs x in [0, 1], found ${String(x)}`);
  if (x === 0) return 0;
  if (x === 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b));
  // The fraction converges fast only below the mean; above it the mirrored one does.
  if (x < (a + 1) / (a + b + 2)) return clamp((front * betaFraction(x, a, b)) / a);
  return clamp(1 - (front * betaFraction(1 - x, b, a)) / b);
}

/**
 * The `x` at which `betaCdf(x, a, b)` equals `probability`. Bisection refined by Newton steps; absolute error about 1e-13.
 *
 * @throws RangeError unless `a > 0`, `b > 0` and `0 <= probability <= 1`
 */
export function betaQuantile(probability: number, a: number, b: number): number {
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError(
      `betaQuantile needs a probability in [0, 1], found ${String(probability)}`,
    );
  }
  if (probability === 0 || probability === 1) return probability;
  const scale = logBeta(a, b);
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  for (let step = 0; step < 200; step += 1) {
    const error = betaCdf(x, a, b) - probability;
    if (error === 0) return x;
    if (error > 0) high = x;
    else low = x;
    const density = Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - scale);
    const newton = x - error / density;
    const following = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(following - x) <= 1e-16 + 1e-15 * x) return following;
    x = following;
  }
  return x;
}

function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  const rounds = 200 + 10 * Math.ceil(Math.sqrt(Math.max(a, b)));
  for (let m = 1; m <= rounds; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const factor = d * c;
    fraction *= factor;
    if (Math.abs(factor - 1) < 1e-15) break;
  }
  return fraction;
}

function away(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
