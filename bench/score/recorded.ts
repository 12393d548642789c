// Re-makes docs/results/score/agentdyn.json: the public AgentDyn logs, and half a million trials of our own, each scored in a
// process of its own, so that the peak of memory is that of one reading.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordedSummary } from '@pab/score';
import { machine, median } from '../run/machine.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const DATA = process.env['PAB_SHARED_DATA'] ?? join(ROOT, '..', 'shared', 'data');
const OUT = join(ROOT, 'docs', 'results', 'score');
const RUNS = 3;
const TRIALS = 500_000;

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

/** Trials of a run as it lies on disk, of 40 goals × 25 tasks. */
async function writeTrials(file: string, count: number): Promise<void> {
  const out = createWriteStream(file);
  for (let index = 0; index < count; index += 1) {
    const goal = index % 40;
    const hit = (index * 7919) % 97 < goal;
    const line = {
      schema: 1,
      scenario: `bench-${index % 1000}`,
      trial: Math.floor(index / 1000),
      seed: 0,
      world: 'bench',
      taskId: `task-${Math.floor(index / 40) % 25}`,
      goal: `goal ${goal}`,
      family: 'data_exfiltration',
      target: 'bench',
      defense: 'none',
      judgement: {
        variant: 'attack',
        outcome: hit ? 'compromised' : 'resisted',
        stages: { reached: true, delivered: 'full', compromised: hit },
        utility: index % 3 > 0,
        notes: [],
      },
    };
    if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

async function ownTrials() {
  const folder = mkdtempSync(join(tmpdir(), 'pab-bench-'));
  try {
    const sizes = await Promise.all(
      [TRIALS / 10, TRIALS].map(async (count) => {
        const file = join(folder, `trials-${count}.jsonl`);
        await writeTrials(file, count);
        return { count, file };
      }),
    );
    return sizes.map(({ count, file }) => {
      const reading = readOnce(file, 10_000);
      return { trials: count, resamples: 10_000, ...measured([reading]) };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
  targets: {
    logs: 'under 10 s on one core and 300 MB',
    trials: 'under 60 s, memory independent of size',
  },
  logs: {
    trials: first.summary.trials,
    rejected: first.rejected,
    resamples: 2000,
    ...measured(readings),
  },
  own_trials: await ownTrials(),
  disagreements: first.summary.disagreements,
  by_pipeline: pipelines(first.summary),
};
mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, 'agentdyn.json'), `${JSON.stringify(result, null, 2)}\n`);
process.stdout.write(`${JSON.stringify({ logs: result.logs, own_trials: result.own_trials })}\n`);
