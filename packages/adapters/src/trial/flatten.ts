import {
  type Message,
  type Part,
  partsText,
  renderResult,
  type Task,
  type ToolResult,
  type ToolSpec,
} from '@pab/model';

function onePart(parts: readonly Part[]): readonly Part[] {
  const [first] = parts;
  return first === undefined || parts.length === 1
    ? parts
    : [{ text: partsText(parts), provenance: first.provenance }];
}

/** A result as a defense sees it that knows messages but not parts: one text, as the model would read it. */
export function flatResult(result: ToolResult): ToolResult {
  return {
    callId: result.callId,
    tool: result.tool,
    parts: [{ text: renderResult(result), provenance: 'environment' }],
    isError: result.isError,
  };
}

function flatMessage(message: Message): Message {
  if (message.role === 'tool') return { role: 'tool', ...flatResult(message) };
  const parts = onePart(message.parts);
  return parts === message.parts ? message : { ...message, parts };
}

function flatTool(tool: ToolSpec): ToolSpec {
  const description = onePart(tool.description);
  return description === tool.description ? tool : { ...tool, description };
}

/** What a hook left alone of the flattened items becomes the original again, so that it keeps its identity. */
function restored<T extends object>(
  after: readonly T[],
  flat: readonly T[],
  originals: readonly T[],
): readonly T[] {
  const original = new Map(flat.map((item, index) => [item, originals[index] ?? item]));
  return after.map((item) => original.get(item) ?? item);
}

/** Runs a hook over messages of one part each. */
export async function throughFlatMessages(
  messages: readonly Message[],
  hook: (flat: readonly Message[]) => Promise<readonly Message[]>,
): Promise<readonly Message[]> {
  const flat = messages.map(flatMessage);
  const after = await hook(flat);
  return after === flat ? messages : restored(after, flat, messages);
}

/** Runs a hook over a task whose messages and tool descriptions have one part each. */
export async function throughFlatTask(
  task: Task,
  hook: (flat: Task) => Promise<Task>,
): Promise<Task> {
  const flat = {
    ...task,
    messages: task.messages.map(flatMessage),
    tools: task.tools.map(flatTool),
  };
  const after = await hook(flat);
  if (after === flat) return task;
  return {
    ...after,
    messages: restored(after.messages, flat.messages, task.messages),
    tools: restored(after.tools, flat.tools, task.tools),
  };
}
