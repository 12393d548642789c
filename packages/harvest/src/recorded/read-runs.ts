import { type ReadOptions, readRows } from '../readers/read-rows.js';
import { type ReadItem, type ReadRow, type RejectedRow, reject } from '../row.js';
import type { ByteSource } from '../source.js';
import type { RecordedItem, RunFormat } from './recorded-trial.js';
import { looksLike, RUN_READERS, readerFor } from './registry.js';
import type { FileReader, RunReader, RunReadOptions } from './run-reader.js';

export interface ReadRunsOptions extends RunReadOptions {
  /** Left out: told from each file. */
  readonly format?: RunFormat;
  readonly read?: ReadOptions;
  /** Told of each file (of an archive, too) from which a row came, once. */
  readonly onFile?: (name: string) => void;
}

/** The rows of one file, or of the files of one log. */
interface Open {
  readonly group: string;
  readonly name: string;
  /** Null where no format fits; its rows are then refused. */
  readonly reader: RunReader | null;
  readonly file: FileReader | null;
}

function groupOf(name: string, format: RunFormat | undefined): string {
  for (const { format: known, group } of RUN_READERS) {
    if (group !== undefined && (format === undefined || known === format)) return group(name);
  }
  return name;
}

function misfit(row: ReadRow, reader: RunReader | null): RejectedRow {
  const found = looksLike(row.value);
  const wanted = reader === null ? 'a recorded run of a known format' : reader.title;
  return reject(
    row.place,
    `not ${wanted}${found === null ? '' : `; it looks like ${found}`}`,
    JSON.stringify(row.value).slice(0, 400),
  );
}

/**
 * Reads recorded runs of any known format: a file, an archive of files, a compressed one. Each row comes as a trial or as
 * a reject with its place and reason, in order; one row is held at a time (the spans of an OpenTelemetry trace, together).
 */
export async function* readRuns(
  source: ByteSource,
  options: ReadRunsOptions = {},
): AsyncGenerator<RecordedItem> {
  const { format, read = {}, onFile } = options;
  const forced = format === undefined ? null : readerFor(format);
  let open: Open | null = null;
  let seen = '';

  const openFor = (item: ReadItem): Open => {
    const { file: name } = item.place;
    const value = item.kind === 'row' ? item.value : undefined;
    const reader = forced ?? RUN_READERS.find((each) => each.recognises(value)) ?? null;
    const file = reader?.open({ name, options }) ?? null;
    return { group: groupOf(name, format), name, reader, file };
  };

  for await (const item of readRows(source, read)) {
    const { file: name } = item.place;
    if (name !== seen) {
      seen = name;
      onFile?.(name);
    }
    if (open !== null && open.group !== groupOf(name, format)) {
      yield* open.file?.end?.() ?? [];
      open = null;
    }
    // A file may begin with a row that cannot be read, or that tells nothing: the next one may tell.
    if (open === null || (open.reader === null && item.kind === 'row')) open = openFor(item);
    if (item.kind === 'reject') {
      yield item;
    } else if (open.reader === null || open.file === null) {
      yield misfit(item, null);
    } else if (
      forced !== null &&
      !forced.recognises(item.value) &&
      looksLike(item.value) !== null
    ) {
      yield misfit(item, forced);
    } else yield* open.file.row(item);
  }
  if (open !== null) yield* open.file?.end?.() ?? [];
}
