import type { Place, ReadItem } from '../row.js';
import { reject } from '../row.js';
import { looksLikeHeader, parseCsvRecords, sniffCsvDialect } from './csv-dialect.js';
import type { CsvDialect, CsvRecord } from './csv-records.js';
import { cutCsvRecords } from './csv-records.js';
import type { Line } from './split-lines.js';

export interface CsvOptions {
  /** Left out: sniffed. */
  readonly delimiter?: string;
  /** Left out: guessed from the first record. */
  readonly header?: boolean;
}

type Good = Extract<CsvRecord, { ok: true }>;

const BATCH = 256;

function columnNames(cells: readonly string[], header: boolean): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell, index) => {
    const name = header && cell.trim() !== '' ? cell.trim() : `column_${index + 1}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name}_${times}`;
  });
}

function cellsOf(records: readonly Good[], dialect: CsvDialect): (string[] | null)[] {
  const together = parseCsvRecords(records.map(({ text }) => text).join('\n'), dialect);
  if (together !== null && together.length === records.length) return together;
  return records.map(({ text }) => {
    const alone = parseCsvRecords(text, dialect);
    return alone?.length === 1 ? (alone[0] ?? null) : null;
  });
}

/**
 * A table with delimiters: each record is a row, an object by column name (`column_1`, … without a header).
 * A record whose number of cells is not that of the header is refused, because a comma that spilled
 * would otherwise cut a text in silence. Line ends inside cells become `\n`.
 */
export async function* readCsv(
  file: string,
  head: string,
  lines: AsyncIterable<Line>,
  options: CsvOptions = {},
): AsyncGenerator<ReadItem> {
  const sniffed = await sniffCsvDialect(head, file);
  const dialect: CsvDialect =
    options.delimiter === undefined
      ? sniffed.dialect
      : { delimiter: options.delimiter, quote: '"' };
  let names: string[] | null = null;
  let rowNumber = 0;

  const emit = function* (batch: readonly Good[]): Generator<ReadItem> {
    const values = cellsOf(batch, dialect);
    let skip = 0;
    if (names === null) {
      if (batch.length === 0) return;
      const first = values[0] ?? [batch[0]?.text ?? ''];
      const below = values.slice(1).filter((row): row is string[] => row !== null);
      const header = options.header ?? looksLikeHeader(first, below);
      names = columnNames(first, header);
      skip = header ? 1 : 0;
    }
    for (let i = skip; i < batch.length; i += 1) {
      const record = batch[i];
      if (record === undefined) continue;
      rowNumber += 1;
      const place: Place = { file, line: record.line, row: rowNumber };
      const cells = values[i] ?? null;
      if (cells === null) {
        yield reject(place, 'not a record of this table', record.text);
      } else if (cells.length !== names.length) {
        const expected = `${cells.length} cells where ${names.length} were expected`;
        yield reject(place, expected, record.text);
      } else {
        const columns = names;
        const value = Object.fromEntries(cells.map((cell, at) => [columns[at] ?? '', cell]));
        yield { kind: 'row', value, place };
      }
    }
  };

  let batch: Good[] = [];
  for await (const record of cutCsvRecords(lines, dialect)) {
    if (record.ok) {
      batch.push(record);
      if (batch.length >= BATCH) {
        yield* emit(batch);
        batch = [];
      }
      continue;
    }
    yield* emit(batch);
    batch = [];
    rowNumber += 1;
    yield reject({ file, line: record.line, row: rowNumber }, record.reason, record.text);
  }
  yield* emit(batch);
}
