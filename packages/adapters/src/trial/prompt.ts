import type { Case, CaseText, Message } from '@pab/model';

type PromptMessage = Exclude<Message, { role: 'tool' }>;

function message(role: 'system' | 'user' | 'assistant', parts: readonly CaseText[]): PromptMessage {
  return role === 'assistant' ? { role, parts, calls: [] } : { role, parts };
}

/**
 * What stands before a session's first turn: the operator's prompt, and before the first session also the earlier
 * turns. A later session is a new conversation; only the world carries over.
 */
export function opening(theCase: Case, session: number): Message[] {
  const messages: Message[] = [];
  if (theCase.system.length > 0) messages.push(message('system', theCase.system));
  if (session === 0) {
    for (const turn of theCase.history) messages.push(message(turn.role, turn.parts));
  }
  return messages;
}
