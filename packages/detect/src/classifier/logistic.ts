import { minimize, norm } from './lbfgs.js';
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

export interface FitOptions {
  /** Number of buckets. */
  readonly dimensions: number;
  /** Strength of the L2 penalty on the weights; the bias is not penalised. */
  readonly lambda: number;
  /** Stop at this share of the gradient's norm at zero. Default 1e-5. */
  readonly tolerance?: number;
  /** Default 300. */
  readonly maxIterations?: number;
  /** A model to start from, e.g. of a neighbouring λ; default zero. */
  readonly start?: Pick<LinearModel, 'weights' | 'bias'>;
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

/** Rows one after the other in flat arrays, with columns only for buckets that occur. */
interface Matrix {
  readonly ends: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
  /** Bucket of each column, ascending. */
  readonly buckets: Int32Array;
}

function matrixOf(rows: readonly WeightedRow[], dimensions: number): Matrix {
  const columnOf = new Int32Array(dimensions);
  let size = 0;
  for (const { row } of rows) {
    size += row.buckets.length;
    for (const bucket of row.buckets) columnOf[bucket] = 1;
  }
  const buckets: number[] = [];
  for (let bucket = 0; bucket < dimensions; bucket += 1) {
    if (columnOf[bucket] === 1) {
      columnOf[bucket] = buckets.length;
      buckets.push(bucket);
    }
  }
  const ends = new Int32Array(rows.length);
  const columns = new Int32Array(size);
  const values = new Float64Array(size);
  let at = 0;
  for (const [index, { row }] of rows.entries()) {
    for (let entry = 0; entry < row.buckets.length; entry += 1) {
      columns[at] = columnOf[row.buckets[entry] ?? 0] ?? 0;
      values[at] = row.values[entry] ?? 0;
      at += 1;
    }
    ends[index] = at;
  }
  return { ends, columns, values, buckets: Int32Array.from(buckets) };
}

/** Fits a weighted, L2-regularised logistic regression: mean log-loss + λ/2 · |w|². */
export function fitLogistic(
  rows: readonly WeightedRow[],
  { dimensions, lambda, tolerance = 1e-5, maxIterations = 300, start }: FitOptions,
): LinearModel {
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  if (!(total > 0)) throw new RangeError('fitLogistic needs rows with a positive weight');
  const { ends, columns, values, buckets } = matrixOf(rows, dimensions);
  const width = buckets.length;
  const shares = Float64Array.from(rows, ({ weight }) => weight / total);
  const targets = Uint8Array.from(rows, ({ attack }) => (attack ? 1 : 0));

  const objective = (point: Float64Array, gradient: Float64Array): number => {
    const bias = point[width] ?? 0;
    let loss = 0;
    for (let column = 0; column < width; column += 1) {
      const weight = point[column] ?? 0;
      loss += (lambda / 2) * weight * weight;
      gradient[column] = lambda * weight;
    }
    let biasSlope = 0;
    let from = 0;
    for (let index = 0; index < ends.length; index += 1) {
      const to = ends[index] ?? 0;
      let score = bias;
      for (let at = from; at < to; at += 1) {
        score += (values[at] ?? 0) * (point[columns[at] ?? 0] ?? 0);
      }
      const share = shares[index] ?? 0;
      const target = targets[index] ?? 0;
      loss += share * softplus(target === 1 ? -score : score);
      const slope = share * (sigmoid(score) - target);
      biasSlope += slope;
      for (let at = from; at < to; at += 1) {
        const column = columns[at] ?? 0;
        gradient[column] = (gradient[column] ?? 0) + slope * (values[at] ?? 0);
      }
      from = to;
    }
    gradient[width] = biasSlope;
    return loss;
  };

  const gradientAtZero = new Float64Array(width + 1);
  objective(new Float64Array(width + 1), gradientAtZero);
  const from = new Float64Array(width + 1);
  if (start !== undefined) {
    for (const [column, bucket] of buckets.entries()) from[column] = start.weights[bucket] ?? 0;
    from[width] = start.bias;
  }
  const { point, iterations, converged } = minimize(objective, from, {
    goal: norm(gradientAtZero) * tolerance,
    maxIterations,
  });
  const weights = new Float64Array(dimensions);
  for (const [column, bucket] of buckets.entries()) weights[bucket] = point[column] ?? 0;
  return { weights, bias: point[width] ?? 0, iterations, converged };
}
