import {
  type ClusterTotal,
  type CrossedTotals,
  createCrossedTotals,
} from '../../src/statistics/cluster-totals.js';
import { normalCdf, normalQuantile } from '../../src/statistics/normal-distribution.js';
import type { Random } from '../../src/statistics/random.js';

/** A standard normal by Box–Muller. */
export function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.uniform()));
  return radius * Math.cos(2 * Math.PI * random.uniform());
}

/** Clusters from Pólya's urn: exactly beta-binomial with the given rate and intra-cluster correlation below 1. */
export function drawClusteredTrials(
  {
    clusters,
    rate,
    correlation,
    size,
  }: { clusters: number; rate: number; correlation: number; size: number },
  random: Random,
): ClusterTotal[] {
  return Array.from({ length: clusters }, (_, index) => {
    let sum = 0;
    for (let trial = 0; trial < size; trial += 1) {
      const chance =
        (rate * (1 - correlation) + correlation * sum) / (1 - correlation + correlation * trial);
      if (random.uniform() < chance) sum += 1;
    }
    return { key: String(index), sum, size };
  });
}

/** One trial per cell; rows and columns each add a normal effect of deviation `spread` to a probit of marginal rate `rate`. */
export function drawCrossedTrials(
  { rows, columns, rate, spread }: { rows: number; columns: number; rate: number; spread: number },
  random: Random,
): CrossedTotals {
  const totals = createCrossedTotals();
  const level = normalQuantile(rate) * Math.sqrt(1 + 2 * spread * spread);
  const rowEffects = Array.from({ length: rows }, () => spread * drawNormal(random));
  const columnEffects = Array.from({ length: columns }, () => spread * drawNormal(random));
  rowEffects.forEach((rowEffect, row) => {
    columnEffects.forEach((columnEffect, column) => {
      const chance = normalCdf(level + rowEffect + columnEffect);
      totals.add(String(row), String(column), random.uniform() < chance ? 1 : 0);
    });
  });
  return totals;
}
