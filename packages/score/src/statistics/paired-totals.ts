import { compareCodeUnits } from './cluster-totals.js';

/** How the pairs of one cluster came out: the same scenario and trial under two conditions. */
export interface PairedTotal {
  readonly key: string;
  /** Pairs with the event in both runs. */
  readonly both: number;
  /** Pairs with the event in the first run alone. */
  readonly first: number;
  /** Pairs with the event in the second run alone. */
  readonly second: number;
  /** Pairs with the event in neither. */
  readonly neither: number;
}

/** Pair outcomes by cluster; memory grows with the number of clusters alone. */
export interface PairedTotals {
  add(key: string, first: boolean, second: boolean): void;
  /** The clusters in the order of their keys' code units. */
  list(): PairedTotal[];
}

/** Opens an empty table of pair outcomes. */
export function createPairedTotals(): PairedTotals {
  const totals = new Map<
    string,
    { both: number; first: number; second: number; neither: number }
  >();
  return {
    add(key, first, second) {
      let total = totals.get(key);
      if (total === undefined) {
        total = { both: 0, first: 0, second: 0, neither: 0 };
        totals.set(key, total);
      }
      if (first) total[second ? 'both' : 'first'] += 1;
      else total[second ? 'second' : 'neither'] += 1;
    },
    list: () =>
      [...totals]
        .map(([key, total]) => ({ key, ...total }))
        .toSorted((a, b) => compareCodeUnits(a.key, b.key)),
  };
}

/** The outcomes summed over clusters. */
export function sumPairs(totals: readonly PairedTotal[]): Omit<PairedTotal, 'key'> & { n: number } {
  const sum = { both: 0, first: 0, second: 0, neither: 0, n: 0 };
  for (const { both, first, second, neither } of totals) {
    sum.both += both;
    sum.first += first;
    sum.second += second;
    sum.neither += neither;
    sum.n += both + first + second + neither;
  }
  return sum;
}
