import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { type ReadItem, reject } from './row.js';
import type { ByteSource } from './source.js';

const BATCH = 10_000;

/** Cells as JSON has them: big integers that fit become numbers, dates and bytes become text. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : value.toString();
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** Reads the rows of a Parquet file, some thousand at a time. Needs the peers `hyparquet` and `hyparquet-compressors`. */
export async function* parquetReader(source: ByteSource): AsyncGenerator<ReadItem> {
  const { size } = source;
  if (size === null || source.slice === undefined) {
    yield reject(
      { file: source.name },
      'a Parquet file is read from its end, which this source cannot',
    );
    return;
  }
  const read = source.slice.bind(source);
  const file = {
    byteLength: size,
    slice: async (start: number, end?: number): Promise<ArrayBuffer> => {
      const from = start < 0 ? Math.max(0, size + start) : start;
      const bytes = await read(from, Math.min(end ?? size, size));
      // A copy of its own: the reader keeps views of the buffer.
      return new Uint8Array(bytes).buffer;
    },
  };
  const tail = size < 12 ? null : await read(size - 4, size);
  if (tail === null || Buffer.from(tail).toString('latin1') !== 'PAR1') {
    yield reject(
      { file: source.name },
      'not a whole Parquet file: it does not end with PAR1, as one that was cut off does not',
    );
    return;
  }
  let row = 0;
  let footer = false;
  try {
    const metadata = await parquetMetadataAsync(file);
    footer = true;
    const total = Number(metadata.num_rows);
    while (row < total) {
      const rowEnd = Math.min(row + BATCH, total);
      const rows = await parquetReadObjects({ file, metadata, compressors, rowStart: row, rowEnd });
      for (const value of rows) {
        row += 1;
        yield { kind: 'row', value: plain(value), place: { file: source.name, row } };
      }
      if (rows.length === 0) break;
    }
    if (row < total) {
      yield reject(
        { file: source.name, row: row + 1 },
        `${total - row} rows announced and not there`,
      );
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown error';
    yield footer
      ? reject(
          { file: source.name, row: row + 1 },
          `the Parquet data are broken from this row on (${reason})`,
        )
      : reject({ file: source.name }, `the footer of this Parquet file is broken (${reason})`);
  }
}
