import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataCard } from './data-card.js';
import { Ledger } from './duplicates/ledger.js';
import { HarvestError } from './errors.js';
import type { HarvestOptions } from './harvest-options.js';
import type { Importer } from './importers/importer.js';
import { chooseImporter } from './importers/registry.js';
import type { HarvestManifest, SourceFile } from './manifest.js';
import { normaliseText } from './normalise.js';
import { Output } from './output.js';
import type { SensitiveKind } from './redact.js';
import { redactUnit } from './redact-unit.js';
import { reject } from './row.js';
import type { ByteSource } from './source.js';
import type { Unit } from './unit.js';
import { wrapper } from './wrap.js';

export interface HarvestResult {
  readonly manifest: HarvestManifest;
  readonly out: string;
}

const DEFAULT_THRESHOLD = 0.8;

async function sha256Of(source: ByteSource): Promise<{ sha256: string; bytes: number }> {
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const chunk of source.open()) {
    digest.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: digest.digest('hex'), bytes };
}

async function isFree(out: string): Promise<boolean> {
  try {
    return (await readdir(out)).length === 0;
  } catch {
    return true;
  }
}

async function prepare({ out, force = false }: HarvestOptions): Promise<string> {
  if (!(await isFree(out))) {
    const names = await readdir(out);
    if (!force || !names.includes('manifest.json')) {
      throw new HarvestError(
        'output-exists',
        `${out} is not empty${names.includes('manifest.json') ? '; replace it with --force' : ' and was not made by pab harvest'}`,
      );
    }
  }
  const folder = `${out}.partial`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Files that only accompany another one are not read on their own. */
const COMPANIONS =
  /(?:^|__|\/)(?:tools\.json|all_normal_tools\.jsonl|agent_task\.jsonl|giskard_meta_data\.csv)$|(?:text|code)_attack_[a-z]+\.json$/u;

function split(sources: readonly ByteSource[]): readonly ByteSource[] {
  const main = sources.filter(({ name }) => !COMPANIONS.test(name));
  return main.length === 0 ? sources : main;
}

interface Counts {
  read: number;
  rejected: number;
  duplicates: number;
}

/** One run: what is counted, and where the units go. */
class Run {
  readonly options: HarvestOptions;
  readonly output: Output;
  readonly ledger: Ledger;
  readonly counts: Counts = { read: 0, rejected: 0, duplicates: 0 };
  readonly notes = new Set<string>();
  readonly masked = new Map<SensitiveKind, number>();
  readonly #wrap: ReturnType<typeof wrapper> | null;

  constructor(options: HarvestOptions, output: Output, ledger: Ledger) {
    this.options = options;
    this.output = output;
    this.ledger = ledger;
    this.#wrap = options.wrap === undefined ? null : wrapper(options.wrap);
  }

  get full(): boolean {
    return this.counts.read >= (this.options.limit ?? Number.POSITIVE_INFINITY);
  }

  /** Works on one unit; the promise is there only when the disk has to be waited for. */
  take(found: Unit): Promise<void> | undefined {
    this.counts.read += 1;
    if (this.counts.read % 10_000 === 0) this.options.onProgress?.(this.counts.read);
    let unit = found;
    if (this.#wrap !== null && unit.kind === 'text') unit = this.#wrap(unit);
    if (this.options.redact === true) {
      unit = redactUnit(unit, (kind, times) =>
        this.masked.set(kind, (this.masked.get(kind) ?? 0) + times),
      );
    }
    if (unit.kind === 'scenario' && this.output.hasScenario(unit.scenario.id)) {
      unit = reject(unit.place, `there is already a scenario "${unit.scenario.id}"`);
    }
    if (unit.kind === 'reject') {
      this.counts.rejected += 1;
      return this.output.reject(unit);
    }
    const { duplicate, written } =
      unit.kind === 'text'
        ? this.output.text(unit, normaliseText(unit.text.text))
        : this.output.scenario(unit);
    if (duplicate) this.counts.duplicates += 1;
    return written;
  }
}

async function readReference(options: HarvestOptions, ledger: Ledger): Promise<void> {
  for (const source of options.against ?? []) {
    const importer = await chooseImporter(source, undefined, options.read ?? {});
    const context = {
      source,
      others: [],
      read: options.read ?? {},
      columns: {},
      licence: null,
      world: () => undefined,
      note: () => undefined,
    };
    for await (const unit of importer.units(context)) {
      options.signal?.throwIfAborted();
      if (unit.kind === 'text') ledger.addReference(normaliseText(unit.text.text));
      else if (unit.kind === 'scenario') {
        for (const { payload } of unit.scenario.injections)
          ledger.addReference(normaliseText(payload));
      }
    }
  }
}

async function readSource(
  run: Run,
  source: ByteSource,
): Promise<{ file: SourceFile; importer: Importer }> {
  const { options } = run;
  const skipped: string[] = [];
  const read = { ...options.read, onSkip: (name: string) => void skipped.push(name) };
  const importer = await chooseImporter(source, options.format, options.read ?? {});
  const { sha256, bytes } = await sha256Of(source);
  if (bytes === 0) throw new HarvestError('empty', `${source.name} is empty`);
  const licence = options.licence ?? importer.licence(source.name);
  const before = run.counts.read;
  if (before === 0)
    run.output.corpus = { name: `imported-${importer.name}`, version: sha256.slice(0, 12) };
  const units = importer.units({
    source,
    others: options.sources.filter((other) => other !== source),
    read,
    columns: options.columns ?? {},
    licence,
    world: (world) => run.output.world(world),
    note: (text) => run.notes.add(`${source.name}: ${text}`),
  });
  for await (const unit of units) {
    options.signal?.throwIfAborted();
    if (run.full) {
      run.notes.add(`stopped at the limit of ${options.limit ?? 0} units`);
      break;
    }
    const written = run.take(unit);
    if (written !== undefined) await written;
  }
  for (const name of skipped.slice(0, 20)) run.notes.add(`${name}: not data, passed over`);
  const revision = options.revision ?? null;
  return {
    importer,
    file: {
      file: source.name,
      format: importer.name,
      bytes,
      sha256,
      licence,
      revision,
      rows_read: run.counts.read - before,
    },
  };
}

function digestOfAll(files: readonly SourceFile[]): string {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return only.sha256;
  const list = files.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join('');
  return createHash('sha256').update(list).digest('hex');
}

function same<T>(values: readonly T[]): T | null {
  return new Set(values).size === 1 ? (values[0] ?? null) : null;
}

async function runAll(options: HarvestOptions, folder: string): Promise<HarvestManifest> {
  const { dedupe = 'near', threshold = DEFAULT_THRESHOLD, seed = 0, splits = [] } = options;
  const ledger = new Ledger(dedupe, seed, threshold);
  await readReference(options, ledger);
  const output = await Output.create(folder, ledger, options.revision ?? null, {
    parts: splits,
    seed,
  });
  const run = new Run(options, output, ledger);
  const files: SourceFile[] = [];
  const importers = new Set<Importer>();
  try {
    for (const source of split(options.sources)) {
      if (run.full) break;
      const { file, importer } = await readSource(run, source);
      files.push(file);
      importers.add(importer);
    }
    if (run.counts.read === 0) {
      throw new HarvestError(
        'empty',
        `there is nothing to read in ${options.sources.map(({ name }) => name).join(', ')}`,
      );
    }
    const finished = await output.finish();
    const [importer] = importers;
    const { counts } = run;
    const written = finished.texts + finished.scenarios;
    if (written + counts.rejected + counts.duplicates !== counts.read) {
      throw new Error(
        `rows do not add up: ${counts.read} read, ${written} written, ${counts.rejected} rejected, ${counts.duplicates} duplicates`,
      );
    }
    return {
      schema: 1,
      source: files.map(({ file }) => file).join(' + '),
      title: [...importers].map(({ title }) => title).join(' + '),
      url:
        importers.size === 1 && importer !== undefined && importer.url !== '' ? importer.url : null,
      licence: same(files.map(({ licence }) => licence)),
      revision: options.revision ?? null,
      sha256: digestOfAll(files),
      files,
      rows_read: counts.read,
      rows_written: written,
      rejected: counts.rejected,
      duplicates: counts.duplicates,
      texts: finished.texts,
      scenarios: finished.scenarios,
      worlds: finished.worlds,
      labels: finished.labels,
      near_duplicates: finished.near,
      label_conflicts: dedupe === 'off' ? null : ledger.conflicts,
      splits: finished.splits,
      contamination:
        options.against === undefined || options.against.length === 0
          ? null
          : { against: options.against.map(({ name }) => name), ...finished.contamination },
      redacted:
        options.redact === true
          ? Object.fromEntries([...run.masked].toSorted(([a], [b]) => (a < b ? -1 : 1)))
          : null,
      notes: [...run.notes],
      options: {
        dedupe,
        threshold,
        seed,
        split:
          splits.length === 0
            ? null
            : splits.map(({ name, share }) => `${name}=${share}`).join(','),
        limit: options.limit ?? null,
        wrap:
          options.wrap === undefined ? null : `${options.wrap.channel} in ${options.wrap.world.id}`,
      },
      outputs: finished.outputs,
    };
  } finally {
    await output.abandon();
  }
}

/**
 * Imports public sets into a folder: `rows.jsonl` (labelled texts), `scenarios.jsonl` with `scenario-index.jsonl`, `worlds.jsonl`,
 * `rejects.jsonl`, `duplicates.jsonl`, `manifest.json` and `DATACARD.md`. The folder appears whole or not at all.
 *
 * @throws HarvestError when there is nothing to read, the format is unknown, or the folder is taken
 */
export async function harvest(options: HarvestOptions): Promise<HarvestResult> {
  const folder = await prepare(options);
  try {
    const manifest = await runAll(options, folder);
    await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, {
      flag: 'wx',
    });
    await writeFile(join(folder, 'DATACARD.md'), dataCard(manifest), { flag: 'wx' });
    await rm(options.out, { recursive: true, force: true });
    await rename(folder, options.out);
    return { manifest, out: options.out };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
