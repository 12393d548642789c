import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { median, rounded } from './machine.js';

const TIMES = 15;
/** What `node -e 0` took on the same machine when nothing else ran; a busy one is scaled to it. */
const IDLE_NODE_MS = 72;
const bin = fileURLToPath(new URL('../../packages/cli/dist/bin.js', import.meta.url));

const COMMANDS = [
  { name: 'node -e 0', args: ['-e', '0'], wantedMs: undefined },
  { name: 'pab --help', args: [bin, '--help'], wantedMs: 200 },
  { name: 'pab list', args: [bin, 'list'], wantedMs: 350 },
] as const;

function timeOf(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let read = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      read += chunk.length;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0 || (args.includes(bin) && read === 0)) {
        reject(new Error(`${args.join(' ')} ended with ${code} and ${read} bytes`));
      } else resolve(performance.now() - started);
    });
  });
}

/** Commands of the built package from start to end, in turn, so that a busy moment falls on all. */
export async function coldStart() {
  if ((await stat(bin).catch(() => undefined)) === undefined) {
    throw new Error('packages/cli is not built: npm run build');
  }
  const times = COMMANDS.map(() => [] as number[]);
  for (let round = 0; round < TIMES; round += 1) {
    for (const [index, { args }] of COMMANDS.entries()) {
      times[index]?.push(await timeOf(args));
    }
  }
  const node = median(times[0] ?? []);
  const rows = COMMANDS.map(({ name, wantedMs }, index) => {
    const all = times[index] ?? [];
    return {
      name,
      medianMs: rounded(median(all), 0),
      bestMs: rounded(Math.min(...all), 0),
      timesNode: rounded(median(all) / node, 2),
      scaledMs: rounded((median(all) / node) * IDLE_NODE_MS, 0),
      ...(wantedMs === undefined
        ? {}
        : {
            wantedMs,
            met: median(all) < wantedMs,
            metScaled: (median(all) / node) * IDLE_NODE_MS < wantedMs,
          }),
    };
  });
  return {
    what: `wall time of a command, built, ${TIMES} times each, in turn`,
    idleNodeMs: IDLE_NODE_MS,
    met: rows.every(({ met = true }) => met),
    metScaled: rows.every(({ metScaled = true }) => metScaled),
    rows,
  };
}
