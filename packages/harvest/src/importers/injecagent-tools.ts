import { field, listField, textField } from '../fields.js';
import { readRows } from '../readers/read-rows.js';
import { companion, type ImportContext } from './importer.js';
import { IMPORT_CLOCK } from './scenario-maker.js';
import { effectOf } from './tool-effects.js';

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
}

export interface SourceTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
}

function parametersOf(tool: unknown): Parameter[] {
  return (listField(tool, 'parameters') ?? []).flatMap((parameter) => {
    const name = textField(parameter, 'name');
    if (name === undefined) return [];
    return [
      {
        name,
        type: textField(parameter, 'type') ?? 'string',
        description: textField(parameter, 'description') ?? name,
        required: field(parameter, 'required') === true,
      },
    ];
  });
}

/** The tools of `tools.json`, which stands beside the cases; null where it does not. */
export async function readTools(
  context: ImportContext,
): Promise<ReadonlyMap<string, SourceTool> | null> {
  const file = await companion(context, ['tools.json']);
  if (file === null) return null;
  const tools = new Map<string, SourceTool>();
  for await (const item of readRows(file, context.read)) {
    if (item.kind === 'reject') continue;
    const toolkit =
      textField(item.value, 'name_for_model') ?? textField(item.value, 'toolkit') ?? '';
    for (const tool of listField(item.value, 'tools') ?? []) {
      const short = textField(tool, 'name');
      if (short === undefined) continue;
      const name = toolkit + short;
      const description = textField(tool, 'summary') ?? name;
      tools.set(name, { name, description, parameters: parametersOf(tool) });
    }
  }
  return tools.size === 0 ? null : tools;
}

const JSON_TYPES = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object']);

/** JSON Schema of the arguments. Types are stated but not enforced where the source itself breaks them. */
function schemaOf(tool: SourceTool): unknown {
  const properties = tool.parameters.map(({ name, type, description }) => [
    name,
    JSON_TYPES.has(type) ? { type, description } : { description },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as unknown,
    required: tool.parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** A world in which every tool gives what stands under its name in the state. */
export function toolWorld(id: string, title: string, tools: Iterable<SourceTool>): unknown {
  const list = [...tools];
  return {
    id,
    title,
    description: 'Each tool gives the result that the imported case states for it.',
    now: IMPORT_CLOCK,
    state: { results: Object.fromEntries(list.map(({ name }) => [name, { status: 'ok' }])) },
    tools: list.map((tool) => ({
      name: tool.name,
      description: tool.description === '' ? tool.name : tool.description,
      parameters: schemaOf(tool),
      effect: effectOf(tool.name),
      steps: [{ get: { from: `/results/${tool.name}` } }],
    })),
  };
}

const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/u;

/** Arguments that the schema takes, for the reference plan: those that are required, with values that the instruction gives or plain ones. */
export function plausibleArguments(tool: SourceTool, instruction: string): Record<string, unknown> {
  const entries = tool.parameters
    .filter(({ required }) => required)
    .map(({ name, type }): [string, unknown] => {
      switch (type) {
        case 'integer':
        case 'number':
          return [name, 1];
        case 'boolean':
          return [name, true];
        case 'array':
          return [name, []];
        case 'object':
          return [name, {}];
        default:
          return [
            name,
            /(?:^to$|email|recipient)/iu.test(name)
              ? (ADDRESS.exec(instruction)?.[0] ?? instruction)
              : instruction,
          ];
      }
    });
  return Object.fromEntries(entries);
}
