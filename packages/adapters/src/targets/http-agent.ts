import type { JsonValue, Message, Target, Usage } from '@pab/model';
import { type ExchangeOptions, endpoint, httpError, postJson } from '../models/exchange.js';
import { assistantMessage } from '../trial/messages.js';
import { addUsage, readAnswer, turnEnd, wireMessages, wireTask } from './agent-protocol.js';

export interface HttpAgentOptions extends ExchangeOptions {
  readonly url: string;
  /** Sent as a bearer token; never in an error. */
  readonly apiKey?: string;
}

/**
 * An agent behind one POST, spoken to in `pab-agent-1`. Every request holds the whole conversation of the turn so far, and the `state`
 * of the last answer, so the agent need not keep anything. It is a black box: defenses see its calls, not its model.
 */
export function httpAgent(options: HttpAgentOptions): Target {
  const url = endpoint(options.url, '');
  const { apiKey = '' } = options;
  const headers: Record<string, string> =
    apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
  const secrets = [apiKey];
  return {
    name: 'http',
    async run(task, session, { signal } = {}) {
      const messages: Message[] = [...task.messages];
      let state: JsonValue | undefined;
      let usage: Usage | undefined;
      for (;;) {
        const body = {
          ...wireTask(task),
          messages: wireMessages(messages),
          ...(state === undefined ? {} : { state }),
        };
        const response = await postJson({ url, headers, body, secrets, signal }, options);
        if (response.status >= 400) throw httpError(response, secrets);
        const answer = readAnswer(response.body, messages);
        ({ state } = answer);
        usage = addUsage(usage, answer.usage);
        if (answer.blocked || answer.calls.length === 0) return turnEnd(answer, usage);
        messages.push(assistantMessage(answer.text ?? '', answer.calls));
        const results = await session.callAll(answer.calls);
        for (const result of results) messages.push({ role: 'tool', ...result });
      }
    },
  };
}
