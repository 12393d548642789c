import { callGrammar } from './call-grammar.js';
import { renderChat } from './chat-template.js';
import { type Grammar, loadEngine, type Sequence, type Token } from './engine.js';
import { type ReadReply, readReply } from './read-reply.js';
import type { WireRequest, WireTool } from './wire.js';

export interface CompleterOptions {
  /** Folder in which node-llama-cpp is installed. */
  readonly engine: string;
  readonly model: string;
  /** `grammar`: a reply is held to the form of a call or an answer; `free`: the model writes what it likes. */
  readonly calls: 'free' | 'grammar';
  readonly contextSize: number;
  readonly threads: number;
}

export interface Completion extends ReadReply {
  readonly finish: 'stop' | 'length';
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A request that the model cannot take. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

// Several sequences, so that conversations over the same tools share what was read of them.
const SEQUENCES = 6;

/** Loads the model; the function it gives answers one request at a time, greedily. */
export async function createCompleter(options: CompleterOptions) {
  const engine = await loadEngine(options.engine);
  const llama = await engine.getLlama({ build: 'never', gpu: false, progressLogs: false });
  const model = await llama.loadModel({ modelPath: options.model });
  const { contextSize, threads } = options;
  const context = await model.createContext({ contextSize, sequences: SEQUENCES, threads });
  const slots = Array.from({ length: SEQUENCES }, () => ({
    sequence: context.getSequence(),
    used: 0,
  }));
  const grammars = new Map<string, Grammar>();
  let clock = 0;

  /** The sequence that has read most of this prompt already; of equals the one that was not used for longest. */
  function sequenceFor(tokens: readonly Token[]): Sequence {
    const [best] = slots
      .map((slot) => ({
        slot,
        kept: slot.sequence.compareContextTokens(tokens).firstDifferentIndex,
      }))
      .toSorted((a, b) => b.kept - a.kept || a.slot.used - b.slot.used);
    if (best === undefined) throw new RangeError('there is no sequence');
    clock += 1;
    best.slot.used = clock;
    return best.slot.sequence;
  }

  async function constraint(tools: readonly WireTool[]) {
    if (options.calls === 'free' || tools.length === 0) return {};
    const text = callGrammar(tools);
    const grammar = grammars.get(text) ?? (await llama.createGrammar({ grammar: text }));
    grammars.set(text, grammar);
    return { grammarEvaluationState: new engine.LlamaGrammarEvaluationState({ model, grammar }) };
  }

  return async function complete({
    messages,
    tools = [],
    max_tokens: most = 200,
  }: WireRequest): Promise<Completion> {
    const tokens = renderChat(messages, tools).flatMap(({ control, text }) =>
      model.tokenize(text, control),
    );
    if (tokens.length + most > contextSize) {
      throw new TooLong(
        `the prompt has ${tokens.length} tokens and ${most} may follow; the context holds ${contextSize}`,
      );
    }
    const sequence = sequenceFor(tokens);
    // The last token is always read anew: the reply begins after it.
    const kept = Math.min(
      sequence.compareContextTokens(tokens).firstDifferentIndex,
      tokens.length - 1,
    );
    if (sequence.nextTokenIndex > kept) {
      await sequence.eraseContextTokenRanges([{ start: kept, end: sequence.nextTokenIndex }]);
    }
    const written: Token[] = [];
    let finish: Completion['finish'] = 'length';
    const held = await constraint(tools);
    for await (const token of sequence.evaluate(tokens.slice(kept), { temperature: 0, ...held })) {
      if (model.isEogToken(token)) {
        finish = 'stop';
        break;
      }
      written.push(token);
      if (written.length >= most) break;
    }
    return {
      ...readReply(model.detokenize(written), tools),
      finish,
      promptTokens: tokens.length,
      completionTokens: written.length,
    };
  };
}
