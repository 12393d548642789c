import { clusterInterval } from './cluster-bootstrap.js';
import type { ClusterTotal, CrossedTotals } from './cluster-totals.js';
import { quantile } from './quantile.js';
import { createRandom, type Random } from './random.js';
import { DEFAULT_CONFIDENCE, type Interval } from './rate.js';
import {
  checkResamples,
  DEFAULT_RESAMPLES,
  dealGroups,
  fewClustersNote,
  type ResamplingOptions,
} from './resampling.js';

export interface PigeonholeOptions extends ResamplingOptions {
  /** What the rows and columns are, for the name of the method: `task`, `goal`. */
  readonly rows: string;
  readonly columns: string;
}

/**
 * Interval for a rate over two crossed factors, both drawn at random: the pigeonhole bootstrap of Owen
 * (2007, Annals of Applied Statistics 1:386), which draws rows and columns independently with
 * replacement and weighs each cell by the product of its two counts. Its variance is at least the true
 * one, so it covers more than asked for where single trials vary much.
 *
 * The limits never lie inside those of either one-way cluster bootstrap: a design with two random
 * factors is not surer than the same design with one.
 *
 * @returns null where there are no trials, or fewer than two rows or columns
 * @throws RangeError for options out of range
 */
export function pigeonholeInterval(
  totals: CrossedTotals,
  options: PigeonholeOptions,
): Interval | null {
  const byColumn = clusterInterval(totals.columns(), { ...options, factor: options.columns });
  return pigeonholeAround(totals, byColumn, options);
}

/** {@link pigeonholeInterval} for a caller that has the cluster bootstrap by column already. */
export function pigeonholeAround(
  totals: CrossedTotals,
  byColumn: Interval | null,
  options: PigeonholeOptions,
): Interval | null {
  const { seed, resamples = DEFAULT_RESAMPLES, confidence = DEFAULT_CONFIDENCE } = options;
  checkResamples(resamples);
  const cells = toCells(totals);
  if (cells.rows < 2 || cells.columns < 2) return null;
  const byRow = clusterInterval(totals.rows(), { ...options, factor: options.rows });
  if (byRow === null || byColumn === null) return null;
  const drawn = drawCells(cells, resamples, createRandom(seed));
  const tail = (1 - confidence) / 2;
  const note = fewClustersNote(Math.min(cells.rows, cells.columns));
  return {
    low: Math.min(quantile(drawn, tail), byRow.low, byColumn.low),
    high: Math.max(quantile(drawn, 1 - tail), byRow.high, byColumn.high),
    method: `pigeonhole bootstrap by ${options.rows} × ${options.columns}`,
    ...(note === undefined ? {} : { note }),
  };
}

/** Beyond this number of rows or columns, random groups of them are drawn: the variance is the same, and time stays bounded. */
const MOST_LEVELS = 300;

interface Cells {
  readonly rows: number;
  readonly columns: number;
  /** Where each row's cells begin; one more entry than rows. */
  readonly start: Uint32Array;
  readonly column: Uint32Array;
  readonly sum: Float64Array;
  readonly size: Float64Array;
}

function toCells(totals: CrossedTotals): Cells {
  const rowNumbers = numbered(totals.rows());
  const columnNumbers = numbered(totals.columns());
  const rows = Math.min(rowNumbers.size, MOST_LEVELS);
  const columns = Math.min(columnNumbers.size, MOST_LEVELS);
  const sums = new Float64Array(rows * columns);
  const sizes = new Float64Array(rows * columns);
  for (const { row, column, sum, size } of totals.list()) {
    if (size === 0) continue;
    const cell = (rowNumbers.get(row) ?? 0) * columns + (columnNumbers.get(column) ?? 0);
    sums[cell] = (sums[cell] ?? 0) + sum;
    sizes[cell] = (sizes[cell] ?? 0) + size;
  }
  // Only cells that hold trials are kept, row by row, so that a row that was not drawn is passed over whole.
  const filled = Array.from(sizes.keys()).filter((cell) => sizes[cell] !== 0);
  const start = new Uint32Array(rows + 1);
  for (const cell of filled) {
    const next = Math.floor(cell / columns) + 1;
    start[next] = (start[next] ?? 0) + 1;
  }
  for (let row = 0; row < rows; row += 1)
    start[row + 1] = (start[row + 1] ?? 0) + (start[row] ?? 0);
  return {
    rows,
    columns,
    start,
    column: Uint32Array.from(filled, (cell) => cell % columns),
    sum: Float64Array.from(filled, (cell) => sums[cell] ?? 0),
    size: Float64Array.from(filled, (cell) => sizes[cell] ?? 0),
  };
}

function numbered(totals: readonly ClusterTotal[]): Map<string, number> {
  const filled = totals.filter(({ size }) => size > 0);
  const groups = dealGroups(filled.length, MOST_LEVELS);
  return new Map(filled.map(({ key }, index) => [key, groups[index] ?? 0]));
}

function drawCells(cells: Cells, resamples: number, random: Random): Float64Array {
  const ratios = new Float64Array(resamples);
  const rowCounts = new Uint32Array(cells.rows);
  const columnCounts = new Uint32Array(cells.columns);
  for (let index = 0; index < resamples; index += 1) {
    let sum = 0;
    let size = 0;
    // In a sparse design the drawn rows and columns may share no cell; such a draw has no rate and is made again.
    while (size === 0) {
      draw(rowCounts, random);
      draw(columnCounts, random);
      sum = 0;
      for (let row = 0; row < cells.rows; row += 1) {
        const times = rowCounts[row] ?? 0;
        const end = times === 0 ? 0 : (cells.start[row + 1] ?? 0);
        for (let cell = cells.start[row] ?? 0; cell < end; cell += 1) {
          const weight = times * (columnCounts[cells.column[cell] ?? 0] ?? 0);
          sum += weight * (cells.sum[cell] ?? 0);
          size += weight * (cells.size[cell] ?? 0);
        }
      }
    }
    ratios[index] = sum / size;
  }
  return ratios.toSorted();
}

function draw(counts: Uint32Array, random: Random): void {
  counts.fill(0);
  for (let index = 0; index < counts.length; index += 1) {
    const drawn = random.below(counts.length);
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
}
