import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, digest as digestOfWorld, type World } from '@pab/model';
import { type Clusters, digestOf, type Ledger } from './duplicates/ledger.js';
import { LineWriter, type WrittenFile } from './line-writer.js';
import { exactKey } from './normalise.js';
import { decodeText } from './readers/decode-text.js';
import { splitLines } from './readers/split-lines.js';
import type { RejectedRow } from './row.js';
import { type SplitPart, splitOf } from './splits.js';
import type { ScenarioUnit, TextUnit } from './unit.js';
import { openIndexRow, openRow, placeFields, scenarioText } from './written-row.js';

export interface Finished {
  readonly texts: number;
  readonly scenarios: number;
  readonly worlds: number;
  readonly labels: { readonly attack: number; readonly benign: number; readonly unknown: number };
  readonly near: { readonly clusters: number; readonly rows: number } | null;
  readonly splits: Readonly<Record<string, number>>;
  readonly contamination: { readonly exact: number; readonly near: number };
  readonly outputs: Readonly<Record<string, WrittenFile>>;
}

interface Taken {
  readonly duplicate: boolean;
  readonly written: Promise<void> | undefined;
}

/** How the rows are to be split. */
export interface SplitPlan {
  readonly parts: readonly SplitPart[];
  readonly seed: number;
}

const FILES = [
  'rows.jsonl',
  'scenarios.jsonl',
  'scenario-index.jsonl',
  'rejects.jsonl',
  'duplicates.jsonl',
  'worlds.jsonl',
] as const;
/** Files whose rows carry a cluster. */
const CLUSTERED: ReadonlySet<string> = new Set(['rows.jsonl', 'scenario-index.jsonl']);
const DRAFT = '.draft';
const NO_LIMIT = 1024 * 1024 * 1024;

/** The files of one harvest. Clusters of near duplicates are known only at the end, so only then are rows written twice. */
export class Output {
  readonly #folder: string;
  readonly #ledger: Ledger;
  readonly #revision: string | null;
  readonly #plan: SplitPlan;
  readonly #splits: Map<string, number>;
  readonly #contamination = { exact: 0, near: 0 };
  readonly #writers = new Map<string, LineWriter>();
  readonly #outputs: Record<string, WrittenFile> = {};
  readonly #worlds = new Map<string, string>();
  /** Where each kept key stands, for `duplicates.jsonl`. */
  readonly #standing: string[] = [];
  readonly #labels = { attack: 0, benign: 0, unknown: 0 };
  readonly #scenarioIds = new Set<string>();
  /** Name and version in the first line of `scenarios.jsonl`. */
  corpus = { name: 'imported', version: '0' };
  #texts = 0;
  #scenarios = 0;

  private constructor(folder: string, ledger: Ledger, revision: string | null, plan: SplitPlan) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#revision = revision;
    this.#plan = plan;
    this.#splits = new Map(plan.parts.map(({ name }) => [name, 0]));
  }

  static async create(
    folder: string,
    ledger: Ledger,
    revision: string | null,
    plan: SplitPlan,
  ): Promise<Output> {
    const output = new Output(folder, ledger, revision, plan);
    for (const name of FILES) {
      const draft = output.#isDraft(name) ? name + DRAFT : name;
      output.#writers.set(name, await LineWriter.create(join(folder, draft)));
    }
    return output;
  }

  #isDraft(name: string): boolean {
    return this.#ledger.dedupe === 'near' && CLUSTERED.has(name);
  }

  #to(name: string): LineWriter {
    const writer = this.#writers.get(name);
    if (writer === undefined) throw new Error(`${name} is closed`);
    return writer;
  }

  reject({ place, reason, excerpt }: RejectedRow): Promise<void> | undefined {
    const row = { ...placeFields(place), reason, ...(excerpt === undefined ? {} : { excerpt }) };
    return this.#to('rejects.jsonl').write(JSON.stringify(row));
  }

  /** A world that comes in without scenarios. */
  world(world: World): void {
    void this.#to('worlds.jsonl').write(canonicalJson(world));
  }

  #repeated(
    digest: Uint8Array,
    kind: number,
    id: string,
    unit: TextUnit | ScenarioUnit,
    standing: string,
  ): Taken | null {
    const held = this.#ledger.repeats(digest, kind);
    if (held === -1) {
      if (this.#ledger.dedupe !== 'off') this.#standing.push(standing);
      return null;
    }
    const row = { id, of: this.#standing[held] ?? '', ...placeFields(unit.place) };
    return { duplicate: true, written: this.#to('duplicates.jsonl').write(JSON.stringify(row)) };
  }

  text(unit: TextUnit, text: string): Taken {
    const { label, id } = unit.text;
    const writer = this.#to('rows.jsonl');
    const key = exactKey(text);
    const digest = digestOf(key);
    const kind = label === null ? 0 : label === 'attack' ? 1 : 2;
    // An empty text says nothing, so it repeats nothing.
    const repeated =
      text === '' ? null : this.#repeated(digest, kind, id, unit, `rows.jsonl:${writer.lines + 1}`);
    if (repeated !== null) return repeated;
    const number = this.#ledger.add(text, digest, label);
    const exact = this.#ledger.inReference(digest);
    this.#labels[label ?? 'unknown'] += 1;
    this.#texts += 1;
    const own = key === text ? digest : digestOf(text);
    const line = this.#row(number, exact, openRow(unit, text, own, this.#revision));
    return { duplicate: false, written: writer.write(line) };
  }

  hasScenario(id: string): boolean {
    return this.#scenarioIds.has(id);
  }

  scenario(unit: ScenarioUnit): Taken {
    const { scenario, world } = unit;
    // These number the rows of a source, which does not make two of them different.
    const {
      id,
      title: _title,
      description: _description,
      taskId: _taskId,
      source: _source,
      ...rest
    } = scenario;
    const key = digestOf(canonicalJson(rest));
    const repeated = this.#repeated(key, 3, id, unit, `scenarios.jsonl ${id}`);
    if (repeated !== null) return repeated;
    const text = scenarioText(unit);
    const hostile = digestOf(exactKey(text));
    const number = this.#ledger.add(text, hostile, 'scenario');
    const exact = this.#ledger.inReference(hostile);
    const writer = this.#to('scenarios.jsonl');
    if (writer.lines === 0)
      void writer.write(canonicalJson({ corpus: { schema: 1, ...this.corpus } }));
    let worldDigest = this.#worlds.get(world.id);
    if (worldDigest === undefined) {
      worldDigest = digestOfWorld(world);
      this.#worlds.set(world.id, worldDigest);
      void writer.write(canonicalJson({ world, digest: worldDigest }));
    }
    this.#scenarios += 1;
    this.#scenarioIds.add(id);
    const line = this.#row(number, exact, openIndexRow(unit, this.#revision));
    const index = this.#to('scenario-index.jsonl').write(line);
    const written = writer.write(canonicalJson({ scenario, worldDigest }));
    return {
      duplicate: false,
      written: index === undefined ? written : Promise.all([index, written]).then(() => undefined),
    };
  }

  async #shut(name: string): Promise<WrittenFile> {
    const writer = this.#to(name);
    this.#writers.delete(name);
    return writer.close();
  }

  /** A row as it is written first: whole where its cluster is known, otherwise a draft with its number in front. */
  #row(number: number, exact: boolean, open: string): string {
    if (this.#ledger.dedupe === 'near') return `${number}\t${exact ? 1 : 0}\t${open}`;
    const cluster = this.#ledger.dedupe === 'off' ? ownCluster(open) : this.#ledger.own(number);
    return this.#close(open, cluster, exact, false);
  }

  /** Puts cluster, split and contamination behind a row, and counts them. */
  #close(open: string, cluster: string, exact: boolean, near: boolean): string {
    const { parts, seed } = this.#plan;
    if (exact) this.#contamination.exact += 1;
    if (near) this.#contamination.near += 1;
    const part = parts.length === 0 ? null : splitOf(cluster, parts, seed);
    if (part !== null) this.#splits.set(part, (this.#splits.get(part) ?? 0) + 1);
    const split = part === null ? '' : `,"split":"${part}"`;
    const against = exact ? ',"against":"exact"' : near ? ',"against":"near"' : '';
    return `${open},"cluster":"${cluster}"${split}${against}}`;
  }

  async #complete(name: string, clusters: Clusters): Promise<void> {
    const draft = join(this.#folder, name + DRAFT);
    await this.#shut(name);
    const writer = await LineWriter.create(join(this.#folder, name));
    const chunks: AsyncIterable<Uint8Array> = createReadStream(draft, {
      highWaterMark: 256 * 1024,
    });
    for await (const { text } of splitLines(decodeText(chunks, 'utf-8'), NO_LIMIT)) {
      const first = text.indexOf('\t');
      const entry = Number(text.slice(0, first));
      const exact = text[first + 1] === '1';
      const near = !exact && clusters.near(entry);
      const line = this.#close(text.slice(first + 3), clusters.name(entry), exact, near);
      const written = writer.write(line);
      if (written !== undefined) await written;
    }
    await rm(draft);
    this.#outputs[name] = await writer.close();
  }

  async finish(): Promise<Finished> {
    const clusters = this.#ledger.clusters();
    let worlds = this.#worlds.size;
    for (const name of FILES) {
      if (clusters !== null && CLUSTERED.has(name)) {
        await this.#complete(name, clusters);
        continue;
      }
      const file = await this.#shut(name);
      this.#outputs[name] = file;
      if (name === 'worlds.jsonl') worlds += file.lines;
    }
    // A file without lines says nothing that the manifest does not say.
    for (const [name, { lines }] of Object.entries(this.#outputs)) {
      if (lines > 0 || name === 'rejects.jsonl') continue;
      await rm(join(this.#folder, name));
      delete this.#outputs[name];
    }
    return {
      texts: this.#texts,
      scenarios: this.#scenarios,
      worlds,
      labels: this.#labels,
      near: clusters === null ? null : { clusters: clusters.clusters, rows: clusters.rows },
      splits: Object.fromEntries(this.#splits),
      contamination: this.#contamination,
      outputs: this.#outputs,
    };
  }

  /** Closes what is still open, after a failure. */
  async abandon(): Promise<void> {
    for (const name of this.#writers.keys()) await this.#shut(name);
  }
}

/** Without duplicates looked for, a row is its own cluster; its digest names it. */
function ownCluster(open: string): string {
  const found = /"sha256":"([0-9a-f]{12})/u.exec(open);
  return found?.[1] ?? Buffer.from(digestOf(open)).toString('hex', 0, 6);
}
