import { type MinimizeOptions, minimize } from './lbfgs.js';
import type { SparseRow } from './sparse-row.js';

/** One training row: features, class, and how much it counts. */
export interface WeightedRow {
  readonly row: SparseRow;
  readonly attack: boolean;
  readonly weight: number;
}

export interface LinearModel {
  /** One weight a bucket. */
  readonly weights: Float64Array;
  readonly bias: number;
  readonly iterations: number;
  readonly converged: boolean;
}

export interface FitOptions extends MinimizeOptions {
  /** Number of buckets. */
  readonly dimensions: number;
  /** Strength of the L2 penalty on the weights; the bias is not penalised. */
  readonly lambda: number;
}

/** ln(1 + e^x) without overflow. */
function softplus(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
}

/** 1 / (1 + e^-x) */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const power = Math.exp(x);
  return power / (1 + power);
}

/** Scalar product of a row with one weight a bucket. */
export function project({ buckets, values }: SparseRow, weights: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < buckets.length; index += 1) {
    sum += (values[index] ?? 0) * (weights[buckets[index] ?? 0] ?? 0);
  }
  return sum;
}

/** Fits a weighted, L2-regularised logistic regression: mean log-loss + λ/2 · |w|². */
export function fitLogistic(
  rows: readonly WeightedRow[],
  { dimensions, lambda, ...options }: FitOptions,
): LinearModel {
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  if (!(total > 0)) throw new RangeError('fitLogistic needs rows with a positive weight');
  const objective = (point: Float64Array, gradient: Float64Array): number => {
    const bias = point[dimensions] ?? 0;
    let loss = 0;
    for (let index = 0; index < dimensions; index += 1) {
      const weight = point[index] ?? 0;
      loss += (lambda / 2) * weight * weight;
      gradient[index] = lambda * weight;
    }
    let biasSlope = 0;
    for (const { row, attack, weight } of rows) {
      const score = project(row, point) + bias;
      const share = weight / total;
      loss += share * softplus(attack ? -score : score);
      const slope = share * (sigmoid(score) - (attack ? 1 : 0));
      biasSlope += slope;
      for (let index = 0; index < row.buckets.length; index += 1) {
        const bucket = row.buckets[index] ?? 0;
        gradient[bucket] = (gradient[bucket] ?? 0) + slope * (row.values[index] ?? 0);
      }
    }
    gradient[dimensions] = biasSlope;
    return loss;
  };
  const { point, iterations, converged } = minimize(
    objective,
    new Float64Array(dimensions + 1),
    options,
  );
  return {
    weights: point.subarray(0, dimensions),
    bias: point[dimensions] ?? 0,
    iterations,
    converged,
  };
}
