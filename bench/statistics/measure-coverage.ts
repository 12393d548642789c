import {
  clusterInterval,
  createRandom,
  equivalenceTest,
  type Interval,
  pairedDifference,
  pairedPermutationTest,
  pigeonholeInterval,
  wilsonInterval,
} from '@pab/score';

import {
  type ClusteredDesign,
  type CrossedDesign,
  drawClustered,
  drawCrossed,
  drawPaired,
  type PairedDesign,
} from './simulated-designs.js';

export interface Effort {
  readonly runs: number;
  readonly resamples: number;
}

/** Share of runs whose interval held the true value, and the mean width, by method. */
export interface Measured {
  readonly coverage: number;
  readonly width: number;
}

export function measureClustered(
  design: ClusteredDesign,
  seed: number,
  { runs, resamples }: Effort,
) {
  const random = createRandom(seed);
  const ours = createTally(design.rate);
  const percentile = createTally(design.rate);
  const wilson = createTally(design.rate);
  for (let run = 0; run < runs; run += 1) {
    const totals = drawClustered(design, random);
    const options = { factor: 'goal', seed: run, resamples };
    ours.add(clusterInterval(totals, options));
    // The uncorrected methods are there for comparison; a quarter of the runs shows how far off they are.
    if (run % 4 !== 0) continue;
    percentile.add(clusterInterval(totals, { ...options, correction: 'none' }));
    const k = totals.reduce((sum, total) => sum + total.sum, 0);
    const n = totals.reduce((sum, total) => sum + total.size, 0);
    wilson.add(wilsonInterval({ k, n }));
  }
  return { ...design, cluster: ours.read(), percentile: percentile.read(), wilson: wilson.read() };
}

export function measureCrossed(design: CrossedDesign, seed: number, { runs, resamples }: Effort) {
  const random = createRandom(seed);
  const both = createTally(design.rate);
  const byGoal = createTally(design.rate);
  const wilson = createTally(design.rate);
  for (let run = 0; run < runs; run += 1) {
    const totals = drawCrossed(design, random);
    const options = { rows: 'task', columns: 'goal', seed: run, resamples };
    both.add(pigeonholeInterval(totals, options));
    const columns = totals.columns();
    byGoal.add(clusterInterval(columns, { ...options, factor: 'goal' }));
    const k = columns.reduce((sum, total) => sum + total.sum, 0);
    wilson.add(wilsonInterval({ k, n: design.rows * design.columns }));
  }
  return { ...design, pigeonhole: both.read(), cluster: byGoal.read(), wilson: wilson.read() };
}

export function measurePaired(design: PairedDesign, seed: number, { runs, resamples }: Effort) {
  const random = createRandom(seed);
  const difference = createTally(design.difference);
  let rejected = 0;
  let equivalent = 0;
  for (let run = 0; run < runs; run += 1) {
    const totals = drawPaired(design, random);
    const options = { factor: 'goal', seed: run, resamples };
    difference.add(pairedDifference(totals, options).intervals.at(-1));
    if (pairedPermutationTest(totals, { seed: run, resamples: 999 }).p <= 0.05) rejected += 1;
    if (equivalenceTest(totals, options).equivalent) equivalent += 1;
  }
  return {
    ...design,
    cluster: difference.read(),
    rejected: rejected / runs,
    equivalent: equivalent / runs,
  };
}

function createTally(truth: number) {
  let runs = 0;
  let covered = 0;
  let width = 0;
  return {
    add(interval: Interval | null | undefined): void {
      if (interval === null || interval === undefined) throw new Error('a design gave no interval');
      runs += 1;
      width += interval.high - interval.low;
      if (interval.low <= truth && truth <= interval.high) covered += 1;
    },
    read: (): Measured => ({
      coverage: Number((covered / runs).toFixed(4)),
      width: Number((width / runs).toFixed(4)),
    }),
  };
}
