import {
  deepEqual,
  type JsonValue,
  type Message,
  type Part,
  type ToolCall,
  type ToolResult,
} from '@pab/model';

/** How much system text the system messages have: a defense that announces something adds to it. */
export const systemLength = (messages: readonly Message[]): number =>
  messages.reduce(
    (sum, message) =>
      message.role === 'system'
        ? message.parts.reduce(
            (length, part) => length + (part.provenance === 'system' ? part.text.length : 0),
            sum,
          )
        : sum,
    0,
  );

export const sameMessage = (a: Message | undefined, b: Message): boolean =>
  a === b || deepEqual(a as unknown as JsonValue, b as unknown as JsonValue);

/** An assistant message as a reply makes it; a reply without text has no part. */
export function assistantMessage(text: string, calls: readonly ToolCall[]): Message {
  const parts: Part[] = text === '' ? [] : [{ text, provenance: 'agent' }];
  return { role: 'assistant', parts, calls };
}

/** Whether something in a result is the operator's or the defense's, such as a mark around it. */
export function hasSystemText({ parts }: Pick<ToolResult, 'parts'>): boolean {
  return parts.some(({ provenance }) => provenance === 'system');
}
