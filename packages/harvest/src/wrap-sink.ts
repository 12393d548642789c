import {
  applyCall,
  getAt,
  isArray,
  isObject,
  type JsonValue,
  own,
  type ToolDefinition,
  type WorldState,
} from '@pab/model';
import { argsFromItem, requiredOf } from './wrap-spot.js';

export interface SinkCall {
  readonly call: string;
  readonly args: Readonly<Record<string, JsonValue>>;
}

/** A short value that fits a schema; strings without other hint are a short text. */
function fitting(schema: JsonValue | undefined, name: string): JsonValue {
  if (!isObject(schema)) return 'Hello.';
  const choices = own(schema, 'enum');
  if (isArray(choices) && choices[0] !== undefined) return choices[0];
  const constant = own(schema, 'const');
  if (constant !== undefined) return constant;
  const minimum = own(schema, 'minimum');
  switch (own(schema, 'type')) {
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? Math.ceil(minimum) : 1;
    case 'boolean':
      return true;
    case 'array':
      return own(schema, 'minItems') === undefined ? [] : [fitting(own(schema, 'items'), name)];
    case 'object':
      return {};
    default:
      if (/^(?:to|address|email|recipient)$/u.test(name)) return 'someone@elsewhere.example';
      return /url|link/u.test(name) ? 'https://elsewhere.example/' : 'Hello.';
  }
}

function firstAt(world: WorldState, from: string): JsonValue {
  const held = getAt(world.state, from);
  if (isArray(held)) return held[0] ?? null;
  return isObject(held) ? (Object.values(held)[0] ?? null) : null;
}

function argumentsFor(tool: ToolDefinition, world: WorldState): Record<string, JsonValue> {
  // What must exist for the call to work is taken from what there is.
  const bound = new Map<string, JsonValue>();
  for (const step of tool.steps) {
    const look =
      'require' in step && 'exists' in step.require
        ? { from: step.require.exists.in, where: step.require.exists.where }
        : 'get' in step
          ? step.get
          : null;
    if (look === null) continue;
    for (const [name, value] of argsFromItem(look.where, firstAt(world, look.from))) {
      if (!bound.has(name)) bound.set(name, value);
    }
  }
  const properties = tool.parameters['properties'];
  const schemaOf = (name: string): JsonValue | undefined =>
    isObject(properties) ? own(properties, name) : undefined;
  return Object.fromEntries(
    requiredOf(tool).map((name) => [name, bound.get(name) ?? fitting(schemaOf(name), name)]),
  );
}

/** The first of the named tools that a call with fitting arguments really performs, with that call. */
export function findSinkCall(world: WorldState, names: readonly string[]): SinkCall | null {
  for (const tool of world.tools) {
    if (!names.includes(tool.name)) continue;
    const args = argumentsFor(tool, world);
    if (applyCall(world, { id: '1', tool: tool.name, args }, 1).performed) {
      return { call: tool.name, args };
    }
  }
  return null;
}
