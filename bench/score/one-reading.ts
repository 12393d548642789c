// Scores one file as `pab score` does, and prints what came of it with the time and the memory that this process took.
import { fileSource } from '@pab/harvest';
import { readRuns } from '@pab/harvest/runs';
import { createRecordedSummary } from '@pab/score';
import { cpuSeconds } from '../run/machine.js';

const [, , file = '', resamples = '2000'] = process.argv;
const started = performance.now();
const cpu = cpuSeconds();
const builder = createRecordedSummary({ seed: 0, resamples: Number(resamples) });
let rejected = 0;
for await (const item of readRuns(await fileSource(file))) {
  if (item.kind === 'reject') rejected += 1;
  else builder.add(item);
}
const summary = builder.finish();
const measured = {
  wall_s: (performance.now() - started) / 1000,
  cpu_s: cpuSeconds() - cpu,
  // Kilobytes, of the process at its largest.
  peak_mb: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(JSON.stringify({ measured, rejected, summary }));
