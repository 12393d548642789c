import { DetectError } from '../errors.js';

/** The part of an ONNX session that is used. */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(
    feeds: Readonly<Record<string, unknown>>,
    options: { readonly logSeverityLevel: 4 },
  ): Promise<Readonly<Record<string, { readonly data: unknown } | undefined>>>;
  release(): Promise<void>;
}

/** The part of an ONNX runtime that is used; `onnxruntime-web` and `onnxruntime-node` both have it. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options: { readonly logSeverityLevel: 4 }): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
}

/** The part of a tokenizer that is used. */
export interface Tokenizer {
  encode(text: string): {
    readonly ids: readonly number[];
    readonly attention_mask: readonly number[];
  };
}

export type TokenizerClass = new (tokenizer: object, config: object) => Tokenizer;

function missing(name: string, cause: unknown): DetectError {
  return new DetectError(
    'missing-package',
    `a local model needs the package ${name}: install it beside @pab/detect`,
    { cause },
  );
}

/** `onnxruntime-web`, which runs in WebAssembly. */
export async function defaultRuntime(): Promise<OnnxRuntime> {
  try {
    return await import('onnxruntime-web');
  } catch (cause) {
    throw missing('onnxruntime-web', cause);
  }
}

export async function tokenizerClass(): Promise<TokenizerClass> {
  try {
    // Its declarations leave out file endings, so that Node's way of resolving finds no types.
    const tokenizers: { readonly Tokenizer: TokenizerClass } = await import(
      '@huggingface/tokenizers'
    );
    return tokenizers.Tokenizer;
  } catch (cause) {
    throw missing('@huggingface/tokenizers', cause);
  }
}
