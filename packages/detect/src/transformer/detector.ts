import { checkResult, signalOf } from '../check-result.js';
import { callable, checkText, record, string, strings, thresholdsOf } from '../check-values.js';
import { DetectError } from '../errors.js';
import { withFinding } from '../judge/with-finding.js';
import type { Thresholds } from '../scoring.js';
import type { Detection, ScanResult } from '../types.js';
import { attackProbability, type ProbabilityOptions } from './probability.js';

export interface TransformerOptions extends Omit<ProbabilityOptions, 'signal'> {
  /**
   * Probabilities from which a text is a finding of medium, and of high severity. Set them by a budget of false
   * alarms on benign texts of your own, see `cutsFromBudget`.
   */
  readonly cuts: Thresholds;
  /** Stands in the finding. */
  readonly modelName: string;
  /** Thresholds of the verdict; 20 and 50. */
  readonly thresholds?: Thresholds;
}

/** A local model as one more detector of a user's prompts. */
export interface TransformerDetector {
  /**
   * The finding PB-TF, or `undefined` under the lower cut. A long text is read in overlapping pieces, and the
   * highest probability counts.
   *
   * @throws DetectError `bad-model` when the model gives none of the attack labels, or no probability.
   */
  detect(text: string, options?: { readonly signal?: AbortSignal }): Promise<Detection | undefined>;
  /** Adds PB-TF to the result of `Scanner.scan`; results of other scopes come back as they are. */
  review(
    text: string,
    result: ScanResult,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ScanResult>;
}

/** Letters of the text that a finding shows. */
const SHOWN = 200;

function checkDetector(options: unknown): void {
  // What `loadTransformer` gives may be spread into them, so there are other keys.
  const what = 'the options of createTransformerDetector';
  const shape = 'an object with classify, attackLabels, cuts and modelName';
  const given = record(options, what, shape);
  callable(given['classify'], 'classify', 'as loadTransformer gives it');
  strings(given['attackLabels'], 'attackLabels');
  record(given['cuts'], 'cuts', 'an object with suspicious and malicious, see cutsFromBudget');
  string(given['modelName'], 'modelName');
  if (given['fits'] !== undefined) callable(given['fits'], 'fits', 'as loadTransformer gives it');
  if (given['thresholds'] !== undefined) thresholdsOf(given['thresholds']);
}

/**
 * Makes a detector of any text classifier, such as an ONNX model that runs in this process.
 *
 * Like PB-ML it reads user prompts only, its confidence is the probability, and its cuts come from a budget of false
 * alarms (1 % for medium, 0.2 % for high severity) on benign texts that the model was not trained on.
 *
 * @example
 * const model = await loadTransformer(await readModelFolder((name) => readFile(`./model/${name}`)));
 * const how = { ...model, attackLabels: ['INJECTION'] };
 * const benign = [];
 * for (const text of benignTexts) benign.push((await attackProbability(text, how)).probability);
 * const tf = createTransformerDetector({ ...how, cuts: cutsFromBudget(benign), modelName: 'mine' });
 * const result = await tf.review(text, scanner.scan(text));
 *
 * @throws DetectError `bad-option` when there is no attack label, or the cuts are not 0 < suspicious ≤ malicious ≤ 1.
 */
export function createTransformerDetector(options: TransformerOptions): TransformerDetector {
  checkDetector(options);
  const { attackLabels, cuts, modelName } = options;
  const { thresholds = { suspicious: 20, malicious: 50 } } = options;
  if (attackLabels.length === 0) {
    throw new DetectError('bad-option', 'attackLabels must name a label');
  }
  if (!(cuts.suspicious > 0 && cuts.suspicious <= cuts.malicious && cuts.malicious <= 1)) {
    throw new DetectError('bad-option', 'cuts must be 0 < suspicious ≤ malicious ≤ 1');
  }

  const detect: TransformerDetector['detect'] = async (text, how = {}) => {
    const signal = signalOf(how, 'detect');
    const { probability, span } = await attackProbability(text, {
      classify: options.classify,
      attackLabels,
      ...(options.fits === undefined ? {} : { fits: options.fits }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (probability < cuts.suspicious) return undefined;
    return {
      id: 'PB-TF',
      title: `Reads like an attack (${modelName})`,
      severity: probability >= cuts.malicious ? 'high' : 'medium',
      confidence: probability,
      tags: { atlas: ['AML.T0051'], owasp: ['LLM01:2026'] },
      matched: text.slice(span.start, Math.min(span.end, span.start + SHOWN)),
      span,
      view: 'original',
    };
  };

  const review: TransformerDetector['review'] = async (text, result, how) => {
    checkText(text);
    checkResult(result, 'review');
    if (result.scope !== 'input') return result;
    const finding = await detect(text, how);
    return finding === undefined ? result : withFinding(result, finding, thresholds);
  };

  return { detect, review };
}
