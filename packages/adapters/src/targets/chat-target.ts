import type { ChatModel, JsonObject, Message, Target } from '@pab/model';
import { assistantMessage } from '../trial/messages.js';

export interface ChatTargetOptions {
  /** Default: the model's name. */
  readonly name?: string;
  /** What the transcript should say about how the target was set up. */
  readonly options?: JsonObject;
}

/**
 * Makes a tool-calling agent of a chat model: asks, performs the calls of each reply together, gives the results back, until a
 * reply has no calls, the provider blocks, or the task's steps are used up.
 */
export function chatTarget(model: ChatModel, { name, options }: ChatTargetOptions = {}): Target {
  return {
    name: name ?? model.name,
    ...(options === undefined ? {} : { options }),
    async run(task, session, callOptions) {
      const messages: Message[] = [...task.messages];
      for (let step = 0; step < task.maxSteps; step += 1) {
        const seen = await session.beforeModel(messages);
        const reply = await session.afterModel(
          await model.reply({ messages: seen, tools: task.tools }, callOptions),
        );
        if (reply.stop === 'blocked') return { text: reply.text, stop: 'blocked' };
        if (reply.calls.length === 0) return { text: reply.text, stop: 'done' };
        messages.push(assistantMessage(reply.text, reply.calls));
        const results = await session.callAll(reply.calls);
        for (const result of results) messages.push({ role: 'tool', ...result });
      }
      return { text: '', stop: 'max_steps' };
    },
  };
}
