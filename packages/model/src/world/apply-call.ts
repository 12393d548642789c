import { Validator } from '@cfworker/json-schema';
import type { WorldState } from '../case.js';
import type { ToolCall, ToolResult } from '../contracts.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { ToolDefinition } from '../schema/world.js';
import { layoutOf } from './layout.js';
import { perform, type Running } from './steps.js';
import { fill } from './template.js';

/** What a call did. `world` is the old one when nothing changed. */
export interface Applied {
  readonly world: WorldState;
  readonly result: ToolResult;
  /** False when the call was a tool error: unknown tool, bad arguments, a failed condition. A performed sink call has left the world. */
  readonly performed: boolean;
}

// Checking arguments is the hot path of a run; a validator depends on nothing but its tool.
const validators = new WeakMap<ToolDefinition, Validator>();

function validatorOf(tool: ToolDefinition): Validator {
  const held = validators.get(tool);
  if (held !== undefined) return held;
  const made = new Validator({ type: 'object', ...tool.parameters }, '2020-12', false);
  validators.set(tool, made);
  return made;
}

function invalidArguments(tool: ToolDefinition, args: JsonObject): string | undefined {
  try {
    const { valid, errors } = validatorOf(tool).validate(args);
    if (valid) return undefined;
    const last = errors.at(-1);
    const place = last?.instanceLocation.replace(/^#\/?/, '') ?? '';
    return `Invalid arguments for ${tool.name}${place === '' ? '' : ` at "${place}"`}: ${last?.error ?? 'they do not fit its schema.'}`;
  } catch {
    // Nesting deeper than the stack: no tool takes that.
    return `Invalid arguments for ${tool.name}: they are nested too deeply.`;
  }
}

interface Remembered {
  readonly world: WorldState;
  readonly callNumber: number;
  readonly applied: Applied;
}

// The judge performs again what was run a moment before: the same call on the same world. Calls and worlds are never changed in
// place, so the same objects give the same outcome. A run that is read from a file has other objects and is worked out anew.
const remembered = new WeakMap<ToolCall, Remembered>();

/**
 * Performs one call on a world: pure and total. The same world and call give the same world and result on every machine, which is
 * how a recorded run is verified. The result has one environment part per leaf, whose source is `tool#callNumber/pointer`.
 *
 * @param callNumber the number of the call in the trial, from 1
 */
export function applyCall(world: WorldState, call: ToolCall, callNumber: number): Applied {
  const held = remembered.get(call);
  if (held !== undefined && held.world === world && held.callNumber === callNumber) {
    return held.applied;
  }
  const applied = applyAnew(world, call, callNumber);
  remembered.set(call, { world, callNumber, applied });
  return applied;
}

function applyAnew(world: WorldState, call: ToolCall, callNumber: number): Applied {
  const source = `${call.tool}#${callNumber}`;
  const refuse = (error: string): Applied => ({
    world,
    performed: false,
    result: {
      callId: call.id,
      tool: call.tool,
      isError: true,
      ...layoutOf({ error }, source, 'environment'),
    },
  });
  const tool = world.tools.find((candidate) => candidate.name === call.tool);
  if (tool === undefined) {
    return refuse(
      `Unknown tool "${call.tool.slice(0, 80)}". Tools: ${world.tools.map(({ name }) => name).join(', ')}.`,
    );
  }
  if (call.unparsed !== undefined) return refuse('The arguments are not a JSON object.');
  const invalid = invalidArguments(tool, call.args);
  if (invalid !== undefined) return refuse(invalid);

  const running: Running = {
    state: world.state,
    ids: world.ids,
    scope: new Map<string, JsonValue>([
      ['args', call.args],
      ['now', world.now],
      ['today', world.now.slice(0, 10)],
    ]),
  };
  let last: JsonValue = null;
  for (const step of tool.steps) {
    const outcome = perform(step, running);
    if ('error' in outcome) return refuse(outcome.error);
    if (!('require' in step)) last = outcome.value;
  }
  const value = tool.returns === undefined ? last : (fill(tool.returns, running.scope) ?? null);
  const changed = running.state !== world.state || running.ids !== world.ids;
  return {
    world: changed ? { ...world, state: running.state, ids: running.ids } : world,
    performed: true,
    result: {
      callId: call.id,
      tool: call.tool,
      isError: false,
      ...layoutOf(value, source, 'environment'),
    },
  };
}
