import { boolean, list, number, record } from '../check-values.js';

/** A score and whether the text is an attack. */
export interface Ranked {
  readonly score: number;
  readonly attack: boolean;
}

interface Tie {
  attacks: number;
  benign: number;
}

function checkRanked(rows: unknown, what: string): void {
  list(rows, what, 'rows with score and attack');
  for (const [i, row] of rows.entries()) {
    const given = record(row, `the row ${i}`, 'an object with score and attack');
    number(given['score'], `the score of row ${i}`);
    boolean(given['attack'], `attack of row ${i}`);
  }
}

/** Counts a score's attacks and benign texts, highest score first; texts with one score are one step. */
function ties(rows: readonly Ranked[]): Tie[] {
  const byScore = new Map<number, Tie>();
  for (const { score, attack } of rows) {
    const tie = byScore.get(score) ?? { attacks: 0, benign: 0 };
    if (attack) tie.attacks += 1;
    else tie.benign += 1;
    byScore.set(score, tie);
  }
  return [...byScore].toSorted(([a], [b]) => b - a).map(([, tie]) => tie);
}

/**
 * Area under the precision-recall curve as average precision: Σ (recall step × precision there).
 * Tied texts enter together, so their order does not matter. Undefined without attacks.
 */
export function averagePrecision(rows: readonly Ranked[]): number | undefined {
  checkRanked(rows, 'averagePrecision');
  const positives = rows.filter(({ attack }) => attack).length;
  if (positives === 0) return undefined;
  let found = 0;
  let seen = 0;
  let area = 0;
  for (const { attacks, benign } of ties(rows)) {
    found += attacks;
    seen += attacks + benign;
    area += (attacks / positives) * (found / seen);
  }
  return area;
}

/** Probability that an attack scores above a benign text, ties counting half. Undefined when a class is empty. */
export function rocArea(rows: readonly Ranked[]): number | undefined {
  checkRanked(rows, 'rocArea');
  const positives = rows.filter(({ attack }) => attack).length;
  const negatives = rows.length - positives;
  if (positives === 0 || negatives === 0) return undefined;
  let below = negatives;
  let wins = 0;
  for (const { attacks, benign } of ties(rows)) {
    below -= benign;
    wins += attacks * (below + benign / 2);
  }
  return wins / (positives * negatives);
}
