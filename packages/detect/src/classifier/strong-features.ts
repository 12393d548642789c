import type { WeightedRow } from './logistic.js';
import { BUCKETS, fold, spellNgram, visitNgrams } from './ngrams.js';
import type { TrainingText } from './training-set.js';

export interface StrongFeature {
  readonly term: string;
  /** Mean of what the feature adds to the score, in thousandths of a logit, over texts with both classes weighing the same. */
  readonly influence: number;
}

/** Word n-grams that speak most for and against an attack, strongest first. */
export interface StrongFeatures {
  readonly attack: readonly StrongFeature[];
  readonly benign: readonly StrongFeature[];
}

const SHOWN = 40;
// Several n-grams can share a bucket and some are not words; enough are looked at to fill the list.
const LOOKED_AT = SHOWN * 100;

// Stands for all pieces of words, so that a word is shown only where it outnumbers them in its bucket.
const PIECE = '\u0000';

/** Spells the strongest buckets by the word n-gram that falls in them most often. */
export function strongestFeatures(
  texts: readonly TrainingText[],
  rows: readonly WeightedRow[],
  weights: Float64Array,
): StrongFeatures {
  const strength = new Float64Array(BUCKETS);
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  for (const { row, weight } of rows) {
    for (const [index, bucket] of row.buckets.entries()) {
      const added = (row.values[index] ?? 0) * (weights[bucket] ?? 0);
      strength[bucket] = (strength[bucket] ?? 0) + (added * weight) / total;
    }
  }
  const order = [...strength.keys()].toSorted(
    (a, b) => (strength[b] ?? 0) - (strength[a] ?? 0) || a - b,
  );
  const wanted = new Set([...order.slice(0, LOOKED_AT), ...order.slice(-LOOKED_AT)]);
  const spelled = new Map<number, Map<string, number>>();
  for (const { text } of texts) {
    visitNgrams(fold(text), (bucket, kind, holder, from, to) => {
      if (!wanted.has(bucket)) return;
      const terms = spelled.get(bucket) ?? new Map<string, number>();
      const term = kind === 'word' ? spellNgram(holder, from, to) : PIECE;
      terms.set(term, (terms.get(term) ?? 0) + 1);
      spelled.set(bucket, terms);
    });
  }
  const listed = (buckets: readonly number[]): StrongFeature[] =>
    buckets
      .flatMap((bucket) => {
        const [most] = [...(spelled.get(bucket) ?? [])].toSorted(
          ([a, n], [b, m]) => m - n || (a < b ? -1 : 1),
        );
        return most === undefined || most[0] === PIECE
          ? []
          : [{ term: most[0], influence: Math.round((strength[bucket] ?? 0) * 1e6) / 1e3 }];
      })
      .slice(0, SHOWN);
  return {
    attack: listed(order.slice(0, LOOKED_AT)),
    benign: listed(order.slice(-LOOKED_AT).toReversed()),
  };
}
