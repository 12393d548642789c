/** What a cluster (a goal, a task, a scenario) adds up to. For a rate: `sum` events in `size` trials. */
export interface ClusterTotal {
  readonly key: string;
  /** Sum of the values, each within the bounds of the estimate (0 or 1 for a rate). */
  readonly sum: number;
  /** Number of values. */
  readonly size: number;
}

/** Sums by cluster: memory grows with the number of clusters, never with the number of trials. */
export interface ClusterTotals {
  /** Adds `size` values of a cluster that sum to `sum`; one trial is `add(key, hit ? 1 : 0)`. */
  add(key: string, sum: number, size?: number): void;
  /** The clusters in the order of their keys' code units, whatever the order they came in. */
  list(): ClusterTotal[];
}

/** What a cell of two crossed factors adds up to. */
export interface CrossedTotal {
  readonly row: string;
  readonly column: string;
  readonly sum: number;
  readonly size: number;
}

/** Sums by cell of two crossed factors, such as task × goal. Cells that never occurred take no memory. */
export interface CrossedTotals {
  add(row: string, column: string, sum: number, size?: number): void;
  /** The cells in the order of their rows' and then columns' code units. */
  list(): CrossedTotal[];
  rows(): ClusterTotal[];
  columns(): ClusterTotal[];
}

/** Opens an empty sum by cluster. */
export function createClusterTotals(): ClusterTotals {
  const totals = new Map<string, { sum: number; size: number }>();
  return {
    add(key, sum, size = 1) {
      checkTotal(sum, size);
      const known = totals.get(key);
      if (known === undefined) {
        totals.set(key, { sum, size });
        return;
      }
      known.sum += sum;
      known.size += size;
    },
    list: () =>
      [...totals]
        .map(([key, { sum, size }]) => ({ key, sum, size }))
        .toSorted((a, b) => compareCodeUnits(a.key, b.key)),
  };
}

/** Opens an empty sum by cell of two crossed factors. */
export function createCrossedTotals(): CrossedTotals {
  const rows = new Map<string, ClusterTotals>();
  const columns = createClusterTotals();
  const list = (): CrossedTotal[] =>
    [...rows]
      .toSorted(([a], [b]) => compareCodeUnits(a, b))
      .flatMap(([row, cells]) =>
        cells.list().map(({ key, sum, size }) => ({ row, column: key, sum, size })),
      );
  return {
    add(row, column, sum, size = 1) {
      checkTotal(sum, size);
      let cells = rows.get(row);
      if (cells === undefined) {
        cells = createClusterTotals();
        rows.set(row, cells);
      }
      cells.add(column, sum, size);
      columns.add(column, sum, size);
    },
    list,
    rows() {
      const totals = createClusterTotals();
      for (const { row, sum, size } of list()) totals.add(row, sum, size);
      return totals.list();
    },
    columns: () => columns.list(),
  };
}

/** Order by UTF-16 code units: the same on every machine, unlike a locale's order. */
export function compareCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function checkTotal(sum: number, size: number): void {
  if (!Number.isFinite(sum) || !Number.isSafeInteger(size) || size < 0) {
    throw new RangeError(
      `a total needs a finite sum and a whole size >= 0, found ${String(sum)} over ${String(size)}`,
    );
  }
}
