/**
 * Where a row stands. `line` and `row` count from 1 (`row` is the n-th data row of a table);
 * `path` is a JSON path such as `$[3].prompt`. A member of an archive is `archive.zip!member.csv`.
 */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly path?: string;
  readonly row?: number;
}

/** One unit as it was read, with what had to be mended to read it. */
export interface ReadRow {
  readonly kind: 'row';
  readonly value: unknown;
  readonly place: Place;
  readonly notes?: readonly string[];
}

/** A unit that could not be read. `excerpt` shows its start, with control characters removed. */
export interface RejectedRow {
  readonly kind: 'reject';
  readonly place: Place;
  readonly reason: string;
  readonly excerpt?: string;
}

export type ReadItem = ReadRow | RejectedRow;

/** `file:line`, `file $.path` or `file row n`, for messages. */
export function describePlace(place: Place): string {
  if (place.line !== undefined) return `${place.file}:${place.line}`;
  if (place.path !== undefined) return `${place.file} ${place.path}`;
  if (place.row !== undefined) return `${place.file} row ${place.row}`;
  return place.file;
}

const EXCERPT_LENGTH = 120;

/** The first characters of what was refused: one line, no control characters, so a terminal is safe. */
export function excerptOf(text: string): string {
  const start = text.slice(0, EXCERPT_LENGTH + 1).replace(/[\p{Cc}\p{Cs}\p{Cf}]+/gu, ' ');
  return start.length > EXCERPT_LENGTH ? `${start.slice(0, EXCERPT_LENGTH)}…` : start;
}

export function reject(place: Place, reason: string, text?: string): RejectedRow {
  return text === undefined || text === ''
    ? { kind: 'reject', place, reason }
    : { kind: 'reject', place, reason, excerpt: excerptOf(text) };
}
