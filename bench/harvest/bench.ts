import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateRows } from './generate-rows.js';

const run = promisify(execFile);
const RUNNER = fileURLToPath(new URL('one-run.ts', import.meta.url));
const RESULT = fileURLToPath(new URL('../../docs/results/harvest/bench.json', import.meta.url));

interface Case {
  readonly name: string;
  readonly rows: number;
  readonly words: number;
  readonly dedupe: 'near' | 'off';
}

const CASES: readonly Case[] = [
  { name: '10,000 short rows', rows: 10_000, words: 14, dedupe: 'near' },
  { name: '100,000 short rows', rows: 100_000, words: 14, dedupe: 'near' },
  { name: '1,000,000 short rows', rows: 1_000_000, words: 14, dedupe: 'near' },
  { name: '2 GB of JSON Lines, --dedupe off', rows: 1_500_000, words: 205, dedupe: 'off' },
];

/**
 * Measures `harvest` on generated rows and writes docs/results/harvest/bench.json:
 * `node --conditions=@pab/source --import tsx harvest/bench.ts` in bench/. Needs 6 GB in the temporary folder.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pab-bench-harvest-'));
  const results: unknown[] = [];
  try {
    for (const { name, rows, words, dedupe } of CASES) {
      const file = join(folder, 'rows.jsonl');
      const out = join(folder, 'out');
      const bytes = await generateRows(file, { rows, words });
      // Of the minute before: what shares the machine shows in `seconds` and not in `cpu_seconds`.
      const load = Number((loadavg()[0] ?? 0).toFixed(1));
      const { stdout } = await run(process.execPath, [
        ...process.execArgv,
        RUNNER,
        file,
        out,
        dedupe,
      ]);
      const measured: unknown = JSON.parse(stdout);
      results.push({ name, bytes, dedupe, load, ...(measured as object) });
      process.stderr.write(`${name}: ${stdout}`);
      await rm(out, { recursive: true, force: true });
      await rm(file, { force: true });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const [cpu] = cpus();
  const document = {
    command: 'node --conditions=@pab/source --import tsx harvest/bench.ts',
    node: process.version,
    cpus: cpus().length,
    cpu: cpu?.model ?? 'unknown',
    limits: { million_rows_seconds: 120, million_rows_mb: 1500 },
    results,
  };
  await mkdir(dirname(RESULT), { recursive: true });
  await writeFile(RESULT, `${JSON.stringify(document, null, 2)}\n`);
}

await main();
