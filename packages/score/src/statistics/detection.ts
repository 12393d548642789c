import { compareCodeUnits } from './cluster-totals.js';
import {
  type Confusion,
  type Metric,
  type OperatingPoint,
  operatingPoint,
} from './operating-point.js';
import { quantile } from './quantile.js';
import { createRandom, type Random } from './random.js';
import { checkConfidence, DEFAULT_CONFIDENCE, type Interval } from './rate.js';
import { checkResamples, fewClustersNote, type ResamplingOptions } from './resampling.js';

/** One labelled text with the detector's score for it. */
export interface ScoredText {
  /** Higher means more surely an attack. */
  readonly score: number;
  readonly positive: boolean;
  /** Texts made from one source (a template, a goal) share a cluster and are drawn together. */
  readonly cluster?: string;
}

export interface DetectionOptions extends ResamplingOptions {
  /** A text is flagged at a point when its score is at least the threshold. */
  readonly thresholds: Readonly<Record<string, number>>;
}

export interface DetectionSummary {
  readonly n: number;
  readonly positives: number;
  readonly points: Readonly<Record<string, OperatingPoint>>;
  /** Area under the precision-recall curve as average precision; null without a positive or a negative. */
  readonly prAuc: Metric;
}

/** Resamples for scored texts, fewer than elsewhere because each walks over all texts. */
const TEXT_RESAMPLES = 2000;

/**
 * Everything about a detector over labelled texts. F1 and PR-AUC carry a percentile bootstrap interval: over
 * clusters where any text names one (a text without is its own), otherwise stratified by label. A
 * resample in which a metric is undefined does not count for it.
 *
 * @throws RangeError when a score is NaN or an option is out of range
 */
export function summariseDetection(
  texts: readonly ScoredText[],
  options: DetectionOptions,
): DetectionSummary {
  const { thresholds, seed, resamples = TEXT_RESAMPLES, confidence = DEFAULT_CONFIDENCE } = options;
  checkResamples(resamples);
  checkConfidence(confidence);
  const sorted = sortTexts(texts);
  const names = Object.keys(thresholds);
  const cuts = names.map((name) => cutAt(sorted, thresholds[name] ?? Number.NaN));
  const groups = groupTexts(sorted);
  const ones = new Uint32Array(sorted.length).fill(1);
  const whole = walk(sorted, ones, cuts);
  const drawn = bootstrap(sorted, groups, cuts, { resamples, random: createRandom(seed) });
  const note = groups.clustered ? fewClustersNote(groups.members.length) : undefined;
  const interval = (values: number[]): Interval[] => {
    if (values.length === 0) return [];
    const rising = Float64Array.from(values).toSorted();
    const tail = (1 - confidence) / 2;
    return [
      {
        low: quantile(rising, tail),
        high: quantile(rising, 1 - tail),
        method: groups.clustered ? 'cluster bootstrap' : 'bootstrap stratified by label',
        ...(note === undefined ? {} : { note }),
      },
    ];
  };
  const points = names.map((name, index): [string, OperatingPoint] => {
    const point = operatingPoint(whole.confusions[index] ?? { tp: 0, fp: 0, tn: 0, fn: 0 }, {
      confidence,
    });
    const intervals = [...point.f1.intervals, ...interval(drawn.f1[index] ?? [])];
    return [
      name,
      { ...point, f1: point.f1.value === null ? point.f1 : { ...point.f1, intervals } },
    ];
  });
  return {
    n: sorted.length,
    positives: sorted.filter(({ positive }) => positive).length,
    points: Object.fromEntries(points),
    prAuc: {
      value: whole.area,
      intervals: whole.area === null ? [] : interval(drawn.area),
    },
  };
}

/**
 * Average precision: the sum over distinct scores, from the highest, of the gain in recall times the precision
 * reached there (as scikit-learn's `average_precision_score`; no interpolation).
 *
 * @returns null without a positive or without a negative
 */
export function averagePrecision(texts: readonly ScoredText[]): number | null {
  const sorted = sortTexts(texts);
  return walk(sorted, new Uint32Array(sorted.length).fill(1), []).area;
}

/** By falling score; ties by label and cluster, so that the order of the input leaves no trace. */
function sortTexts(texts: readonly ScoredText[]): ScoredText[] {
  if (texts.some(({ score }) => Number.isNaN(score))) throw new RangeError('a score is NaN');
  return texts.toSorted(
    (a, b) =>
      b.score - a.score ||
      Number(b.positive) - Number(a.positive) ||
      compareCodeUnits(a.cluster ?? '', b.cluster ?? ''),
  );
}

function cutAt(sorted: readonly ScoredText[], threshold: number): number {
  if (Number.isNaN(threshold)) throw new RangeError('a threshold is NaN');
  const cut = sorted.findIndex(({ score }) => score < threshold);
  return cut === -1 ? sorted.length : cut;
}

interface Groups {
  readonly clustered: boolean;
  /** Positions of the texts of each cluster, or of each label. */
  readonly members: readonly (readonly number[])[];
}

function groupTexts(sorted: readonly ScoredText[]): Groups {
  const clustered = sorted.some(({ cluster }) => cluster !== undefined);
  const members = new Map<string, number[]>();
  sorted.forEach(({ cluster, positive }, index) => {
    const alone = cluster === undefined ? `alone ${String(index)}` : `cluster ${cluster}`;
    const key = clustered ? alone : String(positive);
    const group = members.get(key);
    if (group === undefined) members.set(key, [index]);
    else group.push(index);
  });
  const rising = [...members].toSorted(([a], [b]) => compareCodeUnits(a, b));
  return { clustered, members: rising.map(([, group]) => group) };
}

function bootstrap(
  sorted: readonly ScoredText[],
  { clustered, members }: Groups,
  cuts: readonly number[],
  { resamples, random }: { readonly resamples: number; readonly random: Random },
): { f1: number[][]; area: number[] } {
  const f1: number[][] = cuts.map(() => []);
  const area: number[] = [];
  const weights = new Uint32Array(sorted.length);
  for (let round = 0; round < resamples && sorted.length > 0; round += 1) {
    weights.fill(0);
    if (clustered) drawGroups(members, weights, random);
    else drawWithin(members, weights, random);
    const found = walk(sorted, weights, cuts);
    if (found.area !== null) area.push(found.area);
    found.confusions.forEach(({ tp, fp, fn }, index) => {
      if (tp + fp + fn > 0) f1[index]?.push((2 * tp) / (2 * tp + fp + fn));
    });
  }
  return { f1, area };
}

function drawGroups(members: Groups['members'], weights: Uint32Array, random: Random): void {
  for (let draw = 0; draw < members.length; draw += 1) {
    for (const index of members[random.below(members.length)] ?? []) {
      weights[index] = (weights[index] ?? 0) + 1;
    }
  }
}

function drawWithin(members: Groups['members'], weights: Uint32Array, random: Random): void {
  for (const group of members) {
    for (let draw = 0; draw < group.length; draw += 1) {
      const index = group[random.below(group.length)] ?? 0;
      weights[index] = (weights[index] ?? 0) + 1;
    }
  }
}

/** One pass over the texts by falling score, each counted `weights` times. */
function walk(
  sorted: readonly ScoredText[],
  weights: Uint32Array,
  cuts: readonly number[],
): { confusions: Confusion[]; area: number | null } {
  const flagged = cuts.map(() => ({ tp: 0, fp: 0 }));
  let tp = 0;
  let fp = 0;
  let gained = 0;
  let area = 0;
  sorted.forEach(({ score, positive }, index) => {
    const weight = weights[index] ?? 0;
    if (positive) {
      tp += weight;
      gained += weight;
    } else fp += weight;
    cuts.forEach((cut, point) => {
      if (cut === index + 1) flagged[point] = { tp, fp };
    });
    if (gained > 0 && score !== sorted[index + 1]?.score) {
      area += (gained * tp) / (tp + fp);
      gained = 0;
    }
  });
  const confusions = flagged.map((point) => ({
    ...point,
    tn: fp - point.fp,
    fn: tp - point.tp,
  }));
  return { confusions, area: tp === 0 || fp === 0 ? null : area / tp };
}
