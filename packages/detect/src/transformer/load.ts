import { optionsOf, record } from '../check-values.js';
import { DetectError } from '../errors.js';
import type { TransformerFiles } from './model-folder.js';
import type { LabelScore, TextClassifier } from './probability.js';
import {
  defaultRuntime,
  type OnnxRuntime,
  type OnnxSession,
  type Tokenizer,
  tokenizerClass,
} from './runtime.js';

export interface LoadOptions {
  /** Names of the model's outputs in order; default those of `config.json`. */
  readonly labels?: readonly string[];
  /** Tokens that the model reads at once. Default what the files say, and 512 where they say nothing. */
  readonly maxTokens?: number;
  /** Default `onnxruntime-web`. Give `onnxruntime-node` for more speed. */
  readonly runtime?: OnnxRuntime;
}

/** A model that is ready; `classify` and `fits` are made for `createTransformerDetector`. */
export interface LoadedTransformer {
  readonly classify: TextClassifier;
  /** Whether the model reads all of a text. */
  readonly fits: (text: string) => boolean;
  readonly labels: readonly string[];
  readonly maxTokens: number;
  /** Gives back the model's memory. */
  readonly close: () => Promise<void>;
}

const DEFAULT_TOKENS = 512;
/** Fewer than a start, an end and a few words make no classifier. */
const LEAST_TOKENS = 8;
const MOST_LABELS = 1_000;
/** What goes wrong is thrown; the runtime need not print it too. */
const QUIET = { logSeverityLevel: 4 } as const;

function bad(message: string, cause?: unknown): DetectError {
  const because = cause instanceof Error ? ` (${cause.message.split('\n')[0] ?? ''})` : '';
  return new DetectError('bad-model', `${message}${because}`, { cause });
}

function fields(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function labelsOf(config: unknown, given: readonly string[] | undefined): readonly string[] {
  const named = fields(fields(config).get('id2label'));
  const labels =
    given ??
    Array.from({ length: Math.min(named.size, MOST_LABELS) }, (_, id) => named.get(`${id}`));
  if (
    labels.length === 0 ||
    !labels.every((label): label is string => typeof label === 'string' && label !== '')
  ) {
    throw bad('config.json has no id2label from 0 on; give the labels of the model');
  }
  return labels;
}

function maxTokensOf(files: TransformerFiles, given: number | undefined): number {
  if (given !== undefined) {
    if (Number.isInteger(given) && given >= LEAST_TOKENS) return given;
    throw new DetectError(
      'bad-option',
      `maxTokens must be a whole number from ${LEAST_TOKENS.toString()}`,
    );
  }
  const said = [
    fields(files.tokenizerConfig).get('model_max_length'),
    fields(files.config).get('max_position_embeddings'),
  ].filter((value) => typeof value === 'number' && value >= LEAST_TOKENS && value < 1e6);
  return said.length === 0 ? DEFAULT_TOKENS : Math.floor(Math.min(...said.map(Number)));
}

async function tokenizerOf({ tokenizer, tokenizerConfig }: TransformerFiles): Promise<Tokenizer> {
  const Tokenizer = await tokenizerClass();
  if (typeof tokenizer !== 'object' || tokenizer === null) {
    throw bad('tokenizer.json must be an object');
  }
  try {
    // It throws where settings are not an object at all.
    return new Tokenizer(tokenizer, Object.fromEntries(fields(tokenizerConfig)));
  } catch (cause) {
    throw bad('tokenizer.json makes no tokenizer', cause);
  }
}

function softmax(logits: readonly number[]): number[] {
  const most = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

function feedsOf(
  { inputNames }: OnnxSession,
  encoded: ReturnType<Tokenizer['encode']>,
  Tensor: OnnxRuntime['Tensor'],
): Record<string, unknown> {
  const { ids, attention_mask: mask } = encoded;
  const known: Readonly<Record<string, readonly number[]>> = {
    input_ids: ids,
    attention_mask: mask,
    token_type_ids: ids.map(() => 0),
    position_ids: ids.map((_, index) => index),
  };
  return Object.fromEntries(
    inputNames.map((name) => {
      const numbers = Object.hasOwn(known, name) ? known[name] : undefined;
      if (numbers === undefined) {
        const names = Object.keys(known).join(', ');
        throw bad(`the model wants the input "${name}"; a text classifier takes ${names}`);
      }
      if (!numbers.every(Number.isSafeInteger)) {
        throw bad('the tokenizer gives a token without a number');
      }
      return [name, new Tensor('int64', BigInt64Array.from(numbers, BigInt), [1, numbers.length])];
    }),
  );
}

/**
 * Loads a text classifier that was exported to ONNX, and runs it in this process with `onnxruntime-web` and
 * `@huggingface/tokenizers`, which are optional peers. It reads no file and asks no network: the bytes come from you, see
 * `readModelFolder`. A run blocks the thread that it is on.
 *
 * Take models only from where you would take code: a tokenizer may hold regular expressions that never end.
 *
 * @example
 * const files = await readModelFolder((name) => readFile(`./model/${name}`));
 * const { classify, close } = await loadTransformer(files);
 *
 * @throws DetectError `missing-package` when a peer is not installed; `bad-model` when the files make no text classifier.
 */
export async function loadTransformer(
  files: TransformerFiles,
  options: LoadOptions = {},
): Promise<LoadedTransformer> {
  record(files, 'loadTransformer', 'given files as readModelFolder reads them');
  optionsOf(options, 'loadTransformer', ['labels', 'maxTokens', 'runtime']);
  const labels = labelsOf(files.config, options.labels);
  const maxTokens = maxTokensOf(files, options.maxTokens);
  const tokenizer = await tokenizerOf(files);
  const { InferenceSession, Tensor } = options.runtime ?? (await defaultRuntime());
  // Several labels may hold at once, or there is only the one to hold or not.
  const independent =
    labels.length === 1 ||
    fields(files.config).get('problem_type') === 'multi_label_classification';
  let session: OnnxSession;
  try {
    session = await InferenceSession.create(files.model, QUIET);
  } catch (cause) {
    throw bad('the file is no ONNX model', cause);
  }

  const encode = (text: string) => {
    try {
      return tokenizer.encode(text);
    } catch (cause) {
      throw bad('the tokenizer fails on a text', cause);
    }
  };

  const classify = async (text: string): Promise<LabelScore[]> => {
    const { ids, attention_mask: mask } = encode(text);
    const encoded = { ids: ids.slice(0, maxTokens), attention_mask: mask.slice(0, maxTokens) };
    const feeds = feedsOf(session, encoded, Tensor);
    let outputs: Awaited<ReturnType<OnnxSession['run']>>;
    try {
      outputs = await session.run(feeds, QUIET);
    } catch (cause) {
      throw bad('the model cannot be run', cause);
    }
    const name = session.outputNames.includes('logits') ? 'logits' : session.outputNames[0];
    const data = name === undefined ? undefined : outputs[name]?.data;
    if (!(data instanceof Float32Array) || data.length !== labels.length) {
      const found = data instanceof Float32Array ? `${data.length} numbers` : 'no 32-bit numbers';
      throw bad(`the model gives ${found} where there are ${labels.length} labels`);
    }
    const logits = [...data];
    if (!logits.every(Number.isFinite)) throw bad('the model gives what is no number');
    const scores = independent
      ? logits.map((logit) => 1 / (1 + Math.exp(-logit)))
      : softmax(logits);
    return labels.map((label, index) => ({ label, score: scores[index] ?? 0 }));
  };

  const loaded = {
    classify,
    fits: (text: string) => encode(text).ids.length <= maxTokens,
    labels,
    maxTokens,
    close: () => session.release(),
  };
  try {
    // What does not fit together shows now, and not on the first text of a user.
    await classify('A first text.');
  } catch (error) {
    await session.release();
    throw error;
  }
  return loaded;
}
