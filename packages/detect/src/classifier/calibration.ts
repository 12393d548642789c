import { sigmoid } from './logistic.js';

/** probability = sigmoid(slope · score + offset) */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

export interface ScoredLabel {
  readonly score: number;
  readonly attack: boolean;
  readonly weight: number;
}

const ITERATIONS = 100;

/**
 * Platt scaling by Newton's method, with Platt's smoothed targets (Platt 1999), which keep the
 * probabilities off 0 and 1 when the classes separate.
 */
export function fitCalibration(rows: readonly ScoredLabel[]): Calibration {
  let positives = 0;
  let negatives = 0;
  for (const { attack, weight } of rows) {
    if (attack) positives += weight;
    else negatives += weight;
  }
  if (positives === 0 || negatives === 0) {
    throw new RangeError('fitCalibration needs rows of both classes');
  }
  const high = (positives + 1) / (positives + 2);
  const low = 1 / (negatives + 2);
  const lossAt = (slope: number, offset: number) =>
    rows.reduce((sum, { score, attack, weight }) => {
      const logit = slope * score + offset;
      const target = attack ? high : low;
      const magnitude = Math.log1p(Math.exp(-Math.abs(logit)));
      return sum + weight * (Math.max(logit, 0) - target * logit + magnitude);
    }, 0);
  let slope = 1;
  let offset = 0;
  let loss = lossAt(slope, offset);
  for (let iteration = 0; iteration < ITERATIONS; iteration += 1) {
    // Gradient (g) and Hessian (h) in slope (s) and offset (o).
    let gs = 0;
    let go = 0;
    let hss = 1e-12;
    let hso = 0;
    let hoo = 1e-12;
    for (const { score, attack, weight } of rows) {
      const probability = sigmoid(slope * score + offset);
      const residual = weight * (probability - (attack ? high : low));
      const curvature = weight * probability * (1 - probability);
      gs += residual * score;
      go += residual;
      hss += curvature * score * score;
      hso += curvature * score;
      hoo += curvature;
    }
    if (Math.hypot(gs, go) < 1e-9 * (positives + negatives)) break;
    const determinant = hss * hoo - hso * hso;
    if (!(determinant > 0)) break;
    const stepSlope = (gs * hoo - go * hso) / determinant;
    const stepOffset = (go * hss - gs * hso) / determinant;
    let size = 1;
    let next = lossAt(slope - stepSlope, offset - stepOffset);
    while (next > loss && size > 1e-10) {
      size /= 2;
      next = lossAt(slope - size * stepSlope, offset - size * stepOffset);
    }
    if (next > loss) break;
    slope -= size * stepSlope;
    offset -= size * stepOffset;
    loss = next;
  }
  return { slope, offset };
}
