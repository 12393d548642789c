import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadJsonl } from '@pab/model';
import { cpuSeconds, mainThreadMs, median, rounded } from './machine.js';
import { manyScenarios } from './many-scenarios.js';

const SCENARIOS = 1000;
const PROCESSES = 7;
const AGAIN = 5;
const WANTED_MS = 500;

interface Load {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly mainMs?: number;
}

function loadOnce(bytes: Uint8Array): Load {
  const cpu = cpuSeconds();
  const main = mainThreadMs();
  const wall = performance.now();
  const { scenarios, problems } = loadJsonl(bytes, 'many.jsonl');
  const load = {
    wallMs: performance.now() - wall,
    cpuMs: (cpuSeconds() - cpu) * 1000,
    ...(main === undefined ? {} : { mainMs: (mainThreadMs() ?? main) - main }),
  };
  if (scenarios.length !== SCENARIOS || problems.length > 0) {
    throw new Error(`${scenarios.length} scenarios, ${problems[0]?.message ?? 'no problem'}`);
  }
  return load;
}

/** Loads a file in this process: the first time, as a command does it, and again when everything is warm. */
export async function loadFile(file: string): Promise<{ first: Load; again: readonly Load[] }> {
  const bytes = await readFile(file);
  const first = loadOnce(bytes);
  return { first, again: Array.from({ length: AGAIN }, () => loadOnce(bytes)) };
}

/** Parsing, strict validation and checking of 1,000 scenarios, in fresh processes: a command loads once, with cold code. */
export async function loadCorpusTime() {
  const folder = await mkdtemp(join(tmpdir(), 'pab-bench-'));
  const firsts: Load[] = [];
  const warm: Load[] = [];
  let megabytes = 0;
  try {
    const file = join(folder, 'many.jsonl');
    const text = await manyScenarios(SCENARIOS);
    megabytes = Buffer.byteLength(text) / 1e6;
    await writeFile(file, text);
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    for (let run = 0; run < PROCESSES; run += 1) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--conditions=@pab/source', '--import', 'tsx', main, 'load-file', file],
        { cwd: fileURLToPath(new URL('..', import.meta.url)) },
      );
      const { first, again } = JSON.parse(stdout) as Awaited<ReturnType<typeof loadFile>>;
      firsts.push(first);
      warm.push(...again);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const of = (loads: readonly Load[]) => ({
    cpuMs: rounded(median(loads.map(({ cpuMs }) => cpuMs)), 0),
    mainThreadMs: rounded(median(loads.map(({ mainMs, wallMs }) => mainMs ?? wallMs)), 0),
    wallMs: rounded(median(loads.map(({ wallMs }) => wallMs)), 0),
    bestWallMs: rounded(Math.min(...loads.map(({ wallMs }) => wallMs)), 0),
  });
  const first = of(firsts);
  return {
    what: 'loading and validating 1,000 scenarios from compiled JSON Lines; medians over fresh processes',
    scenarios: SCENARIOS,
    megabytes: rounded(megabytes),
    wanted: `under ${WANTED_MS} ms`,
    met: first.wallMs < WANTED_MS,
    metOnMainThread: first.mainThreadMs < WANTED_MS,
    first,
    again: of(warm),
  };
}
