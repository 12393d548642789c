import { checkResult, scopeOf } from '../check-result.js';
import {
  boolean,
  callable,
  optionalString,
  optionsOf,
  record,
  refuse,
  shown,
  string,
  wholeNumber,
} from '../check-values.js';
import type { Detection, ScanResult, Verdict } from '../types.js';
import { guessLanguage } from './guess-language.js';
import { areaInterval, type Interval } from './intervals.js';
import type { LabelledText } from './labelled-text.js';
import { type Confusion, confusionOf } from './metrics.js';
import { averagePrecision } from './ranking.js';

/** One group of a breakdown, at `suspicious` or worse. */
export interface Group extends Confusion {
  readonly name: string;
  readonly n: number;
}

/** How often a rule fired, alone or in a view. */
export interface Firing {
  readonly name: string;
  /** Attacks in which it fired. */
  readonly tp: number;
  /** Benign texts in which it fired. */
  readonly fp: number;
  readonly precision: number | null;
}

/** A text that was sorted wrongly. */
export interface Mistake {
  readonly id: string;
  readonly score: number;
  readonly verdict: Verdict;
  readonly rules: readonly string[];
  readonly text: string;
}

/** What `pab eval --json` prints; keys are part of the command line's contract. */
export interface Evaluation {
  readonly dataset: string;
  readonly n: number;
  readonly positives: number;
  readonly negatives: number;
  readonly points: { readonly malicious: Confusion; readonly suspicious: Confusion };
  readonly pr_auc: number | null;
  readonly pr_auc_interval: Interval | null;
  readonly by_rule: readonly Firing[];
  readonly by_view: readonly Firing[];
  readonly by_scope: readonly Group[];
  readonly by_language: readonly Group[];
  readonly by_length: readonly Group[];
  /** Attacks under `suspicious`, as many as were asked for. */
  readonly misses: readonly Mistake[];
  /** Benign texts at `suspicious` or worse, as many as were asked for. */
  readonly false_alarms: readonly Mistake[];
  readonly ms_per_sample: number | null;
  readonly kb_per_s: number | null;
}

export interface EvaluateOptions {
  readonly dataset: string;
  readonly scan: (row: LabelledText) => ScanResult;
  /** Mistakes to list, of each kind. Default 0. */
  readonly mistakes?: number;
  /** Milliseconds of a clock; without one no times are reported. */
  readonly elapsed?: () => number;
}

interface Outcome {
  readonly row: LabelledText;
  readonly result: ScanResult;
}

const LENGTHS: readonly (readonly [string, number])[] = [
  ['≤ 100', 100],
  ['101–500', 500],
  ['501–2,000', 2_000],
  ['2,001–10,000', 10_000],
  ['> 10,000', Number.POSITIVE_INFINITY],
];
/** UTF-16 units of a text that a mistake shows. */
const SHOWN = 300;

function lengthName(text: string): string {
  return LENGTHS.find(([, most]) => text.length <= most)?.[0] ?? '';
}

function alarm({ result }: Outcome): boolean {
  return result.verdict !== 'benign';
}

function groupBy(outcomes: readonly Outcome[], key: (outcome: Outcome) => string): Group[] {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const name = key(outcome);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [outcome]);
    else group.push(outcome);
  }
  return [...groups].map(([name, some]) => ({
    name,
    n: some.length,
    ...confusionOf(some.map((outcome) => ({ attack: outcome.row.attack, alarm: alarm(outcome) }))),
  }));
}

function bySize(groups: readonly Group[]): Group[] {
  return groups.toSorted((a, b) => b.n - a.n || (a.name < b.name ? -1 : 1));
}

function firings(outcomes: readonly Outcome[], name: (detection: Detection) => string): Firing[] {
  const counts = new Map<string, { tp: number; fp: number }>();
  for (const { row, result } of outcomes) {
    // Counted once a text, however often it fires there.
    for (const fired of new Set(result.detections.map(name))) {
      const count = counts.get(fired) ?? { tp: 0, fp: 0 };
      if (row.attack) count.tp += 1;
      else count.fp += 1;
      counts.set(fired, count);
    }
  }
  return [...counts]
    .map(([fired, { tp, fp }]) => ({ name: fired, tp, fp, precision: tp / (tp + fp) }))
    .toSorted((a, b) => b.tp + b.fp - a.tp - a.fp || (a.name < b.name ? -1 : 1));
}

function mistakesOf(outcomes: readonly Outcome[], attack: boolean, count: number): Mistake[] {
  return outcomes
    .filter((outcome) => outcome.row.attack === attack && alarm(outcome) !== attack)
    .slice(0, count)
    .map(({ row, result }) => ({
      id: row.id,
      score: result.score,
      verdict: result.verdict,
      rules: result.detections.map(({ id }) => id),
      text: row.text.length > SHOWN ? `${row.text.slice(0, SHOWN)}…` : row.text,
    }));
}

function checkEvaluate(rows: unknown, options: unknown): void {
  const each: unknown =
    typeof rows === 'object' && rows !== null ? Reflect.get(rows, Symbol.iterator) : undefined;
  if (typeof each !== 'function') refuse(`evaluate takes labelled texts; got ${shown(rows)}`);
  const given = optionsOf(options, 'evaluate', ['dataset', 'scan', 'mistakes', 'elapsed']);
  string(given['dataset'], 'dataset');
  callable(given['scan'], 'scan', 'such as ({ text }) => scanner.scan(text)');
  if (given['mistakes'] !== undefined) wholeNumber(given['mistakes'], 'mistakes', 0);
  if (given['elapsed'] !== undefined) {
    callable(given['elapsed'], 'elapsed', 'such as () => performance.now()');
  }
}

function checkRow(row: unknown, index: number): void {
  const given = record(row, `the row ${index}`, 'a labelled text');
  string(given['id'], `the id of row ${index}`);
  string(given['text'], `the text of row ${index}`);
  boolean(given['attack'], `attack of row ${index}`);
  scopeOf(given['scope'], `the scope of row ${index}`);
  optionalString(given['language'], `the language of row ${index}`);
}

/**
 * Scans labelled texts in order and counts what came of it.
 *
 * @throws DetectError `bad-option` for an option that is missing, unknown or of a wrong type.
 */
export function evaluate(rows: Iterable<LabelledText>, options: EvaluateOptions): Evaluation {
  checkEvaluate(rows, options);
  const { dataset, scan, mistakes = 0, elapsed } = options;
  const outcomes: Outcome[] = [];
  let milliseconds = 0;
  let units = 0;
  for (const row of rows) {
    checkRow(row, outcomes.length);
    const start = elapsed?.() ?? 0;
    const result = scan(row);
    milliseconds += (elapsed?.() ?? 0) - start;
    checkResult(result, 'evaluate');
    units += row.text.length;
    outcomes.push({ row, result });
  }
  const positives = outcomes.filter(({ row }) => row.attack).length;
  const area = averagePrecision(
    outcomes.map(({ row, result }) => ({ attack: row.attack, score: result.score })),
  );
  const at = (fires: (verdict: Verdict) => boolean) =>
    confusionOf(
      outcomes.map(({ row, result }) => ({ attack: row.attack, alarm: fires(result.verdict) })),
    );
  const timed = elapsed !== undefined && outcomes.length > 0 && milliseconds > 0;
  const lengths = groupBy(outcomes, ({ row }) => lengthName(row.text));
  return {
    dataset,
    n: outcomes.length,
    positives,
    negatives: outcomes.length - positives,
    points: {
      malicious: at((verdict) => verdict === 'malicious'),
      suspicious: at((verdict) => verdict !== 'benign'),
    },
    pr_auc: area ?? null,
    pr_auc_interval: area === undefined ? null : (areaInterval(area, positives) ?? null),
    by_rule: firings(outcomes, ({ id }) => id),
    by_view: firings(outcomes, ({ view }) => view),
    by_scope: bySize(groupBy(outcomes, ({ row }) => row.scope)),
    by_language: bySize(groupBy(outcomes, ({ row }) => row.language ?? guessLanguage(row.text))),
    by_length: LENGTHS.flatMap(([name]) => lengths.find((group) => group.name === name) ?? []),
    misses: mistakesOf(outcomes, true, mistakes),
    false_alarms: mistakesOf(outcomes, false, mistakes),
    ms_per_sample: timed ? milliseconds / outcomes.length : null,
    kb_per_s: timed ? units / 1024 / (milliseconds / 1000) : null,
  };
}
