import {
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type Message,
  partsText,
  renderResult,
  TargetError,
} from '@pab/model';
import * as z from 'zod';
import {
  clean,
  type ExchangeOptions,
  endpoint,
  errorMessage,
  httpError,
  type JsonResponse,
  postJson,
} from './exchange.js';
import { argsToShow, idsAfter, toCall, WireNames, withoutReasoning } from './tool-calls.js';

export interface OpenAiCompatOptions extends ExchangeOptions {
  /** Up to and without `/chat/completions`, e.g. `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; left out when absent. Never in an error. */
  readonly apiKey?: string;
  readonly model: string;
  /** Default 0; null leaves it out, for models that refuse it. */
  readonly temperature?: number | null;
  readonly maxTokens?: number;
  /** Passed on; few servers promise anything for it. */
  readonly seed?: number;
}

const Content = z.union([
  z.string(),
  z.array(z.union([z.string(), z.object({ text: z.string().nullish() })])),
  z.null(),
]);

const Reply = z.object({
  model: z.string().nullish(),
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      message: z.object({
        content: Content.optional(),
        refusal: z.string().nullish(),
        tool_calls: z
          .array(
            z.object({
              id: z.string().nullish(),
              function: z.object({ name: z.string(), arguments: z.unknown().optional() }),
            }),
          )
          .nullish(),
      }),
    }),
  ),
  usage: z
    .object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() })
    .nullish(),
});

const ErrorBody = z.object({
  error: z.object({
    code: z.unknown().optional(),
    innererror: z.object({ code: z.string().nullish() }).nullish(),
  }),
});

function wireMessage(message: Message, names: WireNames): unknown {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: partsText(message.parts) };
    case 'assistant': {
      const text = partsText(message.parts);
      return {
        role: 'assistant',
        content: text === '' && message.calls.length > 0 ? null : text,
        ...(message.calls.length === 0
          ? {}
          : {
              tool_calls: message.calls.map((call) => ({
                id: call.id,
                type: 'function',
                function: {
                  name: names.toWire(call.tool),
                  arguments: JSON.stringify(argsToShow(call)),
                },
              })),
            }),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: renderResult(message) };
    default:
      return message satisfies never;
  }
}

function wireRequest(
  { messages, tools }: ChatRequest,
  { model, temperature = 0, maxTokens, seed }: OpenAiCompatOptions,
  names: WireNames,
): unknown {
  return {
    model,
    stream: false,
    messages: messages.map((message) => wireMessage(message, names)),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map((tool) => ({
            type: 'function',
            function: {
              name: names.toWire(tool.name),
              description: partsText(tool.description),
              parameters: { type: 'object', properties: {}, ...tool.parameters },
            },
          })),
        }),
    ...(temperature === null ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function contentText(content: z.output<typeof Content> | undefined): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  return content.map((part) => (typeof part === 'string' ? part : (part.text ?? ''))).join('');
}

/** Some services refuse a prompt with an error status instead of a finish reason. */
function isFiltered({ status, body }: JsonResponse): boolean {
  const parsed = ErrorBody.safeParse(body);
  if (status !== 400 || !parsed.success) return false;
  const { code, innererror } = parsed.data.error;
  return code === 'content_filter' || innererror?.code === 'ResponsibleAIPolicyViolation';
}

function readReply(
  response: JsonResponse,
  request: ChatRequest,
  names: WireNames,
  secrets: readonly string[],
): ChatReply {
  if (isFiltered(response)) return { text: '', calls: [], stop: 'blocked' };
  if (response.status >= 400) throw httpError(response, secrets);
  const parsed = Reply.safeParse(response.body);
  if (!parsed.success) {
    const said = clean(errorMessage(response.body), secrets);
    if (said !== '') throw new TargetError('http', `the server answered with an error: ${said}`);
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new TargetError(
      'malformed-response',
      `the response is no chat completion, at "${place}"`,
    );
  }
  const { choices, usage, model } = parsed.data;
  const [choice] = choices;
  if (choice === undefined) throw new TargetError('empty-response', 'the response has no choices');
  const { message, finish_reason: finish } = choice;
  const idFor = idsAfter(request.messages);
  const calls = (message.tool_calls ?? []).map((call) =>
    toCall(idFor(call.id), names.fromWire(call.function.name), call.function.arguments),
  );
  const content = withoutReasoning(contentText(message.content));
  const text = content === '' ? (message.refusal ?? '') : content;
  const blocked = finish === 'content_filter';
  if (text === '' && calls.length === 0 && !blocked) {
    throw new TargetError('empty-response', 'the reply has neither text nor calls');
  }
  return {
    text,
    calls: blocked ? [] : calls,
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
            inputTokens: usage.prompt_tokens ?? 0,
            outputTokens: usage.completion_tokens ?? 0,
          },
        }),
    ...(typeof model === 'string' ? { modelId: model } : {}),
  };
}

/**
 * A model behind any `/chat/completions` endpoint: hosted services, llama.cpp, vLLM, Ollama and the like. Not streamed. A content
 * filter is a reply that says `blocked`; a provider that fails is a `TargetError` after the allowed retries.
 *
 * @throws TargetError `target-failed` at once when the base URL cannot be used
 * @example
 * const target = chatTarget(openAiCompat({ baseUrl: 'http://127.0.0.1:8080/v1', model: 'local', fetch }));
 */
export function openAiCompat(options: OpenAiCompatOptions): ChatModel {
  const url = endpoint(options.baseUrl, '/chat/completions');
  const { apiKey = '' } = options;
  const headers: Record<string, string> =
    apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
  return {
    name: options.model,
    async reply(request, { signal } = {}) {
      const names = new WireNames(request.tools);
      const body = wireRequest(request, options, names);
      const secrets = [apiKey];
      const response = await postJson({ url, headers, body, secrets, signal }, options);
      return readReply(response, request, names, secrets);
    },
  };
}
