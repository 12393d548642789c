import { invalidByte } from './decode-text.js';
import { isConflictMarker } from './json-lines.js';
import type { Line } from './split-lines.js';

export interface CsvDialect {
  readonly delimiter: string;
  /** Null where quotes are plain characters. */
  readonly quote: '"' | null;
}

/** The text of one record, or why the line that starts it is none. */
export type CsvRecord =
  | { readonly ok: true; readonly text: string; readonly cells: number; readonly line: number }
  | { readonly ok: false; readonly text: string; readonly line: number; readonly reason: string };

/** More characters than this in one record mean a quote that was never closed. */
export const MAX_RECORD = 4_000_000;

type Scan =
  | { readonly state: 'done'; readonly cells: number }
  | { readonly state: 'open'; readonly cells: number }
  | { readonly state: 'bad'; readonly reason: string };

/** Scans one line; `open` means that it starts, or goes on, inside a quoted cell of the record. */
function scanLine(line: string, dialect: CsvDialect, inside: boolean, before: number): Scan {
  const { delimiter, quote } = dialect;
  let cells = before;
  let at = 0;
  let quoted = inside;
  for (;;) {
    if (!quoted) {
      if (quote !== null && line[at] === quote) {
        quoted = true;
        at += 1;
      } else {
        const next = line.indexOf(delimiter, at);
        const stray = quote === null ? -1 : line.indexOf(quote, at);
        if (stray !== -1 && (next === -1 || stray < next)) {
          return { state: 'bad', reason: `unescaped quote in cell ${cells + 1}` };
        }
        cells += 1;
        if (next === -1) return { state: 'done', cells };
        at = next + delimiter.length;
        continue;
      }
    }
    const closing = quote === null ? -1 : line.indexOf(quote, at);
    if (closing === -1) return { state: 'open', cells };
    if (line[closing + 1] === quote) {
      at = closing + 2;
      continue;
    }
    cells += 1;
    quoted = false;
    if (closing + 1 === line.length) return { state: 'done', cells };
    if (!line.startsWith(delimiter, closing + 1)) {
      return { state: 'bad', reason: `text after the closing quote of cell ${cells}` };
    }
    at = closing + 1 + delimiter.length;
  }
}

/**
 * Cuts lines into records. A record that breaks the rules of quoting spoils only the line on which it
 * starts: reading goes on with the next line, so one stray quote cannot swallow the rows behind it.
 * Linear: the lines that are read again hold no quote that could open a second long scan.
 */
export async function* cutCsvRecords(
  lines: AsyncIterable<Line>,
  dialect: CsvDialect,
): AsyncGenerator<CsvRecord> {
  let again: readonly Line[] = [];
  const source = lines[Symbol.asyncIterator]();
  let position = 0;
  const next = async (): Promise<Line | null> => {
    const held = again[position];
    if (held !== undefined) {
      position += 1;
      return held;
    }
    again = [];
    position = 0;
    const step = await source.next();
    return step.done === true ? null : step.value;
  };

  for (let first = await next(); first !== null; first = await next()) {
    const line = first.number;
    const { text: opening } = first;
    const bad = (reason: string): CsvRecord => ({ ok: false, text: opening, line, reason });
    if (first.text === '') continue;
    if (isConflictMarker(first.text)) {
      yield bad('git conflict marker');
      continue;
    }
    if (first.cut) {
      yield bad(`line is longer than ${first.text.length} characters`);
      continue;
    }
    const pieces = [first.text];
    const taken: Line[] = [];
    let length = first.text.length;
    let scan = scanLine(first.text, dialect, false, 0);
    while (scan.state === 'open') {
      const more = await next();
      if (more === null) {
        scan = { state: 'bad', reason: 'quote is never closed' };
        break;
      }
      taken.push(more);
      length += more.text.length + 1;
      if (length > MAX_RECORD || more.cut) {
        scan = { state: 'bad', reason: `quote is not closed within ${MAX_RECORD} characters` };
        break;
      }
      pieces.push(more.text);
      scan = scanLine(more.text, dialect, true, scan.cells);
    }
    if (scan.state === 'bad') {
      yield bad(scan.reason);
      // Either all that was taken still stands in `again`, or `again` was used up and is empty.
      if (again.length > 0) position -= taken.length;
      else again = taken;
      continue;
    }
    const text = pieces.join('\n');
    const byte = invalidByte(text);
    if (byte === null) yield { ok: true, text, cells: scan.cells, line };
    else yield { ok: false, text, line, reason: `not UTF-8: byte 0x${byte.toString(16)}` };
  }
}
