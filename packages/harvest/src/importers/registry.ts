import { HarvestError } from '../errors.js';
import { type ReadOptions, readRows } from '../readers/read-rows.js';
import type { ByteSource } from '../source.js';
import { agentInjectionBench } from './agent-injection-bench.js';
import { agentdojo } from './agentdojo.js';
import { asb } from './asb.js';
import { badgerRules } from './badger-rules.js';
import { bipia } from './bipia.js';
import { columnsImporter } from './columns.js';
import { cyberseceval } from './cyberseceval.js';
import { garak } from './garak.js';
import { giskard } from './giskard.js';
import type { Importer, Sample } from './importer.js';
import { injecagent } from './injecagent.js';
import { llmail } from './llmail.js';
import { notinject } from './notinject.js';
import { piarena } from './piarena.js';
import { promptfoo } from './promptfoo.js';
import { spikee } from './spikee.js';
import { xstest } from './xstest.js';

/** Every known source; the first that recognises a file reads it, and `texts` takes what is left. */
export const IMPORTERS: readonly Importer[] = [
  agentInjectionBench,
  badgerRules,
  injecagent,
  asb,
  agentdojo,
  piarena,
  bipia,
  llmail,
  promptfoo,
  garak,
  spikee,
  cyberseceval,
  giskard,
  xstest,
  notinject,
  columnsImporter,
];

const SAMPLE_ROWS = 12;
// A document larger than this is known by its name only.
const SAMPLE_LIMITS = { document: 16 * 1024 * 1024, row: 4 * 1024 * 1024 };

export async function sampleOf(source: ByteSource, options: ReadOptions): Promise<Sample> {
  const rows: unknown[] = [];
  for await (const item of readRows(source, {
    ...options,
    limits: { ...options.limits, ...SAMPLE_LIMITS },
  })) {
    if (item.kind === 'row') rows.push(item.value);
    if (rows.length >= SAMPLE_ROWS) break;
  }
  return { name: source.name, rows };
}

/** The importer of that name, or the one that recognises the file. */
export async function chooseImporter(
  source: ByteSource,
  name: string | undefined,
  options: ReadOptions,
): Promise<Importer> {
  if (name !== undefined) {
    const named = IMPORTERS.find((importer) => importer.name === name);
    if (named !== undefined) return named;
    const known = IMPORTERS.map((importer) => importer.name).join(', ');
    throw new HarvestError(
      'unknown-format',
      `there is no format ${JSON.stringify(name)}; known: ${known}`,
    );
  }
  const sample = await sampleOf(source, options);
  return IMPORTERS.find((importer) => importer.recognises(sample)) ?? columnsImporter;
}
