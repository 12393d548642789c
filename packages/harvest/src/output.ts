import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, digest, type World } from '@pab/model';
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

const DRAFT = '.draft';
const NO_LIMIT = 1024 * 1024 * 1024;

/** The files of one harvest. Clusters are known only at the end, so rows are written twice unless duplicates are not looked for. */
export class Output {
  readonly #folder: string;
  readonly #ledger: Ledger;
  readonly #revision: string | null;
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

  private constructor(folder: string, ledger: Ledger, revision: string | null) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#revision = revision;
  }

  static async create(folder: string, ledger: Ledger, revision: string | null): Promise<Output> {
    const output = new Output(folder, ledger, revision);
    for (const name of [
      'rows.jsonl',
      'scenarios.jsonl',
      'scenario-index.jsonl',
      'rejects.jsonl',
      'duplicates.jsonl',
      'worlds.jsonl',
    ]) {
      const draft = name === 'rows.jsonl' || name === 'scenario-index.jsonl' ? name + DRAFT : name;
      output.#writers.set(name, await LineWriter.create(join(folder, draft)));
    }
    return output;
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
    key: string,
    id: string,
    unit: TextUnit | ScenarioUnit,
    standing: string,
  ): Taken | null {
    const held = this.#ledger.repeats(key);
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
    const key = `text\0${label ?? ''}\0${exactKey(text)}`;
    const repeated =
      text === '' ? null : this.#repeated(key, id, unit, `rows.jsonl:${writer.lines + 1}`);
    if (repeated !== null) return repeated;
    const number = this.#ledger.add(text, label);
    const exact = this.#ledger.inReference(text);
    this.#labels[label ?? 'unknown'] += 1;
    this.#texts += 1;
    const line = `${number}\t${exact ? 1 : 0}\t${openRow(unit, text, this.#revision)}`;
    return { duplicate: false, written: writer.write(line) };
  }

  hasScenario(id: string): boolean {
    return this.#scenarioIds.has(id);
  }

  scenario(unit: ScenarioUnit): Taken {
    const { scenario, world } = unit;
    // These number the rows of a source, which does not make two of them different.
    const { id, title: _title, description: _description, taskId: _taskId, ...rest } = scenario;
    const repeated = this.#repeated(
      `scenario\0${canonicalJson(rest)}`,
      id,
      unit,
      `scenarios.jsonl ${id}`,
    );
    if (repeated !== null) return repeated;
    const text = scenarioText(unit);
    const number = this.#ledger.add(text, 'scenario');
    const exact = this.#ledger.inReference(text);
    const writer = this.#to('scenarios.jsonl');
    if (writer.lines === 0)
      void writer.write(canonicalJson({ corpus: { schema: 1, ...this.corpus } }));
    let worldDigest = this.#worlds.get(world.id);
    if (worldDigest === undefined) {
      worldDigest = digest(world);
      this.#worlds.set(world.id, worldDigest);
      void writer.write(canonicalJson({ world, digest: worldDigest }));
    }
    this.#scenarios += 1;
    this.#scenarioIds.add(id);
    const line = `${number}\t${exact ? 1 : 0}\t${openIndexRow(unit, this.#revision)}`;
    const index = this.#to('scenario-index.jsonl').write(line);
    const written = writer.write(canonicalJson({ scenario, worldDigest }));
    return {
      duplicate: false,
      written: index === undefined ? written : Promise.all([index, written]).then(() => undefined),
    };
  }

  async #close(name: string): Promise<WrittenFile> {
    const writer = this.#to(name);
    this.#writers.delete(name);
    return writer.close();
  }

  /** Puts cluster, split and contamination behind the rows of a draft. */
  async #complete(
    name: string,
    clusters: Clusters | null,
    parts: readonly SplitPart[],
    seed: number,
    counted: { splits: Map<string, number>; exact: number; near: number },
  ): Promise<void> {
    const draft = join(this.#folder, name + DRAFT);
    await this.#close(name);
    const writer = await LineWriter.create(join(this.#folder, name));
    const chunks: AsyncIterable<Uint8Array> = createReadStream(draft, {
      highWaterMark: 256 * 1024,
    });
    for await (const { text } of splitLines(decodeText(chunks, 'utf-8'), NO_LIMIT)) {
      const first = text.indexOf('\t');
      const entry = Number(text.slice(0, first));
      const exact = text[first + 1] === '1';
      const json = text.slice(first + 3);
      const cluster =
        clusters?.name(entry) ??
        (this.#ledger.dedupe === 'off' ? this.#ownCluster(json) : this.#ledger.own(entry));
      const near = !exact && clusters?.near(entry) === true;
      if (exact) counted.exact += 1;
      if (near) counted.near += 1;
      const part = parts.length === 0 ? null : splitOf(cluster, parts, seed);
      if (part !== null) counted.splits.set(part, (counted.splits.get(part) ?? 0) + 1);
      const tail = [
        `,"cluster":"${cluster}"`,
        part === null ? '' : `,"split":"${part}"`,
        exact ? ',"against":"exact"' : near ? ',"against":"near"' : '',
        '}',
      ].join('');
      const written = writer.write(json + tail);
      if (written !== undefined) await written;
    }
    await rm(draft);
    this.#outputs[name] = await writer.close();
  }

  /** Without duplicates looked for, a row is its own cluster; its digest names it. */
  #ownCluster(json: string): string {
    const found = /"sha256":"([0-9a-f]{12})/u.exec(json);
    return found?.[1] ?? Buffer.from(digestOf(json)).toString('hex', 0, 6);
  }

  async finish(parts: readonly SplitPart[], seed: number): Promise<Finished> {
    const clusters = this.#ledger.clusters();
    const counted = {
      splits: new Map<string, number>(parts.map(({ name }) => [name, 0])),
      exact: 0,
      near: 0,
    };
    for (const name of ['rows.jsonl', 'scenario-index.jsonl']) {
      await this.#complete(name, clusters, parts, seed, counted);
    }
    let worlds = this.#worlds.size;
    for (const name of ['scenarios.jsonl', 'rejects.jsonl', 'duplicates.jsonl', 'worlds.jsonl']) {
      const file = await this.#close(name);
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
      splits: Object.fromEntries(counted.splits),
      contamination: { exact: counted.exact, near: counted.near },
      outputs: this.#outputs,
    };
  }

  /** Closes what is still open, after a failure. */
  async abandon(): Promise<void> {
    for (const name of this.#writers.keys()) await this.#close(name);
  }
}
