import { callable } from '../check-values.js';
import { DetectError } from '../errors.js';

/** What a text classifier is made of. */
export interface TransformerFiles {
  /** `model.onnx`, with the weights inside. */
  readonly model: Uint8Array;
  /** `tokenizer.json`, parsed. */
  readonly tokenizer: unknown;
  /** `tokenizer_config.json`, parsed; gives the most tokens, among others. */
  readonly tokenizerConfig?: unknown;
  /** `config.json`, parsed; gives the labels (`id2label`). */
  readonly config?: unknown;
}

/** Reads a file of the model's folder. */
export type ReadModelFile = (name: string) => Promise<Uint8Array>;

async function json(read: ReadModelFile, name: string): Promise<unknown> {
  const bytes = await read(name);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw new DetectError('bad-model', `${name} is not JSON`, { cause });
  }
}

/**
 * Reads the folder of a model as it is exported for ONNX: `model.onnx` (or `onnx/model.onnx`), `tokenizer.json`,
 * `config.json`, and `tokenizer_config.json` if there is one.
 *
 * @param read gives the bytes of a file, and rejects when it is not there, e.g. `(name) => readFile(join(folder, name))`.
 * @throws DetectError `bad-model` when a file is not JSON; what `read` rejects with when a file is not there.
 */
export async function readModelFolder(read: ReadModelFile): Promise<TransformerFiles> {
  callable(read, 'readModelFolder', 'such as (name) => readFile(join(folder, name))');
  const config = await json(read, 'config.json');
  const tokenizer = await json(read, 'tokenizer.json');
  const there = await read('tokenizer_config.json').then(
    (bytes) => bytes,
    () => undefined,
  );
  const model = await read('model.onnx').catch((error: unknown) =>
    // The message that helps is of the name that one looks for first.
    read('onnx/model.onnx').catch(() => Promise.reject(error)),
  );
  return {
    model,
    tokenizer,
    config,
    ...(there === undefined
      ? {}
      : { tokenizerConfig: await json(() => Promise.resolve(there), 'tokenizer_config.json') }),
  };
}
