import type { Message, Part, ToolCall } from '@pab/model';
import { contentText, field, isRecord, listField, scalarField, textField } from '../fields.js';
import { parseJson } from '../readers/parse-json.js';
import type { Conversation } from './conversation.js';
import { callOf, part } from './messages.js';

/** One span with attributes as a plain map. */
export interface ChatSpan {
  readonly trace: string;
  /** Nanoseconds or any other order of starting. */
  readonly start: bigint;
  readonly attributes: ReadonlyMap<string, unknown>;
  readonly error: string | null;
}

/** A value of OTLP JSON, `{stringValue}` and the like, as a plain one. */
function plain(value: unknown): unknown {
  if (!isRecord(value)) return value;
  for (const kind of ['stringValue', 'boolValue', 'doubleValue', 'intValue']) {
    const found = field(value, kind);
    if (found !== undefined) return found;
  }
  const values = listField(field(value, 'arrayValue'), 'values');
  if (values !== undefined) return values.map(plain);
  const pairs = listField(field(value, 'kvlistValue'), 'values');
  if (pairs !== undefined) return Object.fromEntries(attributesOf(pairs));
  return value;
}

function attributesOf(value: unknown): Map<string, unknown> {
  const attributes = new Map<string, unknown>();
  if (Array.isArray(value)) {
    for (const pair of value as unknown[]) {
      const key = textField(pair, 'key');
      if (key !== undefined) attributes.set(key, plain(field(pair, 'value')));
    }
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) attributes.set(key, item);
  }
  return attributes;
}

function startOf(span: unknown): bigint {
  const text = scalarField(span, 'startTimeUnixNano') ?? scalarField(span, 'start_time') ?? '';
  if (/^\d{1,30}$/u.test(text)) return BigInt(text);
  const time = Date.parse(text);
  return Number.isNaN(time) ? 0n : BigInt(time) * 1_000_000n;
}

function spanOf(span: unknown): ChatSpan {
  const context = field(span, 'context');
  const status = field(span, 'status');
  const code = scalarField(status, 'code') ?? scalarField(status, 'status_code') ?? '';
  const failed = code === '2' || code.endsWith('ERROR');
  const said = textField(status, 'message') ?? textField(status, 'description') ?? '';
  return {
    trace:
      scalarField(span, 'traceId') ??
      scalarField(span, 'trace_id') ??
      scalarField(context, 'trace_id') ??
      '',
    start: startOf(span),
    attributes: attributesOf(field(span, 'attributes')),
    error: failed ? said || 'the span failed' : null,
  };
}

/** Spans of a row: one span, or all of an OTLP document. */
export function spansOf(value: unknown): ChatSpan[] | null {
  const resources = listField(value, 'resourceSpans');
  if (resources !== undefined) {
    return resources.flatMap((resource) =>
      (listField(resource, 'scopeSpans') ?? []).flatMap((scope) =>
        (listField(scope, 'spans') ?? []).map(spanOf),
      ),
    );
  }
  const isSpan =
    field(value, 'attributes') !== undefined &&
    (field(value, 'traceId') ?? field(value, 'trace_id') ?? field(value, 'context')) !== undefined;
  return isSpan ? [spanOf(value)] : null;
}

/** Messages in an attribute: a list, or the JSON text of one. */
function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value !== 'string') return [];
  const parsed = parseJson(value);
  return parsed.ok && Array.isArray(parsed.value) ? (parsed.value as unknown[]) : [];
}

function readMessage(value: unknown): Message[] {
  const role = textField(value, 'role') ?? 'user';
  const texts: string[] = [];
  const calls: ToolCall[] = [];
  const results: Message[] = [];
  for (const [index, piece] of (listField(value, 'parts') ?? []).entries()) {
    const type = textField(piece, 'type');
    const id = scalarField(piece, 'id') ?? `call-${index}`;
    if (type === 'text') texts.push(textField(piece, 'content') ?? '');
    else if (type === 'tool_call') {
      calls.push(callOf(id, textField(piece, 'name') ?? '', field(piece, 'arguments')));
    } else if (type === 'tool_call_response') {
      const response = field(piece, 'response') ?? field(piece, 'result');
      const text = contentText(response) ?? JSON.stringify(response);
      results.push({
        role: 'tool',
        callId: id,
        tool: textField(piece, 'name') ?? '',
        parts: part(text, 'environment'),
        isError: false,
      });
    }
  }
  const text = texts.join('\n') || contentText(field(value, 'content'));
  const parts = (provenance: Part['provenance']): Part[] => part(text, provenance);
  if (role === 'assistant') return [{ role, parts: parts('agent'), calls }];
  if (role === 'system') return [{ role, parts: parts('system') }];
  return text === undefined || text === ''
    ? results
    : [...results, { role: 'user', parts: parts('user') }];
}

function conversationOf(attributes: ReadonlyMap<string, unknown>): Message[] {
  const system = listIn(attributes.get('gen_ai.system_instructions'))
    .map((piece) => textField(piece, 'content') ?? '')
    .filter((text) => text !== '');
  const messages: Message[] = [];
  if (system.length > 0)
    messages.push({ role: 'system', parts: part(system.join('\n'), 'system') });
  for (const name of ['gen_ai.input.messages', 'gen_ai.output.messages']) {
    for (const message of listIn(attributes.get(name))) messages.push(...readMessage(message));
  }
  return messages;
}

/**
 * The conversation of one trace: that of the chat span with the most messages, the last of them where several have as many, since
 * each model call of an agent is given all that went before. Null where no span holds messages.
 */
export function readOtelTrace(spans: readonly ChatSpan[]): Conversation | null {
  let best: { messages: Message[]; span: ChatSpan } | null = null;
  for (const span of spans) {
    const messages = conversationOf(span.attributes);
    if (messages.length === 0) continue;
    const more = messages.length - (best?.messages.length ?? 0);
    if (best === null || more > 0 || (more === 0 && span.start > best.span.start)) {
      best = { messages, span };
    }
  }
  if (best === null) return null;
  const { attributes, error } = best.span;
  const model = attributes.get('gen_ai.response.model') ?? attributes.get('gen_ai.request.model');
  const reasons = listIn(attributes.get('gen_ai.response.finish_reasons'));
  return {
    messages: best.messages,
    model: typeof model === 'string' ? model : null,
    stop: reasons.includes('content_filter') ? 'provider_blocked' : null,
    error,
  };
}
