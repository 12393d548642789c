import { callable, isRecord, list, optionsOf, refuse, shown, strings } from '../check-values.js';
import { averagePrecision } from '../evaluation/ranking.js';
import { fitCalibration } from './calibration.js';
import {
  type FittedModel,
  fitTexts,
  scoreLeavingSourceOut,
  scoreOutOfFold,
} from './cross-validation.js';
import { sigmoid } from './logistic.js';
import { type ClassifierModel, encodeBytes } from './model-file.js';
import { BUCKET_BITS } from './ngrams.js';
import { type StrongFeatures, strongestFeatures } from './strong-features.js';
import { MALICIOUS_CUT, SUSPICIOUS_CUT, thresholdFor } from './thresholds.js';
import { prepareTexts, rowsOf, type TrainingText } from './training-set.js';
import { summariseScores, type TrainingSummary } from './training-summary.js';

/** Version of docs/detector-ml-protocol.md that this code follows. */
export const PROTOCOL_VERSION = 2;

const FOLDS = 5;
const SEED = 20_261_130;
const LAMBDAS = [3e-6, 1e-5, 3e-5] as const;

/** What was learnt, and how good it is on texts that were not trained on. */
export interface TrainingResult {
  readonly model: ClassifierModel;
  readonly report: TrainingReport;
}

export interface TrainingReport {
  readonly protocol: number;
  readonly texts: number;
  readonly clusters: number;
  /** Out-of-fold average precision by λ. */
  readonly choice: readonly { readonly lambda: number; readonly averagePrecision: number }[];
  readonly grouped: TrainingSummary;
  readonly leaveOneSourceOut: TrainingSummary;
  readonly features: StrongFeatures;
}

export interface TrainOptions {
  /** SHA-256 of the files by set, for the model's record. */
  readonly digests?: ReadonlyMap<string, readonly string[]>;
  /** Told what is being done; for a progress line. */
  readonly progress?: (step: string) => void;
}

function quantize(values: Float64Array, levels: number): { bytes: Uint8Array; scale: number } {
  let scale = 0;
  for (const value of values) scale = Math.max(scale, Math.abs(value));
  // Seven digits keep the file the same where the last bit of a logarithm is not.
  scale = scale === 0 ? 1 : Number(scale.toPrecision(7));
  return {
    bytes: Uint8Array.from(values, (value) => Math.round((value / scale) * levels) & 0xff),
    scale,
  };
}

function sourcesOf(
  texts: readonly TrainingText[],
  digests: TrainOptions['digests'],
): ClassifierModel['sources'] {
  return [...new Set(texts.map(({ source }) => source))].map((name) => {
    const rows = texts.filter(({ source }) => source === name);
    const attacks = rows.filter(({ attack }) => attack).length;
    return {
      name,
      attacks,
      benign: rows.length - attacks,
      sha256: digests?.get(name) ?? [],
    };
  });
}

function checkTexts(texts: unknown): void {
  const shape = "texts, such as { text: '…', attack: true, source: 'my-set' }";
  list(texts, 'trainClassifier', shape);
  for (const [index, row] of texts.entries()) {
    const { text, attack, source } = isRecord(row) ? row : {};
    const right = typeof text === 'string' && typeof attack === 'boolean';
    if (right && typeof source === 'string') continue;
    refuse(`trainClassifier takes ${shape}; the entry ${index} is ${shown(row)}`);
  }
  for (const attack of [true, false]) {
    if (texts.some((row) => isRecord(row) && row['attack'] === attack)) continue;
    const kind = attack ? 'an attack' : 'harmless';
    refuse(`trainClassifier needs texts of both kinds; none of the ${texts.length} is ${kind}`);
  }
}

function checkTraining(digests: unknown, progress: unknown): void {
  if (digests !== undefined) {
    if (!(digests instanceof Map)) {
      return refuse(`digests must be a Map of lists by source; got ${shown(digests)}`);
    }
    for (const [source, sums] of digests) strings(sums, `the digests of ${shown(source)}`);
  }
  callable(progress, 'progress', 'such as (line) => console.error(line)');
}

/**
 * Trains PB-ML under the protocol of docs/detector-ml-protocol.md. The same texts in the same order
 * give the same model, bit for bit.
 *
 * @throws {DetectError} `bad-option` for what are no labelled texts, and when one of the classes is empty
 */
export function trainClassifier(
  texts: readonly TrainingText[],
  options: TrainOptions = {},
): TrainingResult {
  checkTexts(texts);
  optionsOf(options, 'trainClassifier', ['digests', 'progress']);
  const { digests, progress = () => undefined } = options;
  checkTraining(digests, progress);
  progress(`counting n-grams of ${texts.length.toString()} texts`);
  const prepared = prepareTexts(texts);
  progress(`cross-validating ${LAMBDAS.length.toString()} strengths`);
  const scored = scoreOutOfFold(prepared, { folds: FOLDS, seed: SEED, lambdas: LAMBDAS });
  const tried = LAMBDAS.map((lambda, which) => {
    const scores = scored[which] ?? [];
    const ranked = prepared.map(({ attack }, index) => ({ attack, score: scores[index] ?? 0 }));
    return { lambda, scores, area: averagePrecision(ranked) ?? 0 };
  });
  // Ascending λ and ≥: at a tie of three decimals the larger one is taken.
  const best = tried.reduce((held, next) =>
    Math.round(next.area * 1e3) >= Math.round(held.area * 1e3) ? next : held,
  );
  const totals = { attack: 0, benign: 0 };
  for (const { attack, weight } of prepared) totals[attack ? 'attack' : 'benign'] += weight;
  const smaller = Math.min(totals.attack, totals.benign);
  const fitted = fitCalibration(
    prepared.map(({ attack, weight }, index) => ({
      attack,
      score: best.scores[index] ?? 0,
      weight: (weight * smaller) / totals[attack ? 'attack' : 'benign'],
    })),
  );
  const calibration = {
    slope: Number(fitted.slope.toPrecision(7)),
    offset: Number(fitted.offset.toPrecision(7)),
  };
  const calibrated = (score: number) => sigmoid(calibration.slope * score + calibration.offset);
  const outOfFold = best.scores.map(calibrated);
  const sizes = new Map<number, number>();
  for (const { cluster } of prepared) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  const benign = prepared.flatMap(({ attack, cluster }, index) =>
    attack ? [] : [{ probability: outOfFold[index] ?? 0, weight: 1 / (sizes.get(cluster) ?? 1) }],
  );
  const suspicious = thresholdFor(benign, SUSPICIOUS_CUT);
  const thresholds = {
    suspicious,
    malicious: Math.max(suspicious, thresholdFor(benign, MALICIOUS_CUT)),
  };

  progress('leaving one source out at a time');
  const leftOut = scoreLeavingSourceOut(prepared, best.lambda).map(calibrated);
  progress('fitting the final model');
  const final: FittedModel = fitTexts(prepared, best.lambda);
  const weights = quantize(final.weights, 127);
  const idf = quantize(final.idf, 255);
  return {
    model: {
      format: 'pb-ml',
      version: 1,
      protocol: PROTOCOL_VERSION,
      bucketBits: BUCKET_BITS,
      lambda: best.lambda,
      seed: SEED,
      bias: Number(final.bias.toPrecision(7)),
      calibration,
      thresholds,
      sources: sourcesOf(texts, digests),
      idfScale: idf.scale,
      weightScale: weights.scale,
      idf: encodeBytes(idf.bytes),
      weights: encodeBytes(weights.bytes),
    },
    report: {
      protocol: PROTOCOL_VERSION,
      texts: texts.length,
      clusters: new Set(prepared.map(({ cluster }) => cluster)).size,
      choice: tried.map(({ lambda, area }) => ({ lambda, averagePrecision: area })),
      grouped: summariseScores(prepared, outOfFold, thresholds),
      leaveOneSourceOut: summariseScores(prepared, leftOut, thresholds),
      features: strongestFeatures(texts, rowsOf(prepared, final.idf), final.weights),
    },
  };
}
