import { ScoreError } from '../errors.js';
import { COMPARED, type ComparedMetric, type Comparison } from './comparison.js';

/** How far a metric may move from the first run to the second. */
export interface DifferenceGate {
  readonly text: string;
  readonly metric: ComparedMetric;
  /** `+`: it may not rise by more than the limit; `-`: it may not fall by more. */
  readonly direction: '+' | '-';
  /** A share from 0 to 1. */
  readonly limit: number;
}

/**
 * Reads `compromised+2pp,utility_under_attack-5pp`: a rise of more than two points, or a fall of more than five, does not pass.
 *
 * @throws ScoreError `invalid-options` for anything else
 */
export function parseDifferenceGate(text: string): DifferenceGate[] {
  return text.split(',').map((part) => {
    const found = /^\s*([a-z_]+)\s*([+-])\s*(\d+(?:\.\d+)?)\s*pp\s*$/.exec(part);
    const [, name = '', direction = '+', points = ''] = found ?? [];
    const metric = COMPARED.find((known) => known === name);
    const limit = Number(points) / 100;
    if (found === null || limit > 1) {
      throw new ScoreError(
        'invalid-options',
        `"${part}" is no gate; write METRIC+POINTSpp or METRIC-POINTSpp, e.g. "compromised+2pp,utility_under_attack-5pp"`,
      );
    }
    if (metric === undefined) {
      throw new ScoreError(
        'invalid-options',
        `there is no metric "${name}" to gate; there are ${COMPARED.join(', ')}`,
      );
    }
    return { text: part.trim(), metric, direction: direction === '-' ? '-' : '+', limit };
  });
}

/** The gates that a comparison does not pass, in words. Without a pair nothing was shown, so the gate is not passed. */
export function trippedGates(gates: readonly DifferenceGate[], { metrics }: Comparison): string[] {
  return gates.flatMap(({ text, metric, direction, limit }) => {
    const difference = metrics.find((held) => held.metric === metric)?.difference ?? null;
    if (difference === null) return [`${text}: there is no pair to show it`];
    const moved = direction === '+' ? difference : -difference;
    // A limit of two points is not passed by 0.02 that came out as 0.020000000000000004.
    if (moved <= limit + 1e-12) return [];
    const sign = difference > 0 ? '+' : '';
    return [`${text}: ${metric} moved by ${sign}${(difference * 100).toFixed(1)} points`];
  });
}
