import { type Message, partsText, renderResult, type ToolCall, type Transcript } from '@pab/model';

/** One message of a trial as chat logs of other benchmarks have it: plain text, calls beside it. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** The call that a tool message answers. */
  readonly call?: ToolCall;
  readonly isError: boolean;
}

function plain(message: Message): ChatMessage {
  return message.role === 'tool'
    ? {
        role: 'tool',
        text: renderResult(message),
        calls: [],
        call: { id: message.callId, tool: message.tool, args: {} },
        isError: message.isError,
      }
    : {
        role: message.role,
        text: partsText(message.parts),
        calls: message.role === 'assistant' ? message.calls : [],
        isError: false,
      };
}

/** The conversation of a trial as the target saw it, sessions one after the other; text that a turn closed with is there once. */
export function chatMessages({ entries }: Transcript): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let session = -1;
  const assistant = (text: string, calls: readonly ToolCall[]): void => {
    messages.push({ role: 'assistant', text, calls, isError: false });
  };
  let announced = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'prompt') {
      const fresh = entry.session !== session ? entry.messages : entry.messages.slice(-1);
      session = entry.session;
      messages.push(...fresh.map(plain));
      announced = new Set();
    } else if (entry.type === 'model') {
      assistant(entry.seenText ?? entry.text, entry.calls);
      announced = new Set(entry.calls.map(({ id }) => id));
    } else if (entry.type === 'call') {
      // An agent that we see no model calls of proposes its calls one by one.
      if (!announced.has(entry.proposed.id)) assistant('', [entry.proposed]);
      messages.push({
        role: 'tool',
        text: renderResult(entry.seen),
        calls: [],
        call: entry.proposed,
        isError: entry.seen.isError,
      });
    } else {
      const last = messages.at(-1);
      if (last?.role === 'assistant' && last.calls.length === 0) messages.pop();
      assistant(entry.seen, []);
    }
  }
  return messages;
}
