import { checkText, wholeNumber } from '../check-values.js';
import type { Detection, Severity, Span } from '../types.js';
import { project, sigmoid } from './logistic.js';
import { type UnpackedModel, unpackModel } from './model-file.js';
import { fold, spellNgram, visitNgrams } from './ngrams.js';
import { NgramCounter, weigh } from './sparse-row.js';
import { windowsOf } from './windows.js';

/** What PB-ML thinks of a text. */
export interface Classification {
  /** 0 to 1, calibrated on out-of-fold rows with both classes weighing the same. */
  readonly probability: number;
  /** The window that scored highest, as UTF-16 code units. */
  readonly span: Span;
}

/** A term and what it added to the score, in logits. */
export interface WeighedTerm {
  readonly term: string;
  readonly weight: number;
}

/** PB-ML, ready to score. For a review queue, not for blocking. */
export interface Classifier {
  readonly thresholds: { readonly suspicious: number; readonly malicious: number };
  classify(text: string): Classification;
  /** The terms of a window that speak most for an attack, strongest first. */
  topTerms(window: string, count?: number): WeighedTerm[];
  /** The finding PB-ML, or undefined under the suspicious threshold. */
  detect(text: string): Detection | undefined;
}

/** Letters of the raw text that a PB-ML detection shows. */
const SHOWN = 200;
const TOP_TERMS = 5;
const LETTER = /\p{L}/u;
const NO_SPAN: Span = { start: 0, end: 0 };

function topTermsOf(window: string, model: UnpackedModel, count: number): WeighedTerm[] {
  const row = weigh(new NgramCounter().count(window), model.idf);
  const contributions = new Map<number, number>();
  for (const [index, bucket] of row.buckets.entries()) {
    const logits = (row.values[index] ?? 0) * (model.weights[bucket] ?? 0);
    if (logits > 0) contributions.set(bucket, logits * model.calibration.slope);
  }
  const spelled = new Map<number, { term: string; word: boolean }>();
  visitNgrams(fold(window), (bucket, kind, holder, from, to) => {
    if (contributions.has(bucket) && !spelled.has(bucket)) {
      const term = spellNgram(holder, from, to);
      spelled.set(bucket, { term, word: kind === 'word' && LETTER.test(term) });
    }
  });
  const terms = [...contributions].map(([bucket, weight]) => ({
    term: spelled.get(bucket)?.term ?? '',
    word: spelled.get(bucket)?.word ?? false,
    weight,
  }));
  // Words first: a reviewer reads "previous instructions", not "evio". Pieces fill up what is left.
  const byWeight = terms.toSorted((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
  return [...byWeight.filter(({ word }) => word), ...byWeight.filter(({ word }) => !word)]
    .slice(0, count)
    .map(({ term, weight }) => ({ term, weight }));
}

/**
 * Makes a classifier of a model file's content. Time and memory of scoring are linear in the text:
 * windows are scored one after the other.
 *
 * @throws {DetectError} `bad-model` when `model` is not a PB-ML model
 */
export function createClassifier(model: unknown): Classifier {
  const unpacked = unpackModel(model);
  const counter = new NgramCounter();

  const classify = (text: string): Classification => {
    checkText(text);
    let best = Number.NEGATIVE_INFINITY;
    let span = NO_SPAN;
    for (const window of windowsOf(text.length)) {
      const row = weigh(counter.count(text.slice(window.start, window.end)), unpacked.idf);
      const score = project(row, unpacked.weights) + unpacked.bias;
      if (score > best) {
        best = score;
        span = window;
      }
    }
    const { slope, offset } = unpacked.calibration;
    return { probability: sigmoid(slope * best + offset), span };
  };

  const topTerms = (window: string, count = TOP_TERMS) => {
    checkText(window);
    wholeNumber(count, 'the number of terms', 0);
    return topTermsOf(window, unpacked, count);
  };

  const detect = (text: string): Detection | undefined => {
    const { probability, span } = classify(text);
    const { suspicious, malicious } = unpacked.thresholds;
    if (probability < suspicious) return undefined;
    const severity: Severity = probability >= malicious ? 'high' : 'medium';
    const window = text.slice(span.start, span.end);
    return {
      id: 'PB-ML',
      title: 'Reads like an attack (classifier)',
      severity,
      confidence: probability,
      tags: { atlas: ['AML.T0051'], owasp: ['LLM01:2026'] },
      matched: window.slice(0, SHOWN),
      span,
      view: 'original',
      terms: topTerms(window),
    };
  };

  return { thresholds: unpacked.thresholds, classify, topTerms, detect };
}
