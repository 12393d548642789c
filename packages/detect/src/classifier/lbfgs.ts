/** A smooth function: writes its gradient at `point` into `gradient` and returns its value. */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;

export interface MinimizeOptions {
  /** Stop when the gradient's norm is at most this. Default: 1e-5 of its norm at the start. */
  readonly goal?: number;
  /** Default 300. */
  readonly maxIterations?: number;
  /** Corrections that are remembered. Default 8. */
  readonly memory?: number;
}

export interface Minimum {
  readonly point: Float64Array;
  readonly value: number;
  readonly iterations: number;
  readonly converged: boolean;
}

interface Correction {
  readonly step: Float64Array;
  readonly change: Float64Array;
  readonly rho: number;
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index += 1) {
    sum += (left[index] ?? 0) * (right[index] ?? 0);
  }
  return sum;
}

/** Euclidean length. */
export function norm(vector: Float64Array): number {
  return Math.sqrt(dot(vector, vector));
}

/** target += factor · direction */
function add(target: Float64Array, factor: number, direction: Float64Array): void {
  for (let index = 0; index < target.length; index += 1) {
    target[index] = (target[index] ?? 0) + factor * (direction[index] ?? 0);
  }
}

function difference(left: Float64Array, right: Float64Array): Float64Array {
  const result = Float64Array.from(left);
  add(result, -1, right);
  return result;
}

/** The two-loop recursion of Nocedal and Wright, Numerical Optimization, algorithm 7.4. */
function searchDirection(gradient: Float64Array, corrections: readonly Correction[]): Float64Array {
  const direction = new Float64Array(gradient.length);
  add(direction, -1, gradient);
  const alphas: number[] = [];
  for (const { step, change, rho } of corrections.toReversed()) {
    const alpha = rho * dot(step, direction);
    alphas.push(alpha);
    add(direction, -alpha, change);
  }
  const last = corrections.at(-1);
  if (last !== undefined) {
    const scale = 1 / (last.rho * dot(last.change, last.change));
    for (let index = 0; index < direction.length; index += 1) {
      direction[index] = (direction[index] ?? 0) * scale;
    }
  }
  for (const { step, change, rho } of corrections) {
    const alpha = alphas.pop() ?? 0;
    add(direction, alpha - rho * dot(change, direction), step);
  }
  return direction;
}

const GOAL_SHARE = 1e-5;
const SUFFICIENT_DECREASE = 1e-4;
const HALVINGS = 40;

/** Minimises a smooth convex function by L-BFGS with backtracking; the same input gives the same bits. */
export function minimize(
  objective: Objective,
  start: Float64Array,
  options: MinimizeOptions = {},
): Minimum {
  const { maxIterations = 300, memory = 8 } = options;
  let point = Float64Array.from(start);
  let gradient = new Float64Array(point.length);
  let value = objective(point, gradient);
  const goal = options.goal ?? norm(gradient) * GOAL_SHARE;
  const corrections: Correction[] = [];
  for (let iteration = 0; iteration < maxIterations; iteration += 1) {
    const steepness = norm(gradient);
    if (steepness <= goal) return { point, value, iterations: iteration, converged: true };
    const direction = searchDirection(gradient, corrections);
    const slope = dot(gradient, direction);
    let size = corrections.length === 0 ? 1 / steepness : 1;
    let accepted = false;
    for (let halving = 0; halving < HALVINGS && !accepted; halving += 1) {
      const next = Float64Array.from(point);
      add(next, size, direction);
      const nextGradient = new Float64Array(point.length);
      const nextValue = objective(next, nextGradient);
      if (nextValue <= value + SUFFICIENT_DECREASE * size * slope) {
        accepted = true;
        const step = difference(next, point);
        const change = difference(nextGradient, gradient);
        const curvature = dot(step, change);
        if (curvature > 0) {
          corrections.push({ step, change, rho: 1 / curvature });
          if (corrections.length > memory) corrections.shift();
        }
        point = next;
        gradient = nextGradient;
        value = nextValue;
      } else {
        size /= 2;
      }
    }
    if (!accepted) return { point, value, iterations: iteration, converged: false };
  }
  return { point, value, iterations: maxIterations, converged: false };
}
