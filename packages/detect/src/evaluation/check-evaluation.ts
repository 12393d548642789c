import { amount } from '../check-result.js';
import { list, record, string, strings } from '../check-values.js';

const RATES = ['precision', 'recall', 'f1', 'fpr'];

/** A number from 0 up, or null where there is none. */
function rate(value: unknown, what: string): void {
  if (value !== null) amount(value, what);
}

function checkInterval(value: unknown, what: string): void {
  if (value === null) return;
  const { low, high } = record(value, what, 'an interval, or null');
  amount(low, `${what}.low`);
  amount(high, `${what}.high`);
}

function checkConfusion(value: unknown, what: string): void {
  const given = record(value, what, 'counts and rates');
  for (const name of ['tp', 'fp', 'tn', 'fn']) amount(given[name], `${what}.${name}`);
  const intervals = record(given['intervals'], `${what}.intervals`, 'an object of intervals');
  for (const name of RATES) {
    rate(given[name], `${what}.${name}`);
    checkInterval(intervals[name], `${what}.intervals.${name}`);
  }
}

type Check = (entry: Readonly<Record<string, unknown>>, what: string) => void;

const checkGroup: Check = (group, what) => {
  string(group['name'], `${what}.name`);
  amount(group['n'], `${what}.n`);
  checkConfusion(group, what);
};

const checkFiring: Check = (firing, what) => {
  string(firing['name'], `${what}.name`);
  amount(firing['tp'], `${what}.tp`);
  amount(firing['fp'], `${what}.fp`);
  rate(firing['precision'], `${what}.precision`);
};

const checkMistake: Check = (mistake, what) => {
  string(mistake['id'], `${what}.id`);
  amount(mistake['score'], `${what}.score`);
  strings(mistake['rules'], `${what}.rules`);
  string(mistake['text'], `${what}.text`);
};

const LISTS: readonly (readonly [string, Check])[] = [
  ['by_rule', checkFiring],
  ['by_view', checkFiring],
  ['by_scope', checkGroup],
  ['by_language', checkGroup],
  ['by_length', checkGroup],
  ['misses', checkMistake],
  ['false_alarms', checkMistake],
];

/** @throws DetectError `bad-option` for what `evaluate` did not give, such as a file of another version. */
export function checkEvaluation(value: unknown): void {
  const given = record(value, 'an evaluation', 'what evaluate gives');
  string(given['dataset'], 'dataset');
  for (const name of ['n', 'positives', 'negatives']) amount(given[name], name);
  const points = record(given['points'], 'points', 'an object with malicious and suspicious');
  checkConfusion(points['malicious'], 'points.malicious');
  checkConfusion(points['suspicious'], 'points.suspicious');
  rate(given['pr_auc'], 'pr_auc');
  checkInterval(given['pr_auc_interval'], 'pr_auc_interval');
  for (const [name, check] of LISTS) {
    const entries = given[name];
    list(entries, name, 'entries');
    for (const [i, entry] of entries.entries()) {
      check(record(entry, `${name}[${i}]`, 'an object'), `${name}[${i}]`);
    }
  }
}
