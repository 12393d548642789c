import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ParquetReader, ReadRow } from '@pab/harvest';
import { CliError } from '../errors.js';

async function parquetReader(): Promise<ParquetReader> {
  try {
    return (await import('@pab/harvest/parquet')).parquetReader;
  } catch (cause) {
    throw new CliError('Parquet files need the packages hyparquet and hyparquet-compressors', {
      cause,
    });
  }
}

export interface RowsOfFile {
  readonly rows: readonly ReadRow[];
  /** One line for each row that could not be read. */
  readonly rejected: readonly string[];
}

/** Reads all rows of a data file of any format that `@pab/harvest` knows. */
export async function readDataFile(path: string, cwd: string): Promise<RowsOfFile> {
  const full = resolve(cwd, path);
  const found = await stat(full).catch(() => undefined);
  if (found?.isDirectory()) throw new CliError(`${path} is a folder; name the file in it`);
  if (!(found?.isFile() ?? false)) throw new CliError(`there is no file ${path}`);
  const { describePlace, fileSource, readRows } = await import('@pab/harvest');
  const parquet = /\.parquet$/i.test(path) ? { parquet: await parquetReader() } : {};
  const rows: ReadRow[] = [];
  const rejected: string[] = [];
  for await (const item of readRows(await fileSource(full), parquet)) {
    if (item.kind === 'row') rows.push(item);
    else rejected.push(`${describePlace(item.place)}: ${item.reason}`);
  }
  return { rows, rejected };
}
