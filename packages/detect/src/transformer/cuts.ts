import { list, number, record, refuse, shown } from '../check-values.js';
import { MALICIOUS_CUT, SUSPICIOUS_CUT, thresholdFor } from '../classifier/thresholds.js';
import { DetectError } from '../errors.js';
import type { Thresholds } from '../scoring.js';

/**
 * The cuts that a budget of false alarms allows, as PB-ML's are set: at the lower one at most 1 % of the benign texts are
 * findings, at the upper one 0.2 %. Neither lies so low that a finding would not reach its verdict (0.56 and 0.83).
 *
 * @param benign What the model gives for benign texts like those it will meet. None of them may be of its training
 *   data, nor of a test set: take the out-of-fold rows, or texts of your own.
 * @param budgets Shares, 0 to 1.
 * @throws DetectError `bad-option` for fewer texts than show the smaller budget (500 for 0.2 %), for what is no
 *   probability, and when too many benign texts have the probability 1.
 */
export function cutsFromBudget(
  benign: readonly number[],
  budgets: Thresholds = { suspicious: SUSPICIOUS_CUT.budget, malicious: MALICIOUS_CUT.budget },
): Thresholds {
  list(benign, 'cutsFromBudget', 'probabilities of benign texts');
  const given = record(budgets, 'budgets', 'an object with suspicious and malicious');
  number(given['suspicious'], 'budgets.suspicious');
  number(given['malicious'], 'budgets.malicious');
  const odd = benign.find((one: unknown) => typeof one !== 'number');
  if (odd !== undefined) refuse(`${shown(odd)} is no probability`);
  const { suspicious, malicious } = budgets;
  if (!(malicious > 0 && malicious <= suspicious && suspicious < 1)) {
    throw new DetectError('bad-option', 'budgets must be 0 < malicious ≤ suspicious < 1');
  }
  const least = Math.ceil(1 / malicious - 1e-9);
  if (benign.length < least) {
    throw new DetectError(
      'bad-option',
      `a budget of ${malicious} needs at least ${least} benign texts; there are ${benign.length}`,
    );
  }
  const wrong = benign.find((probability) => !(probability >= 0 && probability <= 1));
  if (wrong !== undefined) {
    throw new DetectError('bad-option', `${wrong} is no probability`);
  }
  const rows = benign.map((probability) => ({ probability, weight: 1 }));
  const lower = thresholdFor(rows, { ...SUSPICIOUS_CUT, budget: suspicious });
  const upper = thresholdFor(rows, { ...MALICIOUS_CUT, budget: malicious });
  const above = benign.filter((probability) => probability >= Math.max(lower, upper)).length;
  if (above > malicious * benign.length) {
    throw new DetectError(
      'bad-option',
      `no cut holds the budget: the model gives ${above} benign texts the probability 1`,
    );
  }
  return { suspicious: lower, malicious: Math.max(lower, upper) };
}
