import type { Dedupe } from './duplicates/ledger.js';
import type { ColumnOptions } from './importers/importer.js';
import type { ReadOptions } from './readers/read-rows.js';
import type { ByteSource } from './source.js';
import type { SplitPart } from './splits.js';
import type { WrapOptions } from './wrap.js';

export interface HarvestOptions {
  /** Files in the order in which they are read. Files that only accompany another (tools, attacks) may be named too. */
  readonly sources: readonly ByteSource[];
  /** Folder that is made. It must not exist, or be empty. */
  readonly out: string;
  /** Replaces a folder that an earlier harvest made. */
  readonly force?: boolean;
  /** Name of an importer; left out: recognised from the content. */
  readonly format?: string;
  readonly columns?: ColumnOptions;
  readonly read?: ReadOptions;
  /** `near` (the default) leaves out exact duplicates and names clusters of near ones; `off` holds nothing in memory. */
  readonly dedupe?: Dedupe;
  /** Least similarity of near duplicates, 0 to 1; .8 unless given. */
  readonly threshold?: number;
  /** Of the duplicate search and the splits; 0 unless given. */
  readonly seed?: number;
  readonly splits?: readonly SplitPart[];
  /** Files whose texts the rows are checked against. */
  readonly against?: readonly ByteSource[];
  readonly wrap?: WrapOptions;
  readonly redact?: boolean;
  /** Units to read at most. */
  readonly limit?: number;
  /** Overrides what the source states. */
  readonly licence?: string;
  readonly revision?: string;
  readonly signal?: AbortSignal;
  /** Told the number of units read, every 10,000. */
  readonly onProgress?: (read: number) => void;
}
