import {
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type JsonObject,
  type Message,
  partsText,
  renderResult,
  TargetError,
  type ToolCall,
} from '@pab/model';
import * as z from 'zod';
import { clean } from './exchange.js';
import { argsToShow, idsAfter, toCall, WireNames } from './tool-calls.js';

/**
 * A language model of the AI SDK (`LanguageModelV2` of version 5, `LanguageModelV3` of version 6), by what is used of it: any provider
 * package of the SDK gives one. The SDK itself is not needed.
 */
export interface AiSdkModel {
  readonly provider: string;
  readonly modelId: string;
  // The SDK's own option type is wider and changes with its versions; what is passed is a part of it.
  doGenerate(options: never): PromiseLike<unknown>;
}

export interface AiSdkOptions {
  /** Default 0; null leaves it out. */
  readonly temperature?: number | null;
  readonly maxTokens?: number;
  readonly seed?: number;
}

const Tokens = z.union([z.number(), z.object({ total: z.number().nullish() })]).nullish();

const Result = z.object({
  content: z.array(
    z.object({
      type: z.string(),
      text: z.string().nullish(),
      toolCallId: z.string().nullish(),
      toolName: z.string().nullish(),
      input: z.unknown().optional(),
      providerMetadata: z.unknown().optional(),
    }),
  ),
  finishReason: z.union([z.string(), z.object({ unified: z.string() })]),
  usage: z.object({ inputTokens: Tokens, outputTokens: Tokens }).nullish(),
  response: z.object({ modelId: z.string().nullish() }).nullish(),
});

const count = (tokens: z.output<typeof Tokens>): number =>
  typeof tokens === 'number' ? tokens : (tokens?.total ?? 0);

type Metadata = WeakMap<ToolCall, unknown>;

function promptMessage(message: Message, names: WireNames, metadata: Metadata): unknown {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: partsText(message.parts) };
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: partsText(message.parts) }] };
    case 'assistant': {
      const text = partsText(message.parts);
      return {
        role: 'assistant',
        content: [
          ...(text === '' ? [] : [{ type: 'text', text }]),
          ...message.calls.map((call) => {
            // Some providers want back what came with a call, such as a signature.
            const kept = metadata.get(call);
            return {
              type: 'tool-call',
              toolCallId: call.id,
              toolName: names.toWire(call.tool),
              input: argsToShow(call),
              ...(kept === undefined ? {} : { providerOptions: kept }),
            };
          }),
        ],
      };
    }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.callId,
            toolName: names.toWire(message.tool),
            output: { type: message.isError ? 'error-text' : 'text', value: renderResult(message) },
          },
        ],
      };
    default:
      return message satisfies never;
  }
}

function readResult(
  result: unknown,
  request: ChatRequest,
  names: WireNames,
  metadata: Metadata,
): ChatReply {
  const parsed = Result.safeParse(result);
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new TargetError('malformed-response', `the model gave another shape, at "${place}"`);
  }
  const { content, finishReason, usage, response } = parsed.data;
  const finish = typeof finishReason === 'string' ? finishReason : finishReason.unified;
  if (finish === 'error') throw new TargetError('http', 'the provider stopped with an error');
  const idFor = idsAfter(request.messages);
  const text = content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
  const blocked = finish === 'content-filter';
  const calls: ToolCall[] = [];
  for (const part of content) {
    if (part.type !== 'tool-call' || blocked) continue;
    const call = toCall(idFor(part.toolCallId), names.fromWire(part.toolName ?? ''), part.input);
    if (part.providerMetadata !== undefined) metadata.set(call, part.providerMetadata);
    calls.push(call);
  }
  if (text === '' && calls.length === 0 && !blocked) {
    throw new TargetError('empty-response', 'the reply has neither text nor calls');
  }
  return {
    text,
    calls,
    stop: blocked
      ? 'blocked'
      : calls.length > 0
        ? 'calls'
        : finish === 'length'
          ? 'length'
          : 'done',
    ...(usage === null || usage === undefined
      ? {}
      : {
          usage: {
            inputTokens: count(usage.inputTokens),
            outputTokens: count(usage.outputTokens),
          },
        }),
    ...(typeof response?.modelId === 'string' ? { modelId: response.modelId } : {}),
  };
}

/** What the SDK's provider packages throw has a status where the provider gave one. */
function asTargetError(error: unknown, signal: AbortSignal | undefined): TargetError {
  if (TargetError.is(error)) return error;
  if (signal?.aborted === true) return new TargetError('aborted', 'the run was cancelled');
  const message = clean(error instanceof Error ? error.message : String(error), []);
  if (typeof error === 'object' && error !== null && 'statusCode' in error) {
    if (typeof error.statusCode === 'number') {
      return new TargetError('http', `HTTP ${error.statusCode}: ${message}`);
    }
  }
  return new TargetError('network', message);
}

/**
 * Any language model of the AI SDK as a `ChatModel`. Retries are the provider package's own business here: `doGenerate` is asked once.
 *
 * @example
 * const target = chatTarget(aiSdk(createOpenAICompatible({ name, baseURL })('model')));
 */
export function aiSdk(
  model: AiSdkModel,
  { temperature = 0, maxTokens, seed }: AiSdkOptions = {},
): ChatModel {
  const metadata: Metadata = new WeakMap();
  // The parameter is declared as `never` so that every version's model fits.
  const generate = model.doGenerate.bind(model) as (options: JsonObject) => PromiseLike<unknown>;
  return {
    name: `${model.provider}:${model.modelId}`,
    async reply(request, { signal } = {}) {
      const names = new WireNames(request.tools);
      const options = {
        prompt: request.messages.map((message) => promptMessage(message, names, metadata)),
        ...(request.tools.length === 0
          ? {}
          : {
              tools: request.tools.map((tool) => ({
                type: 'function',
                name: names.toWire(tool.name),
                description: partsText(tool.description),
                inputSchema: { type: 'object', properties: {}, ...tool.parameters },
              })),
              toolChoice: { type: 'auto' },
            }),
        ...(temperature === null ? {} : { temperature }),
        ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
        ...(seed === undefined ? {} : { seed }),
        ...(signal === undefined ? {} : { abortSignal: signal }),
      };
      let result: unknown;
      try {
        result = await generate(options as unknown as JsonObject);
      } catch (error) {
        throw asTargetError(error, signal);
      }
      return readResult(result, request, names, metadata);
    },
  };
}
