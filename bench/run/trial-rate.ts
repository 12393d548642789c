import { mkdtemp, rm } from 'node:fs/promises';
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
/** Trials for each second of processor time that were asked for. */
const WANTED = 2000;

interface Round {
  readonly trials: number;
  readonly wall: number;
  readonly cpu: number;
  readonly summaryCpu: number;
}

/**
 * Whole runs of the simulated policies against no defense over the bundled corpus. Rounds go around the targets, so that a busy minute of
 * the machine falls on all of them; the first round warms up and is not counted. Processor time is of all threads. The summary
 * with its bootstraps costs the same however many trials there were, so it is told apart.
 */
export async function trialRate() {
  const corpus = await loadBundledCorpus();
  const folder = await mkdtemp(join(tmpdir(), 'pab-bench-'));
  const rounds = new Map<string, Round[]>(TARGETS.map((name) => [name, []]));
  const environment = { fetch: globalThis.fetch, env: {}, random: Math.random };
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const name of TARGETS) {
        const out = join(folder, `${name}-${round}`);
        const cpu = cpuSeconds();
        const wall = performance.now();
        let spent = { cpu: 0, wall: 0 };
        const { done } = await runBenchmark({
          corpus,
          target: targetNamed(name, {}, environment),
          defense: none(),
          simulated: true,
          trials: round === 0 ? 5 : TRIALS,
          seed: round,
          concurrency: 4,
          out,
          elapsed: () => performance.now(),
          now: () => new Date(),
          version: 'bench',
          nodeVersion: process.version,
          onTrial: (_executed, count, planned) => {
            if (count < planned) return;
            spent = { cpu: cpuSeconds() - cpu, wall: (performance.now() - wall) / 1000 };
          },
        });
        const summaryCpu = cpuSeconds() - cpu - spent.cpu;
        await rm(out, { recursive: true });
        if (round > 0) rounds.get(name)?.push({ trials: done, summaryCpu, ...spent });
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const rows = [...rounds].map(([target, measured]) => ({
    target,
    trials: measured[0]?.trials ?? 0,
    perCpuSecond: rounded(median(measured.map(({ trials, cpu }) => trials / cpu)), 0),
    bestPerCpuSecond: rounded(Math.max(...measured.map(({ trials, cpu }) => trials / cpu)), 0),
    perWallSecond: rounded(median(measured.map(({ trials, wall }) => trials / wall)), 0),
    summaryCpuMs: rounded(median(measured.map(({ summaryCpu }) => summaryCpu * 1000)), 0),
  }));
  return {
    what: 'trials of whole runs (instantiate, run, judge, write the run folder), target × none, bundled corpus; medians of the rounds',
    scenarios: corpus.scenarios.length,
    rounds: ROUNDS,
    wanted: `${WANTED} trials or more for each second of processor time`,
    met: rows.every(({ perCpuSecond }) => perCpuSecond >= WANTED),
    rows,
  };
}
