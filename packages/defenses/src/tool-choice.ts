import { type ChatModel, type Message, ModelError, partsText, type Task } from '@pab/model';
import { isUntrusted } from './untrusted.js';

/** The conversation without anything from outside: what is left is operator, user and the model's own words. */
export function trustedMessages(messages: readonly Message[]): Message[] {
  return messages.flatMap((message): Message[] => {
    if (message.role === 'tool') return [];
    const parts = message.parts.filter((part) => !isUntrusted(part));
    if (parts.length === 0) return [];
    return [
      message.role === 'assistant'
        ? { role: 'assistant', parts, calls: [] }
        : { ...message, parts },
    ];
  });
}

/** Descriptions as the operator wrote them; of a tool from outside only its name is told. */
function listOf({ tools }: Task): string {
  return tools
    .map(({ name, description }) => {
      const told = partsText(description.filter((part) => !isUntrusted(part))).trim();
      return `- ${name}${told === '' ? '' : `: ${told.slice(0, 500)}`}`;
    })
    .join('\n');
}

export function needsModel(name: string, model: ChatModel | undefined): ChatModel {
  if (model !== undefined) return model;
  throw new ModelError('invalid-options', `${name} needs a model, and the run has none`);
}

/**
 * Asks a model which tools a task needs; it sees nothing from outside. Names that it makes up are left out; a reply that names none
 * gives none.
 */
export async function chooseTools(
  model: ChatModel,
  task: Task,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const question = `Which of these tools are needed for the request above? Answer with their names only, one on each line; with the word none if none is.\n${listOf(task)}`;
  const reply = await model.reply(
    {
      messages: [
        ...trustedMessages(task.messages),
        { role: 'user', parts: [{ text: question, provenance: 'system' }] },
      ],
      tools: [],
    },
    signal === undefined ? {} : { signal },
  );
  const words = new Set(
    reply.text.split(/[^A-Za-z0-9_.-]+/).map((word) => word.replace(/\.$/, '')),
  );
  return new Set(task.tools.map(({ name }) => name).filter((name) => words.has(name)));
}
