// Speed of the built package: against promptbadger on everyday texts, and alone on texts made to be slow.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Scanner } from '@pab/detect';
import { readHam } from './ham.js';
import { SHAPES } from './shapes.js';
import { runCommand, withThrowAwayFolder } from './throw-away.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const PEER = 'promptbadger==0.3.1';
const DIRECTIONS = ['input', 'context', 'output', 'tool'] as const;
type Direction = (typeof DIRECTIONS)[number];

interface Group {
  readonly name: string;
  readonly direction: 'input' | 'context';
  /** Rounds before the timed ones, until V8 has compiled what runs often; that is part of starting up. */
  readonly warmUp: number;
  /** Timed rounds, of which the best counts; as many for the peer. */
  readonly rounds: number;
  readonly texts: readonly string[];
}

function scanAs(scanner: Scanner, direction: Direction, text: string): void {
  if (direction === 'input') scanner.scan(text);
  else if (direction === 'context') scanner.scanContext(text);
  else if (direction === 'output') scanner.scanOutput(text);
  else scanner.scanTool(text);
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds of one run: on the clock, or of the processor where others kept it busy. */
function timed(work: () => void): number {
  const [clock, processor] = [performance.now(), processorMs()];
  work();
  return Math.min(performance.now() - clock, processorMs() - processor);
}

function best(rounds: number, work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) least = Math.min(least, timed(work));
  return least;
}

function everydayTexts(ham: readonly string[]): Group[] {
  const samples = readFileSync(join(ROOT, 'packages/detect/samples/samples.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { scope: string; text: string })
    .filter(({ scope }) => scope === 'input')
    .map(({ text }) => text);
  const mails = ham.filter((text) => text.length > 2_700 && text.length < 3_300).slice(0, 60);
  const joined = ham.join('\n\n');
  const long = Array.from({ length: 10 }, (_, index) =>
    joined.slice(index * 100_000, index * 100_000 + 30 * 1_024),
  );
  return [
    { name: 'short prompts', direction: 'input', warmUp: 360, rounds: 40, texts: samples },
    { name: '3 KB mails', direction: 'context', warmUp: 40, rounds: 10, texts: mails },
    { name: '30 KB mails', direction: 'context', warmUp: 5, rounds: 5, texts: long },
  ];
}

function peerSeconds(folder: string, groups: readonly Group[]): Record<string, number> {
  const file = join(folder, 'texts.json');
  writeFileSync(
    file,
    JSON.stringify(
      groups.map((group) => ({
        ...group,
        texts: group.texts.map((text) => text.replaceAll(/\p{Cs}/gu, '?')),
      })),
    ),
  );
  runCommand('python3', ['-m', 'venv', join(folder, 'venv')], folder);
  const python = join(folder, 'venv', 'bin', 'python');
  runCommand(python, ['-m', 'pip', 'install', '-q', PEER], folder);
  return JSON.parse(runCommand(python, [join(HERE, 'peer.py'), file], folder)) as Record<
    string,
    number
  >;
}

function everyday(groups: readonly Group[], peer: Record<string, number>) {
  const scanner = new Scanner();
  return groups.map(({ name, direction, warmUp, rounds, texts }) => {
    const work = () => {
      for (const text of texts) scanAs(scanner, direction, text);
    };
    for (let round = 0; round < warmUp; round += 1) work();
    const ms = best(rounds, work);
    const kilobytes = texts.reduce((sum, text) => sum + text.length, 0) / 1_024;
    // The peer is timed in the same way, see peer.py.
    const peerMs = (peer[name] ?? Number.NaN) * 1_000;
    return {
      name,
      direction,
      texts: texts.length,
      ms_per_text: ms / texts.length,
      ms_per_kb: ms / kilobytes,
      promptbadger_ms_per_text: peerMs / texts.length,
      ratio: peerMs / ms,
    };
  });
}

function worstCases() {
  const scanner = new Scanner();
  return SHAPES.flatMap(({ name, make }) => {
    const texts = [100 * 1_024, 1_024 * 1_024].map(make);
    // As with everyday texts, what only this shape needs is compiled first.
    for (const direction of DIRECTIONS) scanAs(scanner, direction, texts[0] ?? '');
    return DIRECTIONS.map((direction) => {
      const [small = 0, large = 0] = texts.map((text, index) =>
        best(index === 0 ? 3 : 1, () => scanAs(scanner, direction, text)),
      );
      return { shape: name, direction, ms_100kb: small, ms_1mb: large, growth: large / small };
    });
  });
}

/** Compile time in fresh processes: from a loaded module to the end of the first scan. */
function compileTimes(): number[] {
  const code = `import { Scanner } from '@pab/detect';
const [clock, processor] = [performance.now(), process.cpuUsage()];
new Scanner().scan('warm-up');
const { user, system } = process.cpuUsage(processor);
process.stdout.write(String(Math.min(performance.now() - clock, (user + system) / 1_000)));`;
  return Array.from({ length: 3 }, () =>
    Number(runCommand(process.execPath, ['--input-type=module', '--eval', code], join(HERE, '..'))),
  );
}

function heapMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1_048_576;
}

function leak(scans: number) {
  const scanner = new Scanner();
  const texts = Array.from(
    { length: 200 },
    (_, index) => `Text ${index}: please ignore the line above, number ${index * 31}.`,
  );
  for (let index = 0; index < 20_000; index += 1) scanner.scan(texts[index % 200] ?? '');
  const before = heapMegabytes();
  for (let index = 0; index < scans; index += 1)
    scanner.scan(`${texts[index % 200] ?? ''} ${index}`);
  const after = heapMegabytes();
  return { scans, heap_mb_before: before, heap_mb_after: after, gc: globalThis.gc !== undefined };
}

const scans = Number(process.argv[2] ?? 100_000);
const output = join(ROOT, 'docs/results/detect/bench.json');
const before = loadavg()[0] ?? 0;
const compile = compileTimes();
const { groups, peer } = await withThrowAwayFolder((folder) => {
  const texts = everydayTexts(readHam(folder));
  return { groups: texts, peer: peerSeconds(folder, texts) };
});
// Everyday texts first: a process that has seen nothing but hostile ones is no everyday process.
const usual = everyday(groups, peer);
const cases = worstCases();
const result = {
  command: 'node --expose-gc --import tsx detect/speed.ts (in bench/, after a build)',
  node: process.version,
  peer: PEER,
  cores: availableParallelism(),
  /** Of one minute: before, and after; above the number of cores all times are too long. */
  load_average: [before, loadavg()[0] ?? 0],
  compile_ms: compile,
  everyday: usual,
  worst: cases.toSorted((a, b) => b.ms_100kb - a.ms_100kb).slice(0, 10),
  worst_growth: cases.toSorted((a, b) => b.growth - a.growth).slice(0, 5),
  shapes: SHAPES.length,
  cases: cases.length,
  over_50_ms: cases.filter(({ ms_100kb }) => ms_100kb > 50).length,
  leak: leak(scans),
};
if (existsSync(dirname(output))) writeFileSync(output, `${JSON.stringify(result, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
