import { signalOf } from '../check-result.js';
import { callable, checkText, isRecord, record, shown, strings } from '../check-values.js';
import { OVERLAP, type Window, windowsOf } from '../classifier/windows.js';
import { DetectError } from '../errors.js';
import type { Span } from '../types.js';

/** One label that a text classifier gave. */
export interface LabelScore {
  readonly label: string;
  /** 0 to 1. */
  readonly score: number;
}

/**
 * A text classifier: `loadTransformer` gives one, and so does `pipeline('text-classification', model)` of
 * `@huggingface/transformers`. It is called with `{ top_k: null }`, for the scores of all labels.
 */
export type TextClassifier = (
  text: string,
  options: { readonly top_k: null },
) => Promise<readonly LabelScore[] | LabelScore>;

export interface ProbabilityOptions {
  readonly classify: TextClassifier;
  /** Labels that mean an attack; their scores are added, to 1 at most. Compared without regard to case. */
  readonly attackLabels: readonly string[];
  /**
   * Whether the classifier reads all of a text. What it does not is cut in two, so that an attack cannot hide behind
   * the last token that a model takes. By default every window of 2,000 UTF-16 units counts as read.
   */
  readonly fits?: (text: string) => boolean;
  readonly signal?: AbortSignal;
}

export interface AttackProbability {
  /** 0 to 1; of several pieces the highest. */
  readonly probability: number;
  /** The piece that it is of. */
  readonly span: Span;
}

/** UTF-16 units of a piece that is not cut any more. */
const LEAST_PIECE = 16;

/** What a classifier gave, which may be any function. */
function scoresIn(answer: unknown): readonly LabelScore[] {
  const given: unknown = isRecord(answer) ? [answer] : answer;
  const bad = (): never => {
    const shape = "a list such as [{ label: 'attack', score: 0.9 }]";
    throw new DetectError('bad-model', `classify must give ${shape}; got ${shown(answer)}`);
  };
  if (!Array.isArray(given)) return bad();
  return given.map((one: unknown) => {
    const { label, score } = isRecord(one) ? one : {};
    return typeof label === 'string' && typeof score === 'number' ? { label, score } : bad();
  });
}

function attackScore(scores: readonly LabelScore[], labels: ReadonlySet<string>): number {
  const attacks = scores.filter(({ label }) => labels.has(label.toLowerCase()));
  if (attacks.length === 0 && scores.length !== 1) {
    const given = scores.map(({ label }) => label).join(', ');
    throw new DetectError('bad-model', `the model gives no attack label, only: ${given}`);
  }
  for (const { score } of attacks) {
    if (!(score >= 0 && score <= 1.001)) {
      throw new DetectError('bad-model', `the model gives ${score}, which is no probability`);
    }
  }
  // A model that reports only its best label gives none of ours for a benign text.
  return Math.min(
    1,
    attacks.reduce((total, { score }) => total + score, 0),
  );
}

function* piecesOf(
  text: string,
  window: Window,
  fits: (piece: string) => boolean,
): Generator<Window> {
  const { start, end } = window;
  const size = end - start;
  if (size <= LEAST_PIECE || fits(text.slice(start, end))) {
    yield window;
    return;
  }
  const middle = start + Math.floor(size / 2);
  const shared = Math.min(OVERLAP / 2, Math.floor(size / 8));
  yield* piecesOf(text, { start, end: middle + shared }, fits);
  yield* piecesOf(text, { start: middle - shared, end }, fits);
}

/**
 * How likely a text is an attack. A long text is read in overlapping pieces, and the highest probability counts.
 *
 * @throws DetectError `bad-model` when the model gives none of the attack labels, or no probability.
 */
export async function attackProbability(
  text: string,
  options: ProbabilityOptions,
): Promise<AttackProbability> {
  checkText(text);
  const given = record(options, 'the options', 'an object with classify and attackLabels');
  callable(given['classify'], 'classify', 'as loadTransformer gives it');
  strings(given['attackLabels'], 'attackLabels');
  if (given['fits'] !== undefined)
    callable(given['fits'], 'fits', 'such as (text) => text.length < 512');
  const signal = signalOf({ signal: given['signal'] }, 'attackProbability');
  const { classify, fits = () => true } = options;
  const labels = new Set(options.attackLabels.map((label) => label.toLowerCase()));
  let best: AttackProbability | undefined;
  for (const window of windowsOf(text.length)) {
    for (const { start, end } of piecesOf(text, window, fits)) {
      signal?.throwIfAborted();
      const answer: unknown = await classify(text.slice(start, end), { top_k: null });
      const probability = attackScore(scoresIn(answer), labels);
      if (best === undefined || probability > best.probability) {
        best = { probability, span: { start, end } };
      }
    }
  }
  return best ?? { probability: 0, span: { start: 0, end: 0 } };
}
