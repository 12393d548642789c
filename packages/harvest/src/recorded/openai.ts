import type { Message, ToolCall } from '@pab/model';
import { contentText, field, isRecord, listField, scalarField, textField } from '../fields.js';
import type { Conversation } from './conversation.js';
import { callOf, messagesOf, part } from './messages.js';

/** Items of the Responses API: messages, calls and their outputs side by side. */
function messagesOfItems(items: readonly unknown[]): Message[] {
  const messages: Message[] = [];
  const names = new Map<string, string>();
  const add = (call: ToolCall): void => {
    const last = messages.at(-1);
    names.set(call.id, call.tool);
    // Calls that were made together are items of their own here, and one message for us.
    if (last?.role === 'assistant') {
      messages[messages.length - 1] = { ...last, calls: [...last.calls, call] };
    } else messages.push({ role: 'assistant', parts: [], calls: [call] });
  };
  for (const item of items) {
    const type = textField(item, 'type');
    const id = scalarField(item, 'call_id') ?? scalarField(item, 'id') ?? `call-${messages.length}`;
    if (type === 'function_call' || type === 'custom_tool_call') {
      add(
        callOf(id, textField(item, 'name') ?? '', field(item, 'arguments') ?? field(item, 'input')),
      );
    } else if (type === 'function_call_output' || type === 'custom_tool_call_output') {
      const output = field(item, 'output');
      const text = contentText(output) ?? JSON.stringify(output);
      messages.push({
        role: 'tool',
        callId: id,
        tool: names.get(id) ?? '',
        parts: part(text, 'environment'),
        isError: false,
      });
    } else if (type === undefined || type === 'message') messages.push(...messagesOf([item]));
  }
  return messages;
}

function isItems(list: readonly unknown[]): boolean {
  return list.some((item) => (textField(item, 'type') ?? '').startsWith('function_call'));
}

function errorOf(response: unknown): string | null {
  const error = field(response, 'error');
  if (error === undefined || error === null) return null;
  return typeof error === 'string' ? error : (textField(error, 'message') ?? JSON.stringify(error));
}

/** Whether a value is a chat in OpenAI's shape: a list of messages, or an object with `messages`, or `input` and `output`. */
export function isOpenAIChat(value: unknown): boolean {
  const list = Array.isArray(value) ? (value as unknown[]) : null;
  const request = field(value, 'request') ?? value;
  const messages = list ?? listField(request, 'messages') ?? listField(request, 'input');
  if (messages !== undefined && messages.length > 0) {
    return messages.every(
      (item) =>
        textField(item, 'role') !== undefined ||
        ['function_call', 'function_call_output', 'reasoning'].includes(
          textField(item, 'type') ?? '',
        ),
    );
  }
  return textField(request, 'input') !== undefined && listField(value, 'output') !== undefined;
}

/**
 * Reads a chat in the shape of OpenAI's Chat Completions (`messages`, and `choices` of a response beside or below it) or
 * Responses (`input` and `output` items). A request and its response may stand as `request` and `response`.
 */
export function readOpenAI(value: unknown): Conversation {
  const request = field(value, 'request') ?? value;
  const response = field(value, 'response') ?? value;
  const bare = Array.isArray(value) ? (value as unknown[]) : null;
  const input = field(request, 'input');
  const given = bare ?? listField(request, 'messages') ?? (Array.isArray(input) ? input : []);
  const asked: unknown[] = typeof input === 'string' ? [{ role: 'user', content: input }] : [];
  const instructions = textField(request, 'instructions');
  const said = listField(response, 'output') ?? [];
  const [choice] = listField(response, 'choices') ?? [];
  const answer = field(choice, 'message');
  const list: readonly unknown[] = [
    ...(instructions === undefined ? [] : [{ role: 'system', content: instructions }]),
    ...asked,
    ...given,
    ...said,
    ...(isRecord(answer) ? [answer] : []),
  ];
  const filtered = textField(choice, 'finish_reason') === 'content_filter';
  return {
    messages: said.length > 0 || isItems(list) ? messagesOfItems(list) : messagesOf(list),
    model: textField(response, 'model') ?? textField(request, 'model') ?? null,
    stop: filtered ? 'provider_blocked' : null,
    error: errorOf(response),
  };
}
