import type { WeightedRow } from './logistic.js';
import { clusterNearDuplicates } from './near-duplicates.js';
import { BUCKETS } from './ngrams.js';
import { type Counts, NgramCounter, weigh } from './sparse-row.js';
import { windowsOf } from './windows.js';

/** A labelled text of a named development set. */
export interface TrainingText {
  readonly text: string;
  readonly attack: boolean;
  /** Name of the set. */
  readonly source: string;
}

/** A text with its cluster, its weight and its counted windows. */
export interface PreparedText {
  readonly attack: boolean;
  readonly source: string;
  readonly cluster: number;
  readonly weight: number;
  readonly windows: readonly Counts[];
}

/** Fewest clusters that a bucket must occur in to be a feature. */
const MIN_CLUSTERS = 3;

/** Joins near-duplicates, weighs texts by 1/√(cluster size) and counts their n-grams, once for all folds. */
export function prepareTexts(texts: readonly TrainingText[]): PreparedText[] {
  const clusters = clusterNearDuplicates(texts.map(({ text }) => text));
  const sizes = new Map<number, number>();
  for (const cluster of clusters) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  const counter = new NgramCounter();
  return texts.map(({ text, attack, source }, index) => {
    const cluster = clusters[index] ?? index;
    return {
      attack,
      source,
      cluster,
      weight: 1 / Math.sqrt(sizes.get(cluster) ?? 1),
      windows: windowsOf(text.length).map(({ start, end }) =>
        counter.count(text.slice(start, end)),
      ),
    };
  });
}

/**
 * Inverse document frequencies, counted over clusters: ln((1 + N) / (1 + n)) + 1. Buckets in fewer
 * than 3 clusters get 0, so that a template of one author is no feature.
 */
export function documentFrequencies(texts: readonly PreparedText[]): Float64Array {
  const last = new Int32Array(BUCKETS).fill(-1);
  const found = new Int32Array(BUCKETS);
  const ordered = texts.toSorted((a, b) => a.cluster - b.cluster);
  const clusters = new Set<number>();
  for (const { cluster, windows } of ordered) {
    clusters.add(cluster);
    for (const { buckets } of windows) {
      for (const bucket of buckets) {
        if (last[bucket] === cluster) continue;
        last[bucket] = cluster;
        found[bucket] = (found[bucket] ?? 0) + 1;
      }
    }
  }
  return Float64Array.from(found, (count) =>
    count < MIN_CLUSTERS ? 0 : Math.log((1 + clusters.size) / (1 + count)) + 1,
  );
}

/** Rows of the design matrix: one a window, both classes with the same total weight. */
export function rowsOf(texts: readonly PreparedText[], idf: ArrayLike<number>): WeightedRow[] {
  const totals = { attack: 0, benign: 0 };
  for (const { attack, weight } of texts) totals[attack ? 'attack' : 'benign'] += weight;
  return texts.flatMap(({ attack, weight, windows }) =>
    windows.map((counts) => ({
      row: weigh(counts, idf),
      attack,
      weight: weight / windows.length / totals[attack ? 'attack' : 'benign'],
    })),
  );
}
