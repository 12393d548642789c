import type { WrittenFile } from './line-writer.js';

export interface SourceFile {
  readonly file: string;
  readonly format: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly licence: string | null;
  readonly revision: string | null;
  readonly rows_read: number;
}

/** What `manifest.json` says. Always `rows_read` = `rows_written` + `rejected` + `duplicates`. */
export interface HarvestManifest {
  readonly schema: 1;
  /** The files that were read, joined by ` + `. */
  readonly source: string;
  readonly title: string;
  readonly url: string | null;
  readonly licence: string | null;
  readonly revision: string | null;
  /** Of the one file, or of the list of names and digests where there are several. */
  readonly sha256: string;
  readonly files: readonly SourceFile[];
  readonly rows_read: number;
  readonly rows_written: number;
  readonly rejected: number;
  readonly duplicates: number;
  readonly texts: number;
  readonly scenarios: number;
  readonly worlds: number;
  readonly labels: { readonly attack: number; readonly benign: number; readonly unknown: number };
  /** Rows that share a cluster with an earlier one, and the number of such clusters; null where it was not looked for. */
  readonly near_duplicates: { readonly clusters: number; readonly rows: number } | null;
  readonly label_conflicts: number | null;
  readonly splits: Readonly<Record<string, number>>;
  /** Written rows that also stand (exactly, or nearly) in the files of `--against`. */
  readonly contamination: {
    readonly against: readonly string[];
    readonly exact: number;
    readonly near: number;
  } | null;
  /** Masked pieces by kind; null where nothing was looked for. */
  readonly redacted: Readonly<Record<string, number>> | null;
  readonly notes: readonly string[];
  readonly options: {
    readonly dedupe: string;
    readonly threshold: number;
    readonly seed: number;
    readonly split: string | null;
    readonly limit: number | null;
    readonly wrap: string | null;
  };
  readonly outputs: Readonly<Record<string, WrittenFile>>;
}
