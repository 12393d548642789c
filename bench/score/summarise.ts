import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTrials, trialsFile } from '@pab/cli/run';
import { CHANNELS, FAMILIES, randomFrom } from '@pab/model';
import { createSummary, JUDGE_VERSION, type Trial } from '@pab/score';

// Sums up a trials.jsonl of 50,000 and one of 500,000 trials, each in a process of its own, with 10,000 resamples.
// node --conditions=@pab/source --import tsx score/summarise.ts

const SIZES = [50_000, 500_000] as const;
const RESAMPLES = 10_000;
const SECONDS = 60;
const GROWTH = 100;
const TRIALS = 5;
const CORPUS = { name: 'made up', version: '0', sha256: '0'.repeat(64), attacks: 0, controls: 0 };

const seconds = (ms: number): number => Math.round(ms / 10) / 100;

function trialAt(index: number, random: () => number): Trial {
  // Two thousand scenarios at most, of 200 goals and 100 tasks, again and again: the shape of a large corpus with many repeats.
  const scenario = Math.floor(index / 2 / TRIALS) % 2000;
  const attack = Math.floor(index / TRIALS) % 2 === 0;
  const reached = attack && random() < 0.9;
  const compromised = reached && random() < 0.1 + (scenario % 200) / 400;
  const utility = random() < 0.7;
  return {
    schema: 1,
    scenario: `em-de-${scenario}`,
    trial: (index % TRIALS) + TRIALS * Math.floor(index / 2 / TRIALS / 2000),
    seed: 0,
    channel: CHANNELS[scenario % CHANNELS.length] ?? 'email',
    family: FAMILIES[scenario % FAMILIES.length] ?? 'data_exfiltration',
    severity: 'high',
    goal: `What the attacker wants, number ${scenario % 200}.`,
    taskId: `task-${scenario % 100}`,
    world: 'office',
    target: 'made-up',
    defense: 'none',
    judgement: {
      judge: JUDGE_VERSION,
      variant: attack ? 'attack' : 'twin',
      outcome: attack
        ? compromised
          ? 'compromised'
          : reached
            ? 'resisted'
            : 'not_reached'
        : utility
          ? 'completed'
          : 'not_completed',
      stages: {
        reached,
        delivered: reached ? 'full' : 'none',
        attempted: compromised,
        executed: compromised,
        compromised,
      },
      injections: [{ reached, delivered: reached ? 'full' : 'none', source: 'read_email#2/body' }],
      utility,
      withheld: false,
      refused: false,
      leaks: [],
      notes: [],
    },
    usage: { modelCalls: 4, inputTokens: 4000, outputTokens: 300 },
    modelId: 'made-up-2027-01-01',
    transcript: 'a'.repeat(64),
  };
}

async function writeTrials(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const random = randomFrom(`bench\n${count}`);
  const stream = createWriteStream(trialsFile(folder));
  for (let index = 0; index < count; index += 1) {
    if (!stream.write(`${JSON.stringify(trialAt(index, random))}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

async function measure(folder: string): Promise<void> {
  const started = performance.now();
  const summary = createSummary({
    corpus: CORPUS,
    target: 'made-up',
    defense: 'none',
    trials: TRIALS,
    seed: 0,
    resamples: RESAMPLES,
  });
  for await (const trial of readTrials(folder)) summary.add(trial);
  const read = performance.now();
  const { attacks, twins, rates } = summary.finish();
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stdout.write(
    JSON.stringify({
      trials: attacks.n + twins.n,
      compromise: rates.compromise.value,
      read_s: seconds(read - started),
      intervals_s: seconds(performance.now() - read),
      total_s: seconds(performance.now() - started),
      cpu_s: seconds((userCPUTime + systemCPUTime) / 1000),
      peak_rss_mb: Math.round(maxRSS / 1024),
    }),
  );
}

async function main(): Promise<number> {
  const work = await mkdtemp(join(tmpdir(), 'pab-summarise-'));
  try {
    const measured = [];
    for (const count of SIZES) {
      const folder = join(work, String(count));
      await writeTrials(folder, count);
      const { size } = await stat(trialsFile(folder));
      const child = spawnSync(
        process.execPath,
        [...process.execArgv, fileURLToPath(import.meta.url), folder],
        {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      if (child.status !== 0)
        throw new Error(`the measuring process ended with ${String(child.status)}`);
      measured.push({
        file_mb: Math.round(size / 1e6),
        ...(JSON.parse(child.stdout) as { cpu_s: number; peak_rss_mb: number }),
      });
      await rm(folder, { recursive: true });
    }
    const [small, large] = measured;
    const growth = (large?.peak_rss_mb ?? 0) - (small?.peak_rss_mb ?? 0);
    // One thread does all of it. Processor time is what it takes on a machine of its own; the clock also counts others' turns.
    const holds = (large?.cpu_s ?? SECONDS) < SECONDS && growth < GROWTH;
    const result = {
      what: 'trials.jsonl summed up, every interval, in a process of its own',
      resamples: RESAMPLES,
      limit_cpu_s: SECONDS,
      limit_rss_growth_mb: GROWTH,
      machine: { cpu: cpus()[0]?.model ?? 'unknown', node: process.version },
      measured,
      holds,
    };
    const text = `${JSON.stringify(result, null, 2)}\n`;
    process.stdout.write(text);
    const out = fileURLToPath(new URL('../../docs/results/score/summarise.json', import.meta.url));
    await mkdir(dirname(out), { recursive: true });
    await writeFile(out, text);
    return holds ? 0 : 1;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const [folder] = process.argv.slice(2);
if (folder === undefined) process.exitCode = await main();
else await measure(folder);
