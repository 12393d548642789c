import { isArray, isObject, type JsonValue, own } from '../json.js';
import { getAt } from '../pointer.js';
import type { Step, ToolDefinition, World } from '../schema/world.js';
import { namesIn } from '../world/template.js';
import type { Path } from './problem.js';

export type Report = (path: Path, message: string) => void;

/** Schema keywords that a hostile corpus could use to hang or reach out. */
function checkSchema(schema: JsonValue, path: Path, report: Report): void {
  if (isArray(schema)) {
    for (const [index, item] of schema.entries()) checkSchema(item, [...path, index], report);
    return;
  }
  if (!isObject(schema)) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'pattern' || key === 'patternProperties') {
      report(
        [...path, key],
        `"${key}" is not allowed in tool parameters (it runs in time that the text decides); use "enum" or a "require" step`,
      );
    } else if (key === '$ref' && !(typeof value === 'string' && value.startsWith('#'))) {
      report([...path, key], 'only references inside the same schema ("#/…") are allowed');
    } else checkSchema(value, [...path, key], report);
  }
}

function operationOf(step: Step): {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
} {
  const [entry] = Object.entries(step);
  return { name: entry?.[0] ?? '', body: isObject(entry?.[1]) ? entry[1] : {} };
}

function checkTool(tool: ToolDefinition, world: World, path: Path, report: Report): void {
  checkSchema(tool.parameters, [...path, 'parameters'], report);
  const properties = own(tool.parameters, 'properties');
  const declared = isObject(properties) ? Object.keys(properties) : [];
  const required = own(tool.parameters, 'required');
  for (const name of isArray(required) ? required : []) {
    if (typeof name !== 'string' || !declared.includes(name)) {
      report(
        [...path, 'parameters', 'required'],
        `requires ${JSON.stringify(name)}, which "properties" does not declare`,
      );
    }
  }
  const bound = new Set(['args', 'now', 'today']);
  const checkNames = (
    template: JsonValue | undefined,
    at: Path,
    extra: readonly string[] = [],
  ): void => {
    if (template === undefined) return;
    for (const expression of namesIn(template)) {
      const [name = '', field] = expression.split('.');
      if (!bound.has(name) && !extra.includes(name)) {
        report(
          at,
          `\${${expression}} names nothing here; known are ${[...bound, ...extra].join(', ')}`,
        );
      } else if (name === 'args' && field !== undefined && !declared.includes(field)) {
        report(
          at,
          `\${${expression}} names an argument that "parameters" does not declare (${declared.join(', ')})`,
        );
      }
    }
  };
  for (const [index, step] of tool.steps.entries()) {
    const { name, body } = operationOf(step);
    const at = [...path, 'steps', index, name];
    if ('require' in step) {
      checkNames(step.require, at);
      checkNames(step.error, [...path, 'steps', index, 'error']);
    } else {
      const extra = name === 'append' ? ['id'] : name === 'update' ? ['item'] : [];
      checkNames(body as unknown as JsonValue, at, extra);
    }
    for (const key of ['from', 'to', 'in']) {
      const pointer = own(body as never, key);
      if (typeof pointer === 'string' && getAt(world.state, pointer) === undefined) {
        report([...at, key], `there is nothing at ${pointer} in the world's state`);
      }
    }
    const as = own(body as never, 'as');
    if (typeof as === 'string') bound.add(as);
  }
  checkNames(tool.returns, [...path, 'returns']);
}

/** What the schema cannot say of a world: names that must exist, schemas that must be harmless. */
export function checkWorld(world: World, report: Report): void {
  const seen = new Set<string>();
  for (const [index, tool] of world.tools.entries()) {
    if (seen.has(tool.name))
      report(['tools', index, 'name'], `there are two tools named "${tool.name}"`);
    seen.add(tool.name);
    checkTool(tool, world, ['tools', index], report);
  }
}
