import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Findings } from './findings.js';

const RUN_FILES = new Set([
  'manifest.json',
  'summary.json',
  'timings.jsonl',
  'transcripts',
  'trials.jsonl',
]);

/** A run is its own files and no others: nothing beside them, nothing missing, no link that leads elsewhere. */
export async function strayFiles(folder: string, findings: Findings): Promise<void> {
  const fault = (file: string, message: string): void => {
    findings.add({ check: 'plan', file, message });
  };
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    if (entry.isSymbolicLink()) fault(entry.name, 'this is a link; a run holds its own files');
    else if (!RUN_FILES.has(entry.name)) fault(entry.name, 'this file is no part of a run');
  }
  if (!entries.some(({ name }) => name === 'timings.jsonl')) {
    fault('timings.jsonl', 'this file of the run is missing');
  }
  const inside = await readdir(join(folder, 'transcripts'), { withFileTypes: true }).catch(
    () => [],
  );
  const parts = inside
    .map(({ name }) => name)
    .filter((name) => /^\d{5,}\.jsonl$/.test(name))
    .toSorted();
  for (const entry of inside) {
    const { name } = entry;
    const file = `transcripts/${name}`;
    const index = parts.indexOf(name);
    if (entry.isSymbolicLink()) fault(file, 'this is a link; a run holds its own files');
    else if (index === -1) fault(file, 'this file is no part of a run');
    else if (Number(name.slice(0, -6)) !== index) {
      fault(file, `the transcripts before ${name} are not all there`);
    } else if ((await stat(join(folder, file))).size === 0) fault(file, 'this file is empty');
  }
}
