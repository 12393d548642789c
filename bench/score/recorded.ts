// Re-makes docs/results/score/agentdyn.json: the public AgentDyn logs, scored three times, each in a process of its own, so that
// the peak of memory is that of one reading.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordedSummary } from '@pab/score';
import { machine, median } from '../run/machine.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const DATA = process.env['PAB_SHARED_DATA'] ?? join(ROOT, '..', 'shared', 'data');
const OUT = join(ROOT, 'docs', 'results', 'score');
const RUNS = 3;

interface Reading {
  readonly measured: { readonly wall_s: number; readonly cpu_s: number; readonly peak_mb: number };
  readonly rejected: number;
  readonly summary: RecordedSummary;
}

function readOnce(file: string, resamples: number): Reading {
  const flags = ['--conditions=@pab/source', '--import', 'tsx', join(HERE, 'one-reading.ts')];
  const printed = execFileSync(process.execPath, [...flags, file, String(resamples)], {
    encoding: 'utf8',
    cwd: join(HERE, '..'),
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(printed) as Reading;
}

const short = (value: number): number => Math.round(value * 100) / 100;

/** The middle of three readings in time, and the largest in memory. */
function measured(readings: readonly Reading[]) {
  const of = (name: keyof Reading['measured']): number[] =>
    readings.map((reading) => reading.measured[name]);
  return {
    runs: readings.length,
    wall_s: short(median(of('wall_s'))),
    cpu_s: short(median(of('cpu_s'))),
    peak_mb: Math.round(Math.max(...of('peak_mb'))),
  };
}

function pipelines({ by_pipeline: all }: RecordedSummary) {
  return Object.fromEntries(
    Object.entries(all).map(([name, { rates, ...group }]) => [
      name,
      {
        attacked: group.attacked,
        errors: group.errors,
        delivered: group.delivered,
        source_compromised: group.source_compromised,
        compromised: group.compromised,
        useful_under_attack: group.useful_under_attack,
        benign: group.benign,
        ceiling: group.ceiling,
        compromise: rates.compromise,
        compromise_given_delivered: rates.compromise_given_delivered,
      },
    ]),
  );
}

const archive = join(DATA, 'agentdyn-runs', 'agentdyn-runs.tar.gz');
if (!existsSync(archive)) {
  process.stderr.write('the folder ../shared/data is absent, so there is nothing to measure\n');
  process.exit(2);
}
const on = machine();
const readings = Array.from({ length: RUNS }, () => readOnce(archive, 2000));
const [first] = readings;
if (first === undefined) throw new Error('nothing was read');
const result = {
  command: 'node --conditions=@pab/source --import tsx score/recorded.ts (in bench/)',
  source: 'public AgentDyn logs in the layout of AgentDojo, SaFo-Lab/AgentDyn @5353cf7 (MIT)',
  machine: on,
  target: 'under 10 s on one core and under 300 MB',
  logs: {
    trials: first.summary.trials,
    rejected: first.rejected,
    resamples: 2000,
    ...measured(readings),
  },
  disagreements: first.summary.disagreements,
  by_pipeline: pipelines(first.summary),
};
mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, 'agentdyn.json'), `${JSON.stringify(result, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(result.logs)}
`);
