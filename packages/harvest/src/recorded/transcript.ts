import {
  digest,
  type Message,
  partsText,
  type StopReason,
  type ToolSpec,
  type Transcript,
  type TranscriptEntry,
  type Usage,
} from '@pab/model';

export interface TranscriptOptions {
  /**
   * Messages after the system prompt, and before the first user turn that is being judged, that the scenario itself put in
   * (`theCase.history.length`); 0 unless given. The agent did not write those, so they are not judged.
   */
  readonly history?: number;
  readonly tools?: readonly ToolSpec[];
  /** Told from the last message unless given: `done` after a closing text, `max_steps` after a call. */
  readonly stop?: StopReason;
  readonly usage?: Usage;
  readonly modelId?: string;
}

/** Where the conversation that the agent was given ends, and its own part begins. */
function givenLength(messages: readonly Message[], history: number): number {
  let at = messages.findIndex(({ role }) => role !== 'system');
  if (at === -1) return messages.length;
  at = Math.min(messages.length, at + history);
  while (at < messages.length && messages[at]?.role !== 'assistant') at += 1;
  return at;
}

function closes(message: Message | undefined): boolean {
  return message?.role === 'assistant' && message.calls.length === 0;
}

/**
 * A conversation with tool calls as one of our transcripts, for `judge` of `@pab/score`. Each user message after the first
 * begins a turn; everything is of one session. What a defense did cannot be told from a conversation, so calls count as
 * performed when they have a result, and texts as received as they stand.
 *
 * The state of the world at the end is not known and stays empty: the judge plays the calls again.
 */
export function transcriptFromMessages(
  messages: readonly Message[],
  { history = 0, tools = [], stop, usage, modelId }: TranscriptOptions = {},
): Transcript {
  const entries: TranscriptEntry[] = [];
  const results = new Map<string, Extract<Message, { role: 'tool' }>>();
  for (const message of messages) if (message.role === 'tool') results.set(message.callId, message);
  let turn = 0;
  let modelCalls = 0;
  let begun = givenLength(messages, history);
  let said: string | null = null;
  const prompt = (end: number): void => {
    entries.push({
      type: 'prompt',
      session: 0,
      turn,
      messages: messages.slice(0, end),
      tools,
      untouched: true,
      actions: [],
    });
  };
  const output = (text: string): void => {
    entries.push({ type: 'output', session: 0, turn, text, seen: text, actions: [] });
  };
  prompt(begun);
  for (; begun < messages.length; begun += 1) {
    const message = messages[begun];
    if (message === undefined) break;
    if (message.role === 'user') {
      output(said ?? '');
      said = null;
      turn += 1;
      prompt(begun + 1);
    } else if (message.role === 'assistant') {
      const text = partsText(message.parts);
      modelCalls += 1;
      entries.push({
        type: 'model',
        request: digest(messages.slice(0, begun)),
        edits: [],
        text,
        calls: message.calls,
        stop: message.calls.length > 0 ? 'calls' : 'done',
        actions: [],
      });
      if (message.calls.length === 0) said = text;
      for (const call of message.calls) {
        const result = results.get(call.id);
        // A call that nobody answered was proposed and not performed.
        if (result === undefined) continue;
        const { role: _, ...seen } = {
          ...result,
          tool: result.tool === '' ? call.tool : result.tool,
        };
        entries.push({
          type: 'call',
          proposed: call,
          effective: call,
          raw: seen,
          seen,
          actions: [],
        });
      }
    }
  }
  if (said !== null) output(said);
  return {
    entries,
    stop: stop ?? (closes(messages.at(-1)) ? 'done' : 'max_steps'),
    usage: usage ?? { modelCalls, inputTokens: 0, outputTokens: 0 },
    finalState: '',
    ...(modelId === undefined ? {} : { modelId }),
  };
}
