import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { RANDOM_NAME } from '@pab/score';

import { type CoverageResults, renderCoverage } from './coverage-table.js';
import { measureClustered, measureCrossed, measurePaired } from './measure-coverage.js';

/** Coverage below this, with enough clusters, fails the script. */
const LEAST_COVERAGE = 0.93;

const SEED = 20_240_607;
const effort = {
  clustered: { runs: 2000, resamples: 500 },
  crossed: { runs: 500, resamples: 300 },
  paired: { runs: 1000, resamples: 300 },
};

let seed = SEED;
const fresh = (): number => {
  seed += 1;
  return seed;
};

const clustered = [5, 10, 28, 50].flatMap((clusters) =>
  [0.02, 0.05, 0.1, 0.3, 0.5].flatMap((rate) =>
    [0, 0.2, 0.5].flatMap((correlation) =>
      ([20, 'uneven'] as const).map((size) =>
        measureClustered({ clusters, rate, correlation, size }, fresh(), effort.clustered),
      ),
    ),
  ),
);

const crossed = (
  [
    [10, 10],
    [12, 28],
    [20, 28],
  ] as const
).flatMap(([rows, columns]) =>
  [0.02, 0.1, 0.3, 0.5].flatMap((rate) =>
    [0, 0.5, 1].map((spread) =>
      measureCrossed({ rows, columns, rate, spread }, fresh(), effort.crossed),
    ),
  ),
);

const paired = [
  ...[10, 28, 50].flatMap((clusters) =>
    [0.05, 0.2].flatMap((discordance) =>
      [0, 0.4].flatMap((correlation) =>
        [0, discordance / 2].map((difference) =>
          measurePaired(
            { clusters, size: 20, discordance, difference, correlation },
            fresh(),
            effort.paired,
          ),
        ),
      ),
    ),
  ),
  ...[0, 0.02].map((difference) =>
    measurePaired(
      { clusters: 200, size: 10, discordance: 0.04, difference, correlation: 0.1 },
      fresh(),
      effort.paired,
    ),
  ),
];

const results: CoverageResults = {
  generator: RANDOM_NAME,
  seed: SEED,
  effort,
  clustered,
  crossed,
  paired,
};
const folder = new URL('../../docs/results/statistics/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('coverage.json', folder), toJson(results));
await writeFile(new URL('coverage.md', folder), renderCoverage(results));
process.stderr.write(`wrote coverage.json and coverage.md to ${fileURLToPath(folder)}\n`);

const under = [
  ...clustered.filter(
    ({ clusters, cluster }) => clusters >= 10 && cluster.coverage < LEAST_COVERAGE,
  ),
  ...crossed.filter(({ pigeonhole }) => pigeonhole.coverage < LEAST_COVERAGE),
];
for (const design of under) process.stderr.write(`under 93 %: ${JSON.stringify(design)}\n`);
if (under.length > 0) process.exitCode = 1;

/** One design a line, so that a change of one shows as one line. */
function toJson({ clustered: one, crossed: two, paired: three, ...head }: CoverageResults): string {
  const opening = JSON.stringify(head, null, 2).replace(/\n\}$/, '');
  return `${opening},\n  "clustered": ${list(one)},\n  "crossed": ${list(two)},\n  "paired": ${list(three)}\n}\n`;
}

function list(designs: readonly unknown[]): string {
  return `[\n${designs.map((design) => `    ${JSON.stringify(design)}`).join(',\n')}\n  ]`;
}
