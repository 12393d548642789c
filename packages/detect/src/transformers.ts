import { windowsOf } from './classifier/windows.js';
import { DetectError } from './errors.js';
import { withFinding } from './judge/with-finding.js';
import type { Thresholds } from './scoring.js';
import type { Detection, ScanResult, Span } from './types.js';

/** One label that a text classifier gave. */
export interface LabelScore {
  readonly label: string;
  /** 0 to 1. */
  readonly score: number;
}

/**
 * A text classifier, as `pipeline('text-classification', model)` of `@huggingface/transformers` gives one. It is
 * called with `{ top_k: null }`, for the scores of all labels.
 */
export type TextClassifier = (
  text: string,
  options: { readonly top_k: null },
) => Promise<readonly LabelScore[] | LabelScore>;

export interface TransformerOptions {
  readonly classify: TextClassifier;
  /** Labels that mean an attack; their scores are added. Compared without regard to case. */
  readonly attackLabels: readonly string[];
  /**
   * Probabilities from which a text is a finding of medium, and of high severity. Set them by a budget of false
   * alarms on benign texts of your own.
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
   * The finding PB-TF, or `undefined` under the lower cut. A long text is read in overlapping windows, and the
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

function attackScore(scores: readonly LabelScore[], labels: ReadonlySet<string>): number {
  const attacks = scores.filter(({ label }) => labels.has(label.toLowerCase()));
  const sum = attacks.reduce((total, { score }) => total + score, 0);
  // A model that reports only its best label gives none of ours for a benign text.
  const probability = attacks.length === 0 && scores.length === 1 ? 0 : sum;
  if (attacks.length === 0 && scores.length !== 1) {
    const given = scores.map(({ label }) => label).join(', ');
    throw new DetectError('bad-model', `the model gives no attack label, only: ${given}`);
  }
  if (!(probability >= 0 && probability <= 1.001)) {
    throw new DetectError('bad-model', `the model gives ${probability}, which is no probability`);
  }
  return Math.min(1, probability);
}

/**
 * Makes a detector of any text classifier, such as an ONNX model that runs in this process.
 *
 * @example
 * const classify = await pipeline('text-classification', './model');
 * const tf = createTransformerDetector({
 *   classify, attackLabels: ['INJECTION'], cuts: { suspicious: 0.8, malicious: 0.97 }, modelName: 'mine',
 * });
 * const result = await tf.review(text, scanner.scan(text));
 *
 * @throws DetectError `bad-option` when there is no attack label, or the cuts are not 0 < suspicious ≤ malicious ≤ 1.
 */
export function createTransformerDetector(options: TransformerOptions): TransformerDetector {
  const { classify, attackLabels, cuts, modelName } = options;
  const { thresholds = { suspicious: 20, malicious: 50 } } = options;
  const labels = new Set(attackLabels.map((label) => label.toLowerCase()));
  if (labels.size === 0) throw new DetectError('bad-option', 'attackLabels must name a label');
  if (!(cuts.suspicious > 0 && cuts.suspicious <= cuts.malicious && cuts.malicious <= 1)) {
    throw new DetectError('bad-option', 'cuts must be 0 < suspicious ≤ malicious ≤ 1');
  }

  const detect: TransformerDetector['detect'] = async (text, { signal } = {}) => {
    let best = -1;
    let span: Span = { start: 0, end: 0 };
    for (const window of windowsOf(text.length)) {
      signal?.throwIfAborted();
      const answer = await classify(text.slice(window.start, window.end), { top_k: null });
      const scores = 'label' in answer ? [answer] : answer;
      const probability = attackScore(scores, labels);
      if (probability > best) {
        best = probability;
        span = { start: window.start, end: window.end };
      }
    }
    if (best < cuts.suspicious) return undefined;
    return {
      id: 'PB-TF',
      title: `Reads like an attack (${modelName})`,
      severity: best >= cuts.malicious ? 'high' : 'medium',
      confidence: best,
      tags: { atlas: ['AML.T0051'], owasp: ['LLM01:2026'] },
      matched: text.slice(span.start, Math.min(span.end, span.start + SHOWN)),
      span,
      view: 'original',
    };
  };

  const review: TransformerDetector['review'] = async (text, result, how) => {
    if (result.scope !== 'input') return result;
    const finding = await detect(text, how);
    return finding === undefined ? result : withFinding(result, finding, thresholds);
  };

  return { detect, review };
}
