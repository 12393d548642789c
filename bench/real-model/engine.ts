import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** As much of node-llama-cpp 3 as is used here; it is no dependency of this workspace. */
export interface Engine {
  getLlama(options: {
    readonly build: 'never';
    readonly gpu: false;
    readonly progressLogs: false;
  }): Promise<Llama>;
  readonly LlamaGrammarEvaluationState: new (options: {
    readonly model: Model;
    readonly grammar: Grammar;
  }) => unknown;
}

export interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<Model>;
  createGrammar(options: { readonly grammar: string }): Promise<Grammar>;
}

export type Grammar = object;
export type Token = number;

export interface Model {
  tokenize(text: string, specialTokens: boolean): Token[];
  detokenize(tokens: readonly Token[]): string;
  isEogToken(token: Token): boolean;
  createContext(options: {
    readonly contextSize: number;
    readonly sequences: number;
    readonly threads: number;
  }): Promise<{ getSequence(): Sequence }>;
}

export interface Sequence {
  readonly nextTokenIndex: number;
  compareContextTokens(tokens: readonly Token[]): { readonly firstDifferentIndex: number };
  eraseContextTokenRanges(
    ranges: readonly { readonly start: number; readonly end: number }[],
  ): Promise<void>;
  evaluate(
    tokens: readonly Token[],
    options: { readonly temperature: number; readonly grammarEvaluationState?: unknown },
  ): AsyncGenerator<Token, void>;
}

/** Loads the engine from the folder in which it was installed. */
export async function loadEngine(folder: string): Promise<Engine> {
  const resolver = createRequire(join(folder, 'package.json'));
  const entry = pathToFileURL(resolver.resolve('node-llama-cpp')).href;
  return (await import(entry)) as Engine;
}
