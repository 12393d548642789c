/** A column: its heading, and which side its cells stand on. */
export interface Column {
  readonly heading: string;
  readonly align: 'left' | 'right';
}

/** Text as wide as it is: code points, which is right for the Latin text and digits of our tables. */
const widthOf = (text: string): number => Array.from(text).length;

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}

function clip(text: string, width: number): string {
  const points = Array.from(text);
  return points.length <= width ? text : `${points.slice(0, width - 1).join('')}…`;
}

/** A table of plain text: headings, a rule, rows. Columns are as wide as their widest cell, at most `most` wide. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  most = 32,
): string {
  const cells = rows.map((row) => row.map((cell) => clip(cell, most)));
  const widths = columns.map(({ heading }, index) =>
    Math.max(widthOf(heading), ...cells.map((row) => widthOf(row[index] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    columns
      .map(({ align }, index) => pad(row[index] ?? '', widths[index] ?? 0, align))
      .join('  ')
      .trimEnd();
  return [
    line(columns.map(({ heading }) => heading)),
    widths.map((width) => '-'.repeat(width)).join('  '),
    ...cells.map(line),
  ].join('\n');
}
