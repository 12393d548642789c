import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { targetNamed } from '@pab/adapters';
import { loadBundledCorpus, runBenchmark } from '@pab/cli/run';
import { none } from '@pab/defenses';
import { cpuSeconds, median, rounded } from './machine.js';

const TARGETS = ['naive', 'wary', 'diligent', 'paranoid'] as const;
const ROUNDS = 5;
/** Trials of each case in one round. */
const TRIALS = 20;

interface Round {
  readonly trials: number;
  readonly wall: number;
  readonly cpu: number;
  readonly bytes: number;
}

/**
 * Whole runs of the simulated policies against no defense over the bundled corpus: instantiating, running, judging, the run folder and
 * the summary. Rounds go around the targets, so that a busy minute of the machine falls on all of them. The first round warms up and is
 * not counted.
 */
export async function trialRate() {
  const corpus = await loadBundledCorpus();
  const defense = none();
  const folder = await mkdtemp(join(tmpdir(), 'pab-bench-'));
  const rounds = new Map<string, Round[]>(TARGETS.map((name) => [name, []]));
  const environment = { fetch: globalThis.fetch, env: {}, random: Math.random };
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const name of TARGETS) {
        const out = join(folder, `${name}-${round}`);
        const cpu = cpuSeconds();
        const wall = performance.now();
        const { done } = await runBenchmark({
          corpus,
          target: targetNamed(name, {}, environment),
          defense,
          simulated: true,
          trials: round === 0 ? 5 : TRIALS,
          seed: round,
          concurrency: 4,
          out,
          elapsed: () => performance.now(),
          now: () => new Date(),
          version: 'bench',
          nodeVersion: process.version,
        });
        const spent = { cpu: cpuSeconds() - cpu, wall: (performance.now() - wall) / 1000 };
        const { size } = await stat(join(out, 'trials.jsonl'));
        await rm(out, { recursive: true });
        if (round > 0) rounds.get(name)?.push({ trials: done, bytes: size, ...spent });
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const rows = [...rounds].map(([target, measured]) => ({
    target,
    trials: measured[0]?.trials ?? 0,
    perCpuSecond: rounded(median(measured.map(({ trials, cpu }) => trials / cpu)), 0),
    perWallSecond: rounded(median(measured.map(({ trials, wall }) => trials / wall)), 0),
    bytesPerTrial: rounded(median(measured.map(({ trials, bytes }) => bytes / trials)), 0),
  }));
  return {
    what: 'trials a second of a whole run (instantiate, run, judge, write the run folder, summarise), target × none, bundled corpus',
    scenarios: corpus.scenarios.length,
    rounds: ROUNDS,
    target: 'at least 2000 trials for each second of processor time',
    rows,
    met: rows.every(({ perCpuSecond }) => perCpuSecond >= 2000),
  };
}
