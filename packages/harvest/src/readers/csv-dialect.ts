import { parse } from 'csv-parse/sync';
import type { CsvDialect, CsvRecord } from './csv-records.js';
import { cutCsvRecords } from './csv-records.js';
import { splitLines } from './split-lines.js';

const CANDIDATES: readonly CsvDialect[] = [
  { delimiter: ',', quote: '"' },
  { delimiter: '\t', quote: '"' },
  { delimiter: ';', quote: '"' },
  { delimiter: '|', quote: '"' },
  { delimiter: '\t', quote: null },
];
const SAMPLE_RECORDS = 60;

async function sample(head: string, dialect: CsvDialect): Promise<CsvRecord[]> {
  async function* once(): AsyncGenerator<string> {
    yield head;
  }
  const records: CsvRecord[] = [];
  for await (const record of cutCsvRecords(splitLines(once(), head.length), dialect)) {
    records.push(record);
    if (records.length >= SAMPLE_RECORDS) break;
  }
  // The head may end inside a record.
  if (records.length > 1 && records.length < SAMPLE_RECORDS) records.pop();
  return records;
}

interface Rating {
  readonly dialect: CsvDialect;
  readonly columns: number;
  /** Share of the records that are well formed and have the commonest number of cells. */
  readonly agreement: number;
}

async function rate(head: string, dialect: CsvDialect): Promise<Rating> {
  const records = await sample(head, dialect);
  const counts = new Map<number, number>();
  for (const record of records) {
    if (record.ok) counts.set(record.cells, (counts.get(record.cells) ?? 0) + 1);
  }
  let columns = 1;
  let best = 0;
  for (const [cells, times] of counts) {
    if (times > best || (times === best && cells > columns)) {
      columns = cells;
      best = times;
    }
  }
  return { dialect, columns, agreement: records.length === 0 ? 0 : best / records.length };
}

/** The delimiter and quoting under which the head of a table is most regular, with its number of columns. */
export async function sniffCsvDialect(
  head: string,
  name: string,
): Promise<{ dialect: CsvDialect; columns: number; agreement: number }> {
  const tabs = /\.(?:tsv|tab)$/iu.test(name);
  const candidates = tabs ? CANDIDATES.filter(({ delimiter }) => delimiter === '\t') : CANDIDATES;
  let best: Rating | null = null;
  for (const candidate of candidates) {
    const rating = await rate(head, candidate);
    if (
      best === null ||
      (rating.columns > 1 && best.columns === 1 && rating.agreement >= 0.5) ||
      (rating.columns > 1 && rating.agreement > best.agreement + 0.05)
    ) {
      best = rating;
    }
  }
  return best ?? { dialect: { delimiter: ',', quote: '"' }, columns: 1, agreement: 0 };
}

/** Values of the cells of well-formed records; null where the parser disagrees with the cutter. */
export function parseCsvRecords(text: string, dialect: CsvDialect): string[][] | null {
  try {
    return parse(text, {
      delimiter: dialect.delimiter,
      quote: dialect.quote ?? false,
      escape: dialect.quote ?? '\0',
      relax_column_count: true,
      record_delimiter: '\n',
      skip_empty_lines: false,
    });
  } catch {
    return null;
  }
}

const KNOWN_COLUMNS = new Set(
  'id index text prompt content label labels class category type target input output instruction question answer message messages body subject source language lang split name title description response context payload injection attack group note score user_input goal behavior jailbreak is_injection is_malicious'.split(
    ' ',
  ),
);

/** Whether the first record names columns, judged by its look and by the records below it. */
export function looksLikeHeader(first: readonly string[], below: readonly string[][]): boolean {
  const cells = first.map((cell) => cell.trim());
  if (cells.some((cell) => cell.length > 48 || /^-?[\d.,]+$/u.test(cell))) return false;
  if (cells.every((cell) => cell === '')) return false;
  // A nameless first column is what a data frame's index leaves; more than that is data.
  if (cells.slice(1).includes('')) return false;
  if (new Set(cells).size !== cells.length) return false;
  if (cells.some((cell, column) => below.some((row) => row[column]?.trim() === cell))) return false;
  if (cells.some((cell) => KNOWN_COLUMNS.has(cell.toLowerCase()))) return true;
  if (cells.length === 1) return false;
  return cells.every((cell) => cell.split(/\s+/u).length <= 4);
}
