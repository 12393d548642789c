import {
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type Message,
  partsText,
  renderResult,
  TargetError,
  type ToolCall,
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

export interface GeminiOptions extends ExchangeOptions {
  readonly apiKey: string;
  readonly model: string;
  /** Up to and without `/models`. Default `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl?: string;
  /** Default 0; null leaves it out. */
  readonly temperature?: number | null;
  readonly maxTokens?: number;
}

const Reply = z.object({
  modelVersion: z.string().nullish(),
  promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
  candidates: z
    .array(
      z.object({
        finishReason: z.string().nullish(),
        content: z
          .object({
            parts: z
              .array(
                z.object({
                  text: z.string().nullish(),
                  thought: z.boolean().nullish(),
                  thoughtSignature: z.string().nullish(),
                  functionCall: z
                    .object({
                      id: z.string().nullish(),
                      name: z.string(),
                      args: z.unknown().optional(),
                    })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
  usageMetadata: z
    .object({
      promptTokenCount: z.number().nullish(),
      candidatesTokenCount: z.number().nullish(),
      thoughtsTokenCount: z.number().nullish(),
    })
    .nullish(),
});

const BLOCKED = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'LANGUAGE',
]);

type Signatures = WeakMap<ToolCall, string>;

interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly unknown[];
}

function wireContent(message: Message, names: WireNames, signatures: Signatures): Content {
  switch (message.role) {
    case 'system':
      // It goes in a field of its own.
      return { role: 'user', parts: [] };
    case 'user':
      return { role: 'user', parts: [{ text: partsText(message.parts) }] };
    case 'assistant': {
      const text = partsText(message.parts);
      return {
        role: 'model',
        parts: [
          ...(text === '' ? [] : [{ text }]),
          ...message.calls.map((call) => {
            const signature = signatures.get(call);
            return {
              functionCall: { name: names.toWire(call.tool), args: argsToShow(call) },
              ...(signature === undefined ? {} : { thoughtSignature: signature }),
            };
          }),
        ],
      };
    }
    case 'tool':
      return {
        role: 'user',
        parts: [
          {
            functionResponse: {
              name: names.toWire(message.tool),
              response: { [message.isError ? 'error' : 'output']: renderResult(message) },
            },
          },
        ],
      };
    default:
      return message satisfies never;
  }
}

function wireContents(
  messages: readonly Message[],
  names: WireNames,
  signatures: Signatures,
): Content[] {
  const merged: Content[] = [];
  for (const message of messages) {
    const content = wireContent(message, names, signatures);
    if (content.parts.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === content.role) {
      merged[merged.length - 1] = { role: last.role, parts: [...last.parts, ...content.parts] };
    } else {
      merged.push(content);
    }
  }
  return merged;
}

function readReply(
  response: JsonResponse,
  request: ChatRequest,
  names: WireNames,
  { signatures, key }: { readonly signatures: Signatures; readonly key: string },
): ChatReply {
  if (response.status >= 400) throw httpError(response, [key]);
  const parsed = Reply.safeParse(response.body);
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new TargetError('malformed-response', `the response has another shape, at "${place}"`);
  }
  const { candidates, promptFeedback, usageMetadata: used, modelVersion } = parsed.data;
  const more: Partial<ChatReply> = {
    ...(used === null || used === undefined
      ? {}
      : {
          usage: {
            inputTokens: used.promptTokenCount ?? 0,
            outputTokens: (used.candidatesTokenCount ?? 0) + (used.thoughtsTokenCount ?? 0),
          },
        }),
    ...(typeof modelVersion === 'string' ? { modelId: modelVersion } : {}),
  };
  const candidate = candidates?.[0];
  const reason = candidate?.finishReason ?? '';
  if (BLOCKED.has(reason) || (candidate === undefined && promptFeedback?.blockReason)) {
    return { text: '', calls: [], stop: 'blocked', ...more };
  }
  if (candidate === undefined) {
    throw new TargetError('empty-response', 'the response has no candidates');
  }
  const idFor = idsAfter(request.messages);
  let text = '';
  const calls: ToolCall[] = [];
  for (const part of candidate.content?.parts ?? []) {
    if (part.thought !== true) text += part.text ?? '';
    if (part.functionCall === null || part.functionCall === undefined) continue;
    const { id, name, args } = part.functionCall;
    const call = toCall(idFor(id), names.fromWire(name), args);
    // The service wants it back with the call that it came with.
    if (typeof part.thoughtSignature === 'string') signatures.set(call, part.thoughtSignature);
    calls.push(call);
  }
  if (text === '' && calls.length === 0) {
    const why = reason === '' || reason === 'STOP' ? '' : ` (${reason.slice(0, 40)})`;
    throw new TargetError('empty-response', `the reply has neither text nor calls${why}`);
  }
  return {
    text,
    calls,
    stop: calls.length > 0 ? 'calls' : reason === 'MAX_TOKENS' ? 'length' : 'done',
    ...more,
  };
}

/** A model behind the Gemini `generateContent` API. Not streamed; thoughts are left out; safety stops say `blocked`. */
export function gemini(options: GeminiOptions): ChatModel {
  const { apiKey, model, temperature = 0, maxTokens } = options;
  const url = endpoint(
    options.baseUrl ?? 'https://generativelanguage.googleapis.com/v1beta',
    `/models/${encodeURIComponent(model)}:generateContent`,
  );
  const signatures: Signatures = new WeakMap();
  return {
    name: model,
    async reply(request, { signal } = {}) {
      const names = new WireNames(request.tools);
      const system = request.messages.flatMap((message) =>
        message.role === 'system' ? [{ text: partsText(message.parts) }] : [],
      );
      const body = {
        ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
        contents: wireContents(request.messages, names, signatures),
        ...(request.tools.length === 0
          ? {}
          : {
              tools: [
                {
                  functionDeclarations: request.tools.map((tool) => ({
                    name: names.toWire(tool.name),
                    description: partsText(tool.description),
                    parametersJsonSchema: { type: 'object', ...tool.parameters },
                  })),
                },
              ],
            }),
        generationConfig: {
          ...(temperature === null ? {} : { temperature }),
          ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
        },
      };
      const headers = { 'x-goog-api-key': apiKey };
      const response = await postJson({ url, headers, body, secrets: [apiKey], signal }, options);
      return readReply(response, request, names, { signatures, key: apiKey });
    },
  };
}
