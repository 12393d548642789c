import type { Message, Part, ToolCall } from '@pab/model';
import { contentText, field, listField, scalarField, textField } from '../fields.js';
import type { Conversation } from './conversation.js';
import { callOf, part } from './messages.js';

const BLOCKS = new Set(['tool_use', 'tool_result', 'server_tool_use']);

function blocksOf(message: unknown): readonly unknown[] {
  const content = field(message, 'content');
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as unknown[]) : [];
}

function assistantMessage(message: unknown, names: Map<string, string>): Message {
  const parts: Part[] = [];
  const calls: ToolCall[] = [];
  for (const block of blocksOf(message)) {
    const type = textField(block, 'type');
    if (type === 'text') parts.push(...part(textField(block, 'text'), 'agent'));
    else if (type === 'tool_use') {
      const id = scalarField(block, 'id') ?? `call-${names.size}`;
      const tool = textField(block, 'name') ?? '';
      names.set(id, tool);
      calls.push(callOf(id, tool, field(block, 'input')));
    }
  }
  return { role: 'assistant', parts, calls };
}

/** A user message can hold tool results, which are messages of their own for us, before what the user says. */
function userMessages(message: unknown, names: ReadonlyMap<string, string>): Message[] {
  const results: Message[] = [];
  const parts: Part[] = [];
  for (const block of blocksOf(message)) {
    if (textField(block, 'type') === 'tool_result') {
      const callId = scalarField(block, 'tool_use_id') ?? '';
      results.push({
        role: 'tool',
        callId,
        tool: names.get(callId) ?? '',
        parts: part(contentText(field(block, 'content')), 'environment'),
        isError: field(block, 'is_error') === true,
      });
    } else parts.push(...part(textField(block, 'text'), 'user'));
  }
  return parts.length === 0 ? results : [...results, { role: 'user', parts }];
}

/** Whether a value is a chat in the shape of Anthropic's Messages, which `tool_use` and `tool_result` blocks or a `system` beside the messages show. */
export function isAnthropicChat(value: unknown): boolean {
  const request = field(value, 'request') ?? value;
  const messages =
    listField(request, 'messages') ?? (Array.isArray(value) ? (value as unknown[]) : undefined);
  if (messages === undefined || messages.length === 0) return false;
  if (messages.some((item) => !['user', 'assistant'].includes(textField(item, 'role') ?? '')))
    return false;
  if (messages.some((item) => listField(item, 'tool_calls') !== undefined)) return false;
  if (field(request, 'system') !== undefined) return true;
  const response = field(value, 'response') ?? value;
  return (
    textField(response, 'stop_reason') !== undefined ||
    messages.some((item) =>
      blocksOf(item).some((block) => BLOCKS.has(textField(block, 'type') ?? '')),
    )
  );
}

/**
 * Reads a chat in the shape of Anthropic's Messages: `system`, `messages`, and the `content` of a response beside them or
 * below `response`.
 */
export function readAnthropic(value: unknown): Conversation {
  const request = field(value, 'request') ?? value;
  const response = field(value, 'response') ?? value;
  const list = listField(request, 'messages') ?? (Array.isArray(value) ? (value as unknown[]) : []);
  const names = new Map<string, string>();
  const messages: Message[] = [];
  const system = contentText(field(request, 'system'));
  if (system !== undefined) messages.push({ role: 'system', parts: part(system, 'system') });
  for (const message of list) {
    if (textField(message, 'role') === 'assistant') messages.push(assistantMessage(message, names));
    else messages.push(...userMessages(message, names));
  }
  if (listField(response, 'content') !== undefined)
    messages.push(assistantMessage(response, names));
  const error = field(response, 'error');
  return {
    messages,
    model: textField(response, 'model') ?? textField(request, 'model') ?? null,
    stop: textField(response, 'stop_reason') === 'refusal' ? 'provider_blocked' : null,
    error:
      error === undefined || error === null
        ? null
        : (textField(error, 'message') ?? JSON.stringify(error)),
  };
}
