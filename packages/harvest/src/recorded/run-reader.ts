import { isRecord } from '../fields.js';
import { type Place, type ReadRow, type RejectedRow, reject } from '../row.js';
import type { RecordedItem, RunFormat } from './recorded-trial.js';

/** What is known about a file before its rows are read. */
export interface FileContext {
  /** As it stands in places: `archive.tar.gz!folder/file.json`. */
  readonly name: string;
  readonly options: RunReadOptions;
}

export interface RunReadOptions {
  /** Score from which a garak detector counts as a hit, in [0, 1]; 0.5, garak's own default. */
  readonly threshold?: number;
  /**
   * What `success` means in Spikee results: `model`, the attack worked; `guard`, the guard flagged the text (files of
   * version 0.1) — or `guard-bypassed`, it did not (from 0.2.0). Told from the rows and the name unless given.
   */
  readonly spikee?: 'model' | 'guard' | 'guard-bypassed';
  /** Name of the agent, in place of what the recording says. */
  readonly pipeline?: string;
}

/** Reads the rows of one file. */
export interface FileReader {
  readonly row: (row: ReadRow) => Iterable<RecordedItem>;
  /** After the last row. */
  readonly end?: () => Iterable<RecordedItem>;
}

/** One format of recorded runs. */
export interface RunReader {
  readonly format: RunFormat;
  /** For people: what a file of it is called. */
  readonly title: string;
  /** Whether a row is of this format. Cheap, and true of no row of another format. */
  readonly recognises: (value: unknown) => boolean;
  /** The name under which files belong together: the members of an `.eval` are one log. The name itself unless given. */
  readonly group?: (name: string) => string;
  readonly open: (file: FileContext) => FileReader;
}

export function refuseRow(place: Place, reason: string, value: unknown): RejectedRow {
  return reject(
    place,
    reason,
    isRecord(value) ? JSON.stringify(value).slice(0, 400) : String(value),
  );
}

/** The last step of a name without its ending, `a.tar.gz!runs/x.jsonl` gives `x`: what a run is called that has no name. */
export function fileStem(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('!'), name.lastIndexOf('/')) + 1);
  return last.replace(/(?:\.(?:jsonl?|ndjson|csv|tsv|eval|gz|zip|tar|tgz))+$/iu, '') || last;
}
