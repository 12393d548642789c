import {
  type JsonObject,
  type JsonValue,
  type Message,
  messageText,
  partsText,
  TargetError,
  type Task,
  type ToolCall,
  type ToolResult,
  type Usage,
} from '@pab/model';
import * as z from 'zod';
import { idsAfter, toCall } from '../models/tool-calls.js';

/**
 * `pab-agent-1`: how an agent outside of this process is spoken to, in JSON. It is given `messages` (`role`, `text`, and for a reply its
 * `calls`, for a result its `id`, `tool` and `isError`), `tools` (`name`, `description`, `parameters`) and `maxSteps`; it answers with
 * `calls` (`tool`, `args`, and an `id` if it likes) to be performed, or with a `text`, which ends the turn.
 */
export const PROTOCOL = 'pab-agent-1';

export function wireMessages(messages: readonly Message[]): JsonValue[] {
  return messages.map((message): JsonObject => {
    const text = messageText(message);
    switch (message.role) {
      case 'system':
      case 'user':
        return { role: message.role, text };
      case 'assistant':
        return {
          role: 'assistant',
          text,
          calls: message.calls.map(({ id, tool, args }) => ({ id, tool, args })),
        };
      case 'tool':
        return {
          role: 'tool',
          id: message.callId,
          tool: message.tool,
          text,
          isError: message.isError,
        };
      default:
        return message satisfies never;
    }
  });
}

export function wireTask({ messages, tools, maxSteps }: Task): JsonObject {
  return {
    protocol: PROTOCOL,
    messages: wireMessages(messages),
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description: partsText(description),
      parameters,
    })),
    maxSteps,
  };
}

export function wireResults(results: readonly ToolResult[]): JsonValue[] {
  return results.map((result) => ({
    id: result.callId,
    tool: result.tool,
    text: messageText({ role: 'tool', ...result }),
    isError: result.isError,
  }));
}

const Answer = z.object({
  text: z.string().nullish(),
  calls: z
    .array(z.object({ id: z.string().nullish(), tool: z.string(), args: z.unknown().optional() }))
    .nullish(),
  /** Anything; an agent that keeps nothing gets it back with the next request. */
  state: z.json().optional(),
  blocked: z.boolean().nullish(),
  model: z.string().nullish(),
  usage: z
    .object({
      modelCalls: z.number().nonnegative().nullish(),
      inputTokens: z.number().nonnegative().nullish(),
      outputTokens: z.number().nonnegative().nullish(),
    })
    .nullish(),
});

export interface AgentAnswer {
  readonly text: string | undefined;
  readonly calls: readonly ToolCall[];
  readonly state: JsonValue | undefined;
  readonly blocked: boolean;
  readonly modelId: string | undefined;
  readonly usage: Usage | undefined;
}

/**
 * Reads an agent's answer.
 *
 * @throws TargetError `malformed-response`, or `empty-response` when it has neither text nor calls
 */
export function readAnswer(body: unknown, messages: readonly Message[]): AgentAnswer {
  const parsed = Answer.safeParse(body);
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new TargetError(
      'malformed-response',
      `the agent's answer has another shape, at "${place}"`,
    );
  }
  const { text, calls, state, blocked, model, usage } = parsed.data;
  const idFor = idsAfter(messages);
  const proposed = (calls ?? []).map((call) => toCall(idFor(call.id), call.tool, call.args));
  if (typeof text !== 'string' && proposed.length === 0 && blocked !== true) {
    throw new TargetError('empty-response', 'the agent answered with neither text nor calls');
  }
  return {
    text: text ?? undefined,
    calls: proposed,
    state,
    blocked: blocked === true,
    modelId: model ?? undefined,
    usage:
      usage === null || usage === undefined
        ? undefined
        : {
            modelCalls: usage.modelCalls ?? 0,
            inputTokens: usage.inputTokens ?? 0,
            outputTokens: usage.outputTokens ?? 0,
          },
  };
}

/** Adds up what an agent says that it used, answer by answer. */
export function addUsage(sum: Usage | undefined, more: Usage | undefined): Usage | undefined {
  if (sum === undefined || more === undefined) return sum ?? more;
  return {
    modelCalls: sum.modelCalls + more.modelCalls,
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
  };
}

/** A turn's end, as the harness wants it. */
export function turnEnd(
  { text = '', blocked, modelId }: AgentAnswer,
  usage: Usage | undefined,
): { text: string; stop: 'done' | 'blocked'; usage?: Usage; modelId?: string } {
  return {
    text,
    stop: blocked ? 'blocked' : 'done',
    ...(usage === undefined ? {} : { usage }),
    ...(modelId === undefined ? {} : { modelId }),
  };
}
