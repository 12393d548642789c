import { fitLogistic, type LinearModel, project } from './logistic.js';
import { BUCKETS } from './ngrams.js';
import { seededRandom, shuffled } from './random.js';
import { weigh } from './sparse-row.js';
import { documentFrequencies, type PreparedText, rowsOf } from './training-set.js';

const TOLERANCE = 1e-3;

/** A fitted model with the document frequencies that it needs. */
export interface FittedModel extends LinearModel {
  readonly idf: Float64Array;
}

/** Fits one model for every λ, largest first, each from the one before; gives them in the order of `lambdas`. */
export function fitPath(
  texts: readonly PreparedText[],
  lambdas: readonly number[],
): readonly FittedModel[] {
  const idf = documentFrequencies(texts);
  const rows = rowsOf(texts, idf);
  const fitted = new Map<number, FittedModel>();
  let start: LinearModel | undefined;
  for (const lambda of lambdas.toSorted((a, b) => b - a)) {
    const model: LinearModel = fitLogistic(rows, {
      dimensions: BUCKETS,
      lambda,
      tolerance: TOLERANCE,
      ...(start === undefined ? {} : { start }),
    });
    start = model;
    fitted.set(lambda, { idf, ...model });
  }
  return lambdas.flatMap((lambda) => fitted.get(lambda) ?? []);
}

/** Fits one model on all given texts. */
export function fitTexts(texts: readonly PreparedText[], lambda: number): FittedModel {
  const [model] = fitPath(texts, [lambda]);
  if (model === undefined) throw new RangeError('fitTexts needs a λ');
  return model;
}

/** Uncalibrated score of a text: the maximum over its windows. */
export function scoreText(
  { windows }: PreparedText,
  { idf, weights, bias }: Pick<FittedModel, 'idf' | 'weights' | 'bias'>,
): number {
  return Math.max(...windows.map((counts) => project(weigh(counts, idf), weights) + bias));
}

/** Deals whole clusters to folds in the order of a seeded shuffle; gives the fold of every text. */
export function dealFolds(texts: readonly PreparedText[], folds: number, seed: number): number[] {
  const clusters = [...new Set(texts.map(({ cluster }) => cluster))].toSorted((a, b) => a - b);
  const dealt = new Map(
    shuffled(clusters, seededRandom(seed)).map((cluster, index) => [cluster, index % folds]),
  );
  return texts.map(({ cluster }) => dealt.get(cluster) ?? 0);
}

/** Scores every text, once for every λ, by models that saw no text of its cluster. */
export function scoreOutOfFold(
  texts: readonly PreparedText[],
  {
    folds,
    seed,
    lambdas,
  }: { readonly folds: number; readonly seed: number; readonly lambdas: readonly number[] },
): number[][] {
  const foldOf = dealFolds(texts, folds, seed);
  const scores = lambdas.map(() => texts.map(() => 0));
  for (let fold = 0; fold < folds; fold += 1) {
    const models = fitPath(
      texts.filter((_, index) => foldOf[index] !== fold),
      lambdas,
    );
    for (const [which, model] of models.entries()) {
      for (const [index, text] of texts.entries()) {
        const row = scores[which];
        if (foldOf[index] === fold && row !== undefined) row[index] = scoreText(text, model);
      }
    }
  }
  return scores;
}

/** Scores every text by a model that saw no text of its set, nor one in a cluster with one of them. */
export function scoreLeavingSourceOut(texts: readonly PreparedText[], lambda: number): number[] {
  const scores = texts.map(() => 0);
  for (const source of new Set(texts.map((text) => text.source))) {
    const clusters = new Set(
      texts.filter((text) => text.source === source).map(({ cluster }) => cluster),
    );
    const model = fitTexts(
      texts.filter((text) => !clusters.has(text.cluster)),
      lambda,
    );
    for (const [index, text] of texts.entries()) {
      if (text.source === source) scores[index] = scoreText(text, model);
    }
  }
  return scores;
}
