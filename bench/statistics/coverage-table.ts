import type {
  Measured,
  measureClustered,
  measureCrossed,
  measurePaired,
} from './measure-coverage.js';

export interface CoverageResults {
  readonly generator: string;
  readonly seed: number;
  readonly effort: Readonly<Record<string, { readonly runs: number; readonly resamples: number }>>;
  readonly clustered: readonly ReturnType<typeof measureClustered>[];
  readonly crossed: readonly ReturnType<typeof measureCrossed>[];
  readonly paired: readonly ReturnType<typeof measurePaired>[];
}

/** The results in words and tables; every figure is a per cent of runs. */
export function renderCoverage(results: CoverageResults): string {
  const claimed = results.clustered.filter(({ clusters }) => clusters >= 10);
  const crossed = results.crossed.filter(({ rows, columns }) => Math.min(rows, columns) >= 10);
  const nulls = results.paired.filter(({ difference }) => difference === 0);
  const effort = (name: string): string => {
    const { runs, resamples } = results.effort[name] ?? { runs: 0, resamples: 0 };
    return `${String(runs)} runs a design, ${String(resamples)} resamples`;
  };
  return `# Coverage of nominal 95 % intervals, by simulation

Made by \`bench/statistics/coverage.ts\` (seed ${String(results.seed)}, ${results.generator}); every design is in \`coverage.json\`.

## Cluster bootstrap

${String(results.clustered.length)} designs: 5 to 50 clusters × rates .02 to .5 × correlation within clusters 0 to .5 × 20 trials to a cluster or 1 to 39 (uneven).
Beta-binomial trials; ${effort('clustered')}. Under 10 clusters the interval carries a note and claims nothing.

With 10 clusters or more: least coverage **${least(claimed.map(({ cluster }) => cluster))} %**; ${overCovered(claimed.map(({ cluster }) => cluster))}.
The plain percentile bootstrap: least ${least(claimed.map(({ percentile }) => percentile))} %. Wilson, as if trials were independent: least ${least(claimed.map(({ wilson }) => wilson))} %.

Least and greatest coverage over correlations and sizes:

${pivot(results.clustered)}

Mean width of the interval in points, beside the percentile one, at correlation .2 and 20 trials to a cluster:

${widths(results.clustered)}

The limits cover more than asked for where few clusters show the event at all: what the others would have shown is then not known.

## Two-way pigeonhole bootstrap

${String(results.crossed.length)} designs of one trial to a cell, row and column effects on the probit scale; ${effort('crossed')}.
Least coverage **${least(crossed.map(({ pigeonhole }) => pigeonhole))} %**; ${overCovered(crossed.map(({ pigeonhole }) => pigeonhole))}.
On the same designs the one-way cluster bootstrap covers ${least(crossed.map(({ cluster }) => cluster))} % at least, Wilson ${least(crossed.map(({ wilson }) => wilson))} %.

| tasks × goals | rate | spread | pigeonhole | by goal | Wilson |
|---|---|---|---|---|---|
${results.crossed
  .map(
    ({ rows, columns, rate, spread, pigeonhole, cluster, wilson }) =>
      `| ${String(rows)} × ${String(columns)} | ${String(rate)} | ${String(spread)} | ${percent(pigeonhole.coverage)} | ${percent(cluster.coverage)} | ${percent(wilson.coverage)} |`,
  )
  .join('\n')}

## Paired comparisons

${effort('paired')}. *Rejected*: the permutation test by cluster at 5 %; *equivalent*: two one-sided tests within two points at 5 %.
Without a difference the test rejects at most **${percent(Math.max(...nulls.map(({ rejected }) => rejected)))} %**; at a true difference of two points equivalence is wrongly
shown in at most ${percent(Math.max(...results.paired.filter(({ difference }) => difference === 0.02).map(({ equivalent }) => equivalent)))} %.

| clusters × pairs | differing | difference | correlation | interval covers | rejected | equivalent |
|---|---|---|---|---|---|---|
${results.paired
  .map(
    ({ clusters, size, discordance, difference, correlation, cluster, rejected, equivalent }) =>
      `| ${String(clusters)} × ${String(size)} | ${String(discordance)} | ${String(difference)} | ${String(correlation)} | ${percent(cluster.coverage)} | ${percent(rejected)} | ${percent(equivalent)} |`,
  )
  .join('\n')}
`;
}

function pivot(designs: CoverageResults['clustered']): string {
  const rates = [...new Set(designs.map(({ rate }) => rate))];
  const clusters = [...new Set(designs.map((design) => design.clusters))];
  const lines = clusters.map((count) => {
    const cells = rates.map((rate) => {
      const covered = designs
        .filter((design) => design.clusters === count && design.rate === rate)
        .map(({ cluster }) => cluster.coverage);
      return `${percent(Math.min(...covered))}–${percent(Math.max(...covered))}`;
    });
    return `| ${String(count)}${count < 10 ? ' (no claim)' : ''} | ${cells.join(' | ')} |`;
  });
  return table(['clusters', ...rates.map((rate) => `rate ${String(rate)}`)], lines);
}

function widths(designs: CoverageResults['clustered']): string {
  const shown = designs.filter(({ correlation, size }) => correlation === 0.2 && size === 20);
  const rates = [...new Set(shown.map(({ rate }) => rate))];
  const lines = [...new Set(shown.map(({ clusters }) => clusters))].map((count) => {
    const cells = shown
      .filter(({ clusters }) => clusters === count)
      .map(({ cluster, percentile }) => `${percent(cluster.width)} (${percent(percentile.width)})`);
    return `| ${String(count)} | ${cells.join(' | ')} |`;
  });
  return table(['clusters', ...rates.map((rate) => `rate ${String(rate)}`)], lines);
}

function table(head: readonly string[], lines: readonly string[]): string {
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines].join('\n');
}

function least(measured: readonly Measured[]): string {
  return percent(Math.min(...measured.map(({ coverage }) => coverage)));
}

function overCovered(measured: readonly Measured[]): string {
  const over = measured.filter(({ coverage }) => coverage > 0.98).length;
  return `${String(over)} of ${String(measured.length)} designs over-cover (above 98 %)`;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
