import { IMPORTERS } from '../importers/registry.js';
import { agentdojoRuns } from './agentdojo.js';
import { asbRuns } from './asb.js';
import { anthropicRuns, openaiRuns, otelRuns } from './chat-runs.js';
import { garakRuns } from './garak.js';
import { injecagentRuns } from './injecagent.js';
import { inspectRuns } from './inspect.js';
import { pabRuns } from './pab.js';
import { promptfooRuns } from './promptfoo.js';
import type { RunFormat } from './recorded-trial.js';
import type { RunReader } from './run-reader.js';
import { spikeeRuns } from './spikee.js';
import { tauRuns } from './tau-bench.js';

/** In the order in which they are asked about a row. */
export const RUN_READERS: readonly RunReader[] = [
  pabRuns,
  agentdojoRuns,
  inspectRuns,
  injecagentRuns,
  asbRuns,
  spikeeRuns,
  garakRuns,
  promptfooRuns,
  tauRuns,
  otelRuns,
  anthropicRuns,
  openaiRuns,
];

export function readerFor(format: RunFormat): RunReader {
  const found = RUN_READERS.find((reader) => reader.format === format);
  if (found === undefined) throw new RangeError(`there is no reader for ${format}`);
  return found;
}

/** What a row that does not fit is, in words; null where nothing is known of it. */
export function looksLike(value: unknown): string | null {
  const run = RUN_READERS.find((reader) => reader.recognises(value))?.title;
  if (run !== undefined) return run;
  // The last importer takes any table.
  const set = IMPORTERS.slice(0, -1).find((each) => each.recognises({ name: '', rows: [value] }));
  return set === undefined ? null : `a set of ${set.title}, which \`pab harvest\` reads`;
}
