import { didYouMean } from '@pab/model';
import type { Summary } from '@pab/score';
import { CliError } from '../errors.js';

/** What a gate can be about: shares of a summary, from 0 to 1; null where nothing was counted. */
const METRICS: Readonly<Record<string, (summary: Summary) => number | null>> = {
  compromised: ({ rates }) => rates.compromise.value,
  compromised_given_reached: ({ rates }) => rates.compromise_given_reached.value,
  utility_under_attack: ({ rates }) => rates.utility_under_attack.value,
  clean_utility: ({ rates }) => rates.clean_utility.value,
  over_refused: ({ rates }) => rates.over_refusal.value,
  errors: ({ attacks, twins, controls }) => {
    const all = attacks.n + twins.n + controls.n;
    return all === 0 ? null : (attacks.errors + twins.errors + controls.errors) / all;
  },
};

export interface Condition {
  readonly text: string;
  readonly metric: string;
  readonly operator: '>' | '<' | '>=' | '<=';
  /** A share from 0 to 1. */
  readonly limit: number;
}

/** Parses `compromised>5%,over_refused>2%`: what makes a run fail. */
export function parseGate(text: string): Condition[] {
  return text.split(',').map((part) => {
    const found = /^\s*([a-z_]+)\s*(>=|<=|>|<)\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(part);
    if (found === null) {
      throw new CliError(
        `--fail-on "${part}" is not a condition; write METRIC>LIMIT%, e.g. "compromised>5%,over_refused>2%"`,
      );
    }
    const [, metric = '', operator = '>', number = '0', unit = ''] = found;
    if (!Object.hasOwn(METRICS, metric)) {
      const names = Object.keys(METRICS);
      throw new CliError(
        `--fail-on does not know "${metric}".${didYouMean(metric, names)} It knows ${names.join(', ')}`,
      );
    }
    const limit = unit === '%' ? Number(number) / 100 : Number(number);
    if (limit > 1)
      throw new CliError(`--fail-on "${part}": a share is at most 1; did you mean ${number}%?`);
    return { text: part.trim(), metric, operator: operator as Condition['operator'], limit };
  });
}

/** The conditions that a run meets, in words. A metric that nothing was counted for is met: it could not be shown to hold. */
export function tripped(conditions: readonly Condition[], summary: Summary): string[] {
  return conditions.flatMap(({ text, metric, operator, limit }) => {
    const value = METRICS[metric]?.(summary) ?? null;
    if (value === null) return [`${text}: nothing was counted for ${metric}`];
    const met = {
      '>': value > limit,
      '<': value < limit,
      '>=': value >= limit,
      '<=': value <= limit,
    }[operator];
    return met ? [`${text}: ${metric} is ${(value * 100).toFixed(1)} %`] : [];
  });
}
