import {
  type ClusterTotal,
  type CrossedTotals,
  createCrossedTotals,
  normalCdf,
  normalQuantile,
  type PairedTotal,
  type Random,
} from '@pab/score';

export interface ClusteredDesign {
  readonly clusters: number;
  readonly rate: number;
  /** Intra-cluster correlation, below 1. */
  readonly correlation: number;
  /** Trials in a cluster; `uneven` draws 1 to 39, each equally often. */
  readonly size: number | 'uneven';
}

/** Clusters from Pólya's urn, which are exactly beta-binomial. */
export function drawClustered(design: ClusteredDesign, random: Random): ClusterTotal[] {
  return Array.from({ length: design.clusters }, (_, index) => {
    const size = design.size === 'uneven' ? 1 + random.below(39) : design.size;
    return {
      key: String(index),
      sum: drawUrn(design.rate, design.correlation, size, random),
      size,
    };
  });
}

export interface PairedDesign {
  readonly clusters: number;
  /** Pairs in a cluster. */
  readonly size: number;
  /** Share of pairs that differ. */
  readonly discordance: number;
  /** Second rate less first. */
  readonly difference: number;
  /** Correlation within clusters, of differing as well as of the direction. */
  readonly correlation: number;
}

export function drawPaired(design: PairedDesign, random: Random): PairedTotal[] {
  const towards = (1 + design.difference / design.discordance) / 2;
  return Array.from({ length: design.clusters }, (_, index) => {
    const differ = drawUrn(design.discordance, design.correlation, design.size, random);
    const second = drawUrn(towards, design.correlation, differ, random);
    return {
      key: String(index),
      both: 0,
      first: differ - second,
      second,
      neither: design.size - differ,
    };
  });
}

export interface CrossedDesign {
  readonly rows: number;
  readonly columns: number;
  readonly rate: number;
  /** Deviation of the row and of the column effects on the probit scale, where a single trial has 1. */
  readonly spread: number;
}

/** One trial to a cell, the marginal rate held exactly. */
export function drawCrossed(design: CrossedDesign, random: Random): CrossedTotals {
  const { rows, columns, rate, spread } = design;
  const totals = createCrossedTotals();
  const level = normalQuantile(rate) * Math.sqrt(1 + 2 * spread * spread);
  const effects = Array.from({ length: rows + columns }, () => spread * drawNormal(random));
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const chance = normalCdf(level + (effects[row] ?? 0) + (effects[rows + column] ?? 0));
      totals.add(String(row), String(column), random.uniform() < chance ? 1 : 0);
    }
  }
  return totals;
}

function drawUrn(rate: number, correlation: number, size: number, random: Random): number {
  let sum = 0;
  for (let trial = 0; trial < size; trial += 1) {
    const weight = 1 - correlation + correlation * trial;
    if (random.uniform() < (rate * (1 - correlation) + correlation * sum) / weight) sum += 1;
  }
  return sum;
}

function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.uniform()));
  return radius * Math.cos(2 * Math.PI * random.uniform());
}
