/**
 * Sample quantile of type 7 (Hyndman & Fan 1996; the default of R and NumPy): linear interpolation
 * at position `(n - 1) * probability` of the sorted values.
 *
 * @param sorted values in rising order; not checked
 * @throws RangeError when there is no value, or the probability is outside [0, 1]
 */
export function quantile(sorted: ArrayLike<number>, probability: number): number {
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError(`quantile needs a probability in [0, 1], found ${String(probability)}`);
  }
  const position = (sorted.length - 1) * probability;
  const index = Math.floor(position);
  const below = sorted[index];
  if (below === undefined) throw new RangeError('quantile needs at least one value');
  const above = sorted[index + 1];
  return above === undefined ? below : below + (position - index) * (above - below);
}
