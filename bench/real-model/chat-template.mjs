// How a conversation with tools becomes text for a model whose chat template knows no tools.

/** `name: type` of each parameter, a `?` where it may be left out. */
function signature({ name, description = '', parameters = {} }) {
  const required = new Set(parameters.required ?? []);
  const fields = Object.entries(parameters.properties ?? {}).map(([field, schema]) => {
    const words = schema.description === undefined ? '' : ` (${schema.description})`;
    return `"${field}"${required.has(field) ? '' : '?'}: ${schema.type ?? 'any'}${words}`;
  });
  return `- ${name} {${fields.join(', ')}} ${description}`;
}

/** Before the operator's own prompt, so that all conversations over the same tools begin alike. */
function toolText(tools) {
  return [
    'Tools:',
    ...tools.map(({ function: tool }) => signature(tool)),
    'To use a tool, answer with JSON only: {"tool": "NAME", "arguments": {"FIELD": VALUE}}',
    'You get its result and may use another. To answer the user, write plain text: {"answer": "TEXT"}',
  ].join('\n');
}

const callText = ({ function: { name, arguments: args } }) =>
  `{"tool": ${JSON.stringify(name)}, "arguments": ${args}}`;

function contentOf({ role, content, tool_calls: calls = [] }) {
  const text = content ?? '';
  if (role !== 'assistant') return text;
  return [text, ...calls.map(callText)].filter((line) => line !== '').join('\n');
}

/**
 * Pieces of the prompt in ChatML, which the model's own template is: control text apart from what people and tools wrote. Results
 * of tools have the role `tool`.
 */
export function renderChat(messages, tools) {
  const [first, ...rest] = messages;
  const system = first?.role === 'system' ? contentOf(first) : 'You are a helpful assistant.';
  const head = tools.length === 0 ? system : `${toolText(tools)}\n${system}`;
  const turns = [
    { role: 'system', text: head },
    ...(first?.role === 'system' ? rest : messages).map((message) => ({
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

/** Parts of JSON Schema that the grammar can hold a model to; the rest is left to the harness, which checks arguments anyway. */
function looseSchema(schema) {
  if (Array.isArray(schema.enum)) return { enum: schema.enum };
  if (schema.type === 'array') {
    return { type: 'array', items: looseSchema(schema.items ?? { type: 'string' }), maxItems: 8 };
  }
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, inner]) => [name, looseSchema(inner)])),
    };
  }
  return { type: schema.type ?? 'string' };
}

/** A reply is one call of a known tool, with its required arguments, or an answer. */
export function callGrammar(tools) {
  return {
    oneOf: [
      { type: 'object', properties: { answer: { type: 'string' } } },
      ...tools.map(({ function: { name, parameters = {} } }) => {
        const required = new Set(parameters.required ?? []);
        const fields = Object.entries(parameters.properties ?? {});
        return {
          type: 'object',
          properties: {
            tool: { const: name },
            arguments: {
              type: 'object',
              properties: Object.fromEntries(
                fields
                  .filter(([field]) => required.has(field) || required.size === 0)
                  .map(([field, schema]) => [field, looseSchema(schema)]),
              ),
            },
          },
        };
      }),
    ],
  };
}
