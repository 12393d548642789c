import {
  isObject,
  type JsonObject,
  type Message,
  TargetError,
  type TargetResult,
  type ToolCall,
  type Usage,
} from '@pab/model';

// A reply with more calls than this is a runaway, not a plan.
const MOST_CALLS = 128;
const STOPS: ReadonlySet<string> = new Set(['done', 'max_steps', 'blocked', 'halted']);

/** Arguments as JSON would carry them: what has no JSON is gone, and nothing is shared with the target. */
function plainArgs(args: unknown): JsonObject {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(args ?? {}));
  } catch {
    throw new TargetError(
      'malformed-response',
      'the arguments of a call cannot be written as JSON',
    );
  }
  if (isObject(copy)) return copy;
  throw new TargetError('malformed-response', 'the arguments of a call are not an object');
}

/**
 * Calls of a target that somebody else wrote, checked once where they come in.
 *
 * @throws TargetError `malformed-response`
 */
export function checkedCalls(calls: readonly ToolCall[]): readonly ToolCall[] {
  if (!Array.isArray(calls)) {
    throw new TargetError('malformed-response', 'the calls are not a list');
  }
  if (calls.length > MOST_CALLS) {
    throw new TargetError('malformed-response', `there are more than ${MOST_CALLS} calls at once`);
  }
  return calls.map((call: unknown): ToolCall => {
    const { id, tool, args, unparsed } = (call ?? {}) as {
      readonly [Key in keyof ToolCall]?: unknown;
    };
    if (typeof id !== 'string' || typeof tool !== 'string') {
      throw new TargetError('malformed-response', 'a call needs an id and a tool, both text');
    }
    return {
      id,
      tool,
      args: plainArgs(args),
      ...(typeof unparsed === 'string' ? { unparsed } : {}),
    };
  });
}

const amount = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;

function checkedUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const { modelCalls, inputTokens, outputTokens } = usage as {
    readonly [Key in keyof Usage]?: unknown;
  };
  return {
    modelCalls: amount(modelCalls),
    inputTokens: amount(inputTokens),
    outputTokens: amount(outputTokens),
  };
}

function isMessage(value: unknown): value is Message {
  if (!isObject(value)) return false;
  const { role, parts, calls } = value;
  return (
    Array.isArray(parts) &&
    parts.every((part: unknown) => isObject(part) && typeof part['text'] === 'string') &&
    (role === 'tool' || role === 'user' || (role === 'assistant' && Array.isArray(calls)))
  );
}

/**
 * What a target answered, checked the same way. Usage that makes no sense counts as 0; messages that are none are left out.
 *
 * @throws TargetError `malformed-response`
 */
export function checkedResult(result: unknown): TargetResult {
  if (!isObject(result)) {
    throw new TargetError('malformed-response', 'the target answered with nothing');
  }
  const { text, stop, usage, modelId, messages } = result as {
    readonly [Key in keyof TargetResult]?: unknown;
  };
  if (typeof text !== 'string') {
    throw new TargetError('malformed-response', "the target's answer has no text");
  }
  if (typeof stop !== 'string' || !STOPS.has(stop)) {
    throw new TargetError(
      'malformed-response',
      `the target's answer stops with none of ${[...STOPS].join(', ')}`,
    );
  }
  const checked = checkedUsage(usage);
  return {
    text,
    stop: stop as TargetResult['stop'],
    ...(checked === undefined ? {} : { usage: checked }),
    ...(typeof modelId === 'string' ? { modelId } : {}),
    ...(Array.isArray(messages) && messages.every(isMessage) ? { messages } : {}),
  };
}
