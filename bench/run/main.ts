// Runs one bench in this process, prints what it found, and keeps it under docs/results/run/.
//
//   node --conditions=@pab/source --import tsx [--expose-gc] run/main.ts trial-rate|load-corpus|memory|cold-start
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { coldStart } from './cold-start.js';
import { loadCorpusTime, loadFile } from './load-corpus.js';
import { machine } from './machine.js';
import { memoryOfRun } from './memory.js';
import { trialRate } from './trial-rate.js';

const benches: Readonly<Record<string, () => Promise<object>>> = {
  'trial-rate': trialRate,
  'load-corpus': loadCorpusTime,
  memory: memoryOfRun,
  'cold-start': coldStart,
};

const [name = '', file = ''] = process.argv.slice(2);
if (name === 'load-file') {
  process.stdout.write(JSON.stringify(await loadFile(file)));
} else {
  const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (bench === undefined) throw new Error(`there is no bench ${name}`);
  const before = machine();
  const result = { bench: name, command: `npm run bench -- run/${name}`, machine: before };
  const text = `${JSON.stringify({ ...result, ...(await bench()) }, null, 2)}\n`;
  process.stdout.write(text);
  const folder = fileURLToPath(new URL('../../docs/results/run/', import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}${name}.json.part`, text);
  await rename(`${folder}${name}.json.part`, `${folder}${name}.json`);
}
