import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { targetNamed } from '@pab/adapters';
import { countTrials, loadBundledCorpus, runBenchmark } from '@pab/cli/run';
import { none } from '@pab/defenses';
import { cpuSeconds, rounded } from './machine.js';

const AT = [1000, 3000, 10_000, 30_000, 100_000] as const;

/** Bytes a trial that compiled code and counters of the run may still take. */
const FLAT = 100;

const megabytes = (bytes: number): number => rounded(bytes / 1e6);

/** Heap in use after a full collection, and resident memory, as one run of the naive policy goes on and writes its folder. */
export async function memoryOfRun() {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('run node with --expose-gc');
  const corpus = await loadBundledCorpus();
  const cases = countTrials(corpus.scenarios, { trials: 1 });
  const out = await mkdtemp(join(tmpdir(), 'pab-bench-'));
  const rows: { trials: number; heapMb: number; residentMb: number; cpuSeconds: number }[] = [];
  try {
    const { done } = await runBenchmark({
      corpus,
      target: targetNamed('naive', {}, { fetch: globalThis.fetch, env: {}, random: Math.random }),
      defense: none(),
      simulated: true,
      trials: Math.ceil(Math.max(...AT) / cases),
      concurrency: 4,
      out: join(out, 'run'),
      elapsed: () => performance.now(),
      now: () => new Date(),
      version: 'bench',
      nodeVersion: process.version,
      onTrial: (_executed, count) => {
        if (!AT.some((trials) => trials === count)) return;
        gc();
        const { heapUsed, rss } = process.memoryUsage();
        rows.push({
          trials: count,
          heapMb: megabytes(heapUsed),
          residentMb: megabytes(rss),
          cpuSeconds: rounded(cpuSeconds()),
        });
      },
    });
    const [first] = rows;
    const last = rows.at(-1);
    const trials = (last?.trials ?? 0) - (first?.trials ?? 0);
    const growth = (((last?.heapMb ?? 0) - (first?.heapMb ?? 0)) * 1e6) / trials;
    return {
      what: 'memory of one run, naive × none, results written as they come; heap after a full collection',
      done,
      wanted: `flat from 1,000 to 100,000 trials: under ${FLAT} bytes of heap a trial, which writes thousands of bytes`,
      heapBytesPerTrial: rounded(growth, 0),
      met: growth < FLAT,
      peakResidentMb: megabytes(process.resourceUsage().maxRSS * 1024),
      rows,
    };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
