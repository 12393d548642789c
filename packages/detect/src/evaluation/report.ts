import { amount } from '../check-result.js';
import { record } from '../check-values.js';
import { checkEvaluation } from './check-evaluation.js';
import type { Evaluation, Firing, Group } from './evaluate.js';
import type { Interval } from './intervals.js';
import type { Confusion } from './metrics.js';

/** A rate as percent with its interval; `n/a` where it is not defined. */
export function percent(rate: number | null, interval?: Interval | null): string {
  if (rate === null) return 'n/a';
  amount(rate, 'a rate');
  if (interval !== undefined && interval !== null) {
    const { low, high } = record(interval, 'an interval', 'an object with low and high');
    amount(low, 'low');
    amount(high, 'high');
  }
  const shown = `${(rate * 100).toFixed(1)} %`;
  if (interval === undefined || interval === null) return shown;
  return `${shown} [${(interval.low * 100).toFixed(1)}, ${(interval.high * 100).toFixed(1)}]`;
}

// A cell of a Markdown table holds no bar and no line break.
function cell(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').replaceAll('|', '\\|');
}

/** Text of others: it brings no markup, no link and no mark that turns the line round. */
function quoted(text: string): string {
  return text
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[`[\]!*\\~]/gu, '\\$&');
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

function point(name: string, at: Confusion): string[] {
  const { tp, fp, tn, fn, intervals } = at;
  return [
    name,
    [tp, fp, tn, fn].join(' / '),
    percent(at.precision, intervals.precision),
    percent(at.recall, intervals.recall),
    percent(at.f1, intervals.f1),
    percent(at.fpr, intervals.fpr),
  ];
}

function groups(title: string, rows: readonly Group[]): string {
  const body = rows.map(({ name, n, recall, fpr, tp, fn, fp, tn, intervals }) => [
    quoted(name),
    n.toString(),
    `${percent(recall, intervals.recall)} (${tp}/${tp + fn})`,
    `${percent(fpr, intervals.fpr)} (${fp}/${fp + tn})`,
  ]);
  return `## By ${title}, at suspicious or worse\n\n${table([title, 'n', 'recall', 'FPR'], body)}`;
}

function firings(title: string, rows: readonly Firing[]): string {
  const body = rows.map(({ name, tp, fp, precision }) => [
    quoted(name),
    tp.toString(),
    fp.toString(),
    percent(precision),
  ]);
  return `## By ${title}\n\n${table([title, 'attacks', 'benign', 'precision'], body)}`;
}

/**
 * The evaluation as a Markdown page. Rates carry 95 % intervals.
 *
 * @throws DetectError `bad-option` for what `evaluate` did not give.
 */
export function evaluationMarkdown(evaluation: Evaluation): string {
  checkEvaluation(evaluation);
  const { dataset, n, positives, negatives, points } = evaluation;
  const parts = [
    `# ${cell(quoted(dataset))}`,
    `${n} texts: ${positives} attacks, ${negatives} benign. PR-AUC ${percent(evaluation.pr_auc, evaluation.pr_auc_interval)}.`,
    table(
      ['verdict at least', 'tp / fp / tn / fn', 'precision', 'recall', 'F1', 'FPR'],
      [point('malicious', points.malicious), point('suspicious', points.suspicious)],
    ),
    firings('rule', evaluation.by_rule),
    firings('view', evaluation.by_view),
    groups('scope', evaluation.by_scope),
    groups('language', evaluation.by_language),
    groups('length', evaluation.by_length),
  ];
  for (const [title, mistakes] of [
    ['Misses', evaluation.misses],
    ['False alarms', evaluation.false_alarms],
  ] as const) {
    if (mistakes.length === 0) continue;
    const body = mistakes.map(({ id, score, rules, text }) => [
      quoted(id),
      score.toString(),
      quoted(rules.join(', ')),
      quoted(text),
    ]);
    parts.push(`## ${title}\n\n${table(['id', 'score', 'rules', 'text'], body)}`);
  }
  return `${parts.join('\n\n')}\n`;
}
