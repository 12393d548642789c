import { isObject, type JsonObject, type Message, type Part, type ToolCall } from '@pab/model';
import { contentText, field, isRecord, listField, scalarField, textField } from '../fields.js';
import { parseJson } from '../readers/parse-json.js';

/** Arguments as an object, or as the text that stands for one; what is no object is kept unparsed. */
export function callOf(id: string, tool: string, args: unknown): ToolCall {
  if (args === undefined || args === null || args === '') return { id, tool, args: {} };
  if (typeof args === 'string') {
    const parsed = parseJson(args);
    return parsed.ok && isObject(parsed.value)
      ? { id, tool, args: parsed.value }
      : { id, tool, args: {}, unparsed: args };
  }
  return isRecord(args)
    ? { id, tool, args: args as JsonObject }
    : { id, tool, args: {}, unparsed: JSON.stringify(args) };
}

/** A tool call in any of the shapes that message lists have: `{function: {name, arguments}}`, `{function, args}`, `{name, arguments}`. */
function readCall(value: unknown, index: number): ToolCall {
  const inner = field(value, 'function');
  const name =
    (typeof inner === 'string' ? inner : textField(inner, 'name')) ??
    textField(value, 'name') ??
    textField(value, 'tool') ??
    '';
  const args =
    field(inner, 'arguments') ??
    field(value, 'arguments') ??
    field(value, 'args') ??
    field(value, 'input');
  return callOf(scalarField(value, 'id') ?? `call-${index}`, name, args);
}

export function part(text: string | undefined, provenance: Part['provenance']): Part[] {
  return text === undefined || text === '' ? [] : [{ text, provenance }];
}

/**
 * Messages of the `role`/`content`/`tool_calls` kind that AgentDojo, Inspect, tau-bench, ASB and Chat Completions share, as
 * ours. Content may be text, or a list of parts of which those with text count; unknown roles are taken for the user's.
 */
export function messagesOf(values: readonly unknown[]): Message[] {
  const names = new Map<string, string>();
  const messages: Message[] = [];
  for (const value of values) {
    const role = textField(value, 'role');
    const text = contentText(field(value, 'content'));
    if (role === 'assistant') {
      const calls = (listField(value, 'tool_calls') ?? []).map(readCall);
      const old = field(value, 'function_call');
      if (isRecord(old)) calls.push(readCall(old, calls.length));
      for (const call of calls) names.set(call.id, call.tool);
      messages.push({ role, parts: part(text, 'agent'), calls });
    } else if (role === 'tool' || role === 'function') {
      const callId = scalarField(value, 'tool_call_id') ?? '';
      const called = field(field(value, 'tool_call'), 'function');
      const tool =
        textField(value, 'name') ??
        (typeof called === 'string' ? called : undefined) ??
        textField(value, 'function') ??
        names.get(callId) ??
        '';
      const failed = field(value, 'error');
      messages.push({
        role: 'tool',
        callId,
        tool,
        parts: part(text, 'environment'),
        isError: failed !== null && failed !== undefined && failed !== '' && failed !== false,
      });
    } else if (role === 'system' || role === 'developer') {
      messages.push({ role: 'system', parts: part(text, 'system') });
    } else messages.push({ role: 'user', parts: part(text, 'user') });
  }
  return messages;
}
