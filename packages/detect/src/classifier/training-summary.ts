import { type Interval, wilson } from '../evaluation/intervals.js';
import { averagePrecision, rocArea } from '../evaluation/ranking.js';

/** k of n with its interval; `value` and `interval` are null where n is 0. */
export interface CountedRate {
  readonly value: number | null;
  readonly k: number;
  readonly n: number;
  readonly interval: Interval | null;
}

export interface SourceSummary {
  readonly source: string;
  readonly suspicious: { readonly recall: CountedRate; readonly fpr: CountedRate };
  readonly malicious: { readonly recall: CountedRate; readonly fpr: CountedRate };
}

/** How probabilities of texts that were not trained on do. */
export interface TrainingSummary {
  readonly rocAuc: number | null;
  readonly prAuc: number | null;
  /** Mean absolute difference of predicted and found attack rates over ten bins of equal weight. */
  readonly calibrationError: number | null;
  /** All sets together first, named `all`. */
  readonly sources: readonly SourceSummary[];
}

interface Judged {
  readonly attack: boolean;
  readonly source: string;
  readonly weight: number;
  readonly probability: number;
}

const BINS = 10;

export function countedRate(k: number, n: number): CountedRate {
  return { value: n === 0 ? null : k / n, k, n, interval: wilson(k, n) ?? null };
}

function atThreshold(rows: readonly Judged[], threshold: number) {
  const attacks = rows.filter(({ attack }) => attack);
  const benign = rows.filter(({ attack }) => !attack);
  const over = (some: readonly Judged[]) =>
    some.filter(({ probability }) => probability >= threshold).length;
  return {
    recall: countedRate(over(attacks), attacks.length),
    fpr: countedRate(over(benign), benign.length),
  };
}

/** Expected calibration error with both classes weighing the same, as the probabilities were fitted. */
function calibrationError(rows: readonly Judged[]): number | null {
  const totals = { attack: 0, benign: 0 };
  for (const { attack, weight } of rows) totals[attack ? 'attack' : 'benign'] += weight;
  if (totals.attack === 0 || totals.benign === 0) return null;
  const bins = Array.from({ length: BINS }, () => ({ weight: 0, predicted: 0, found: 0 }));
  let passed = 0;
  for (const row of rows.toSorted((a, b) => a.probability - b.probability)) {
    const weight = row.weight / totals[row.attack ? 'attack' : 'benign'] / 2;
    const bin = bins[Math.min(BINS - 1, Math.floor(passed * BINS))];
    if (bin === undefined) continue;
    passed += weight;
    bin.weight += weight;
    bin.predicted += weight * row.probability;
    bin.found += row.attack ? weight : 0;
  }
  return bins.reduce((sum, { predicted, found }) => sum + Math.abs(predicted - found), 0);
}

/** Summarises probabilities over all sets and for each of them. */
export function summariseScores(
  texts: readonly { readonly attack: boolean; readonly source: string; readonly weight: number }[],
  probabilities: readonly number[],
  thresholds: { readonly suspicious: number; readonly malicious: number },
): TrainingSummary {
  const rows = texts.map(({ attack, source, weight }, index) => ({
    attack,
    source,
    weight,
    probability: probabilities[index] ?? 0,
  }));
  const ranked = rows.map(({ attack, probability }) => ({ attack, score: probability }));
  const sourceSummary = (source: string, some: readonly Judged[]): SourceSummary => ({
    source,
    suspicious: atThreshold(some, thresholds.suspicious),
    malicious: atThreshold(some, thresholds.malicious),
  });
  return {
    rocAuc: rocArea(ranked) ?? null,
    prAuc: averagePrecision(ranked) ?? null,
    calibrationError: calibrationError(rows),
    sources: [
      sourceSummary('all', rows),
      ...[...new Set(rows.map(({ source }) => source))].map((source) =>
        sourceSummary(
          source,
          rows.filter((row) => row.source === source),
        ),
      ),
    ],
  };
}
