import { contentText, field, isRecord, omit } from '../fields.js';
import { readRows } from '../readers/read-rows.js';
import type { ReadItem } from '../row.js';
import type { Unit } from '../unit.js';
import {
  type ImportContext,
  type Importer,
  refuse,
  rowsToTexts,
  type TextDraft,
} from './importer.js';
import { readLabel } from './labels.js';

const TEXT_COLUMNS = [
  'text',
  'prompt',
  'content',
  'input',
  'message',
  'user_input',
  'body',
  'instruction',
  'question',
  'sentence',
];
const LABEL_COLUMNS = [
  'label',
  'is_injection',
  'injection',
  'is_malicious',
  'is_attack',
  'attack',
  'target',
  'class',
  'labels',
  'type',
];

function columnOf(
  row: unknown,
  given: string | undefined,
  known: readonly string[],
): string | null {
  if (given !== undefined) return field(row, given) === undefined ? null : given;
  return known.find((name) => field(row, name) !== undefined) ?? null;
}

function draftOf(value: unknown, { columns }: ImportContext): TextDraft | string {
  if (typeof value === 'string') {
    if (columns.textColumn !== undefined)
      return `expected the column "${columns.textColumn}", found a bare text`;
    return columns.label === undefined
      ? { text: value, label: null, reason: 'a list without labels' }
      : { text: value, label: columns.label };
  }
  if (!isRecord(value))
    return `expected an object or a text, found ${Array.isArray(value) ? 'a list' : typeof value}`;
  const textColumn = columnOf(value, columns.textColumn, TEXT_COLUMNS);
  if (textColumn === null) {
    const found = Object.keys(value).slice(0, 8).join(', ');
    return columns.textColumn === undefined
      ? `no column of text; name it with --text-col (found: ${found})`
      : `no column "${columns.textColumn}" (found: ${found})`;
  }
  const text = contentText(field(value, textColumn));
  if (text === undefined) return `column "${textColumn}" is not text`;
  if (text.trim() === '') return `column "${textColumn}" is empty`;
  const labelColumn = columnOf(
    value,
    columns.labelColumn,
    columns.label === undefined ? LABEL_COLUMNS : [],
  );
  if (labelColumn === null) {
    if (columns.labelColumn !== undefined) return `no column "${columns.labelColumn}"`;
    const meta = omit(value, [textColumn]);
    return columns.label === undefined
      ? { text, label: null, reason: 'no column of labels', meta }
      : { text, label: columns.label, meta };
  }
  const meta = omit(value, [textColumn, labelColumn]);
  const given = field(value, labelColumn);
  const label = readLabel(given, columns.positive);
  if (label !== null) return { text, label, meta };
  if (columns.labelColumn === undefined && columns.positive === undefined) {
    return {
      text,
      label: null,
      reason: `"${labelColumn}" says neither attack nor benign`,
      meta: omit(value, [textColumn]),
    };
  }
  return `label ${JSON.stringify(given ?? null)} in "${labelColumn}" is neither attack nor benign; say which with --positive`;
}

function cellsOf(item: ReadItem): readonly unknown[] | null {
  return item.kind === 'row' && Array.isArray(item.value) ? item.value : null;
}

/** Rows that are lists under a first line that names their columns, as objects. */
async function* namedColumns(items: AsyncIterable<ReadItem>): AsyncGenerator<ReadItem> {
  // A first list of texts is a header only if a list of the same length follows; otherwise it is a row.
  let candidate: ReadItem | null = null;
  let names: readonly string[] | null = null;
  let position = 0;
  for await (const item of items) {
    position += 1;
    const cells = cellsOf(item);
    if (
      position === 1 &&
      cells !== null &&
      cells.length > 0 &&
      cells.every((cell) => typeof cell === 'string')
    ) {
      candidate = item;
      continue;
    }
    if (candidate !== null) {
      const header: readonly unknown[] = cellsOf(candidate) ?? [];
      if (cells?.length === header.length) names = header.map(String);
      else yield candidate;
      candidate = null;
    }
    const columns = names;
    if (cells === null || columns === null) yield item;
    else if (columns.length !== cells.length) {
      const found = `${cells.length} cells where ${columns.length} were expected`;
      yield refuse(item.place, found, cells);
    } else {
      const value = Object.fromEntries(columns.map((name, at) => [name, cells[at]]));
      yield { kind: 'row', value, place: item.place };
    }
  }
  if (candidate !== null) yield candidate;
}

/** Says of a first line that has none of the columns what it probably is. */
async function* namingHeaders(units: AsyncIterable<Unit>): AsyncGenerator<Unit> {
  for await (const unit of units) {
    if (unit.kind === 'reject' && unit.place.line === 1 && unit.reason.startsWith('no column')) {
      yield { ...unit, reason: `a header line, not a row: ${unit.reason}` };
    } else yield unit;
  }
}

/** Any table or list of texts: columns as the options say, or as the usual names tell. */
export const columnsImporter: Importer = {
  name: 'texts',
  title: 'Texts with labels',
  url: '',
  licence: () => null,
  recognises: () => true,
  units: (context) => {
    const items = namedColumns(readRows(context.source, context.read));
    return namingHeaders(rowsToTexts('texts', items, context, (value) => draftOf(value, context)));
  },
};
