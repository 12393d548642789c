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
  type ExchangeOptions,
  endpoint,
  httpError,
  type JsonResponse,
  postJson,
} from './exchange.js';
import { argsToShow, idsAfter, toCall, WireNames } from './tool-calls.js';

export interface AnthropicOptions extends ExchangeOptions {
  readonly apiKey: string;
  readonly model: string;
  /** Up to and without `/messages`. Default `https://api.anthropic.com/v1`. */
  readonly baseUrl?: string;
  /** Default 0; null leaves it out, for models that refuse it. */
  readonly temperature?: number | null;
  /** The service wants a limit. Default 4096. */
  readonly maxTokens?: number;
}

const Reply = z.object({
  model: z.string().nullish(),
  // Blocks of kinds that are not listed, such as thinking, are left out.
  content: z.array(
    z.object({
      type: z.string(),
      text: z.string().nullish(),
      id: z.string().nullish(),
      name: z.string().nullish(),
      input: z.unknown().optional(),
    }),
  ),
  stop_reason: z.string().nullish(),
  usage: z
    .object({
      input_tokens: z.number().nullish(),
      output_tokens: z.number().nullish(),
      cache_creation_input_tokens: z.number().nullish(),
      cache_read_input_tokens: z.number().nullish(),
    })
    .nullish(),
});

interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly unknown[];
}

/** Ids may come from another provider's recording. */
const wireId = (id: string): string => {
  const plain = id.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  return plain === '' ? '_' : plain;
};

const textBlocks = (text: string): unknown[] => (text === '' ? [] : [{ type: 'text', text }]);

function wireMessage(message: Message, names: WireNames): WireMessage {
  switch (message.role) {
    case 'system':
      // It goes in a field of its own.
      return { role: 'user', content: [] };
    case 'user':
      return { role: 'user', content: textBlocks(partsText(message.parts)) };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...textBlocks(partsText(message.parts)),
          ...message.calls.map((call) => ({
            type: 'tool_use',
            id: wireId(call.id),
            name: names.toWire(call.tool),
            input: argsToShow(call),
          })),
        ],
      };
    case 'tool':
      return {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: wireId(message.callId),
            content: renderResult(message),
            ...(message.isError ? { is_error: true } : {}),
          },
        ],
      };
    default:
      return message satisfies never;
  }
}

/** Roles alternate on the wire: the results of one reply, and what the user says after them, are one message. */
function wireMessages(messages: readonly Message[], names: WireNames): WireMessage[] {
  const merged: WireMessage[] = [];
  for (const message of messages) {
    const wire = wireMessage(message, names);
    if (wire.content.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === wire.role) {
      merged[merged.length - 1] = { role: wire.role, content: [...last.content, ...wire.content] };
    } else {
      merged.push(wire);
    }
  }
  return merged;
}

function readReply(
  response: JsonResponse,
  request: ChatRequest,
  names: WireNames,
  key: string,
): ChatReply {
  if (response.status >= 400) throw httpError(response, [key]);
  const parsed = Reply.safeParse(response.body);
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new TargetError('malformed-response', `the response is no message, at "${place}"`);
  }
  const { content, stop_reason: reason, usage, model } = parsed.data;
  const idFor = idsAfter(request.messages);
  const text = content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
  const blocked = reason === 'refusal';
  const calls = blocked
    ? []
    : content.flatMap((block) =>
        block.type === 'tool_use'
          ? [toCall(idFor(block.id), names.fromWire(block.name ?? ''), block.input)]
          : [],
      );
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
        : reason === 'max_tokens'
          ? 'length'
          : 'done',
    ...(usage === null || usage === undefined
      ? {}
      : {
          usage: {
            inputTokens:
              (usage.input_tokens ?? 0) +
              (usage.cache_creation_input_tokens ?? 0) +
              (usage.cache_read_input_tokens ?? 0),
            outputTokens: usage.output_tokens ?? 0,
          },
        }),
    ...(typeof model === 'string' ? { modelId: model } : {}),
  };
}

/**
 * A model behind the Anthropic Messages API. Not streamed; thinking is left out. The service's `refusal` stop is its content
 * filter: a reply that says `blocked`.
 */
export function anthropic(options: AnthropicOptions): ChatModel {
  const { apiKey, model, temperature = 0, maxTokens = 4096 } = options;
  const url = endpoint(options.baseUrl ?? 'https://api.anthropic.com/v1', '/messages');
  const headers = { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  return {
    name: model,
    async reply(request, { signal } = {}) {
      const names = new WireNames(request.tools);
      const system = request.messages
        .flatMap((message) => (message.role === 'system' ? [partsText(message.parts)] : []))
        .join('\n\n');
      const body = {
        model,
        max_tokens: maxTokens,
        ...(system === '' ? {} : { system }),
        messages: wireMessages(request.messages, names),
        ...(request.tools.length === 0
          ? {}
          : {
              tools: request.tools.map((tool) => ({
                name: names.toWire(tool.name),
                description: partsText(tool.description),
                input_schema: { type: 'object', ...tool.parameters },
              })),
            }),
        ...(temperature === null ? {} : { temperature }),
      };
      const response = await postJson({ url, headers, body, secrets: [apiKey], signal }, options);
      return readReply(response, request, names, apiKey);
    },
  };
}
