import type { WireMessage, WireTool } from './wire.js';

/** A stretch of the prompt: control text of the template, or text that somebody wrote and that must never become control. */
export interface Piece {
  readonly control: boolean;
  readonly text: string;
}

/** One line for each tool: its name, its fields with their types, a `?` where one may be left out. */
function toolLine({ function: { name, description = '', parameters = {} } }: WireTool): string {
  const required = new Set(parameters.required);
  const fields = Object.entries(parameters.properties ?? {}).map(([field, schema]) => {
    const words = schema.description === undefined ? '' : ` (${schema.description})`;
    return `"${field}"${required.has(field) ? '' : '?'}: ${schema.type ?? 'any'}${words}`;
  });
  return `- ${name} {${fields.join(', ')}} ${description}`;
}

/** How tools are told to a model whose chat template knows none. */
function toolText(tools: readonly WireTool[]): string {
  return [
    'Tools:',
    ...tools.map(toolLine),
    'To use a tool, answer with JSON only: {"tool":"NAME","arguments":{"FIELD":VALUE}}',
    'You get its result and may use another. To answer the user: {"answer":"TEXT"}',
  ].join('\n');
}

function contentOf({ role, content, tool_calls: calls = [] }: WireMessage): string {
  const text = content ?? '';
  if (role !== 'assistant') return text;
  const called = calls.map(
    ({ function: { name, arguments: args } }) =>
      `{"tool":${JSON.stringify(name)},"arguments":${args}}`,
  );
  return [text, ...called].filter((line) => line !== '').join('\n');
}

/**
 * A conversation in ChatML, which is the model's own template. The tools stand before the operator's prompt, so that all
 * conversations over the same tools begin alike; their results have the role `tool`.
 */
export function renderChat(
  messages: readonly WireMessage[],
  tools: readonly WireTool[],
): readonly Piece[] {
  const [first] = messages;
  const operator = first?.role === 'system' ? first : undefined;
  const system = operator === undefined ? 'You are a helpful assistant.' : contentOf(operator);
  const turns = [
    { role: 'system', text: tools.length === 0 ? system : `${toolText(tools)}\n${system}` },
    ...(operator === undefined ? messages : messages.slice(1)).map((message) => ({
      role: message.role,
      text: contentOf(message),
    })),
  ];
  return [
    ...turns.flatMap(({ role, text }) => [
      { control: true, text: `<|im_start|>${role}\n` },
      { control: false, text },
      { control: true, text: '<|im_end|>\n' },
    ]),
    { control: true, text: '<|im_start|>assistant\n' },
  ];
}
