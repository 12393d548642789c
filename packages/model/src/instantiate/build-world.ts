import type { CaseInjection, CaseText, WorldState } from '../case.js';
import type { ToolSpec } from '../contracts.js';
import { ModelError } from '../errors.js';
import { isArray, isObject, type JsonObject, type JsonValue } from '../json.js';
import { getAt, setAt } from '../pointer.js';
import type { Scenario } from '../schema/scenario.js';
import type { ToolDefinition, World } from '../schema/world.js';
import { placeAsPart, placeInText } from './place.js';

function put(state: JsonObject, pointer: string, value: JsonValue, id: string): JsonObject {
  const next = setAt(state, pointer, value);
  if (isObject(next)) return next;
  throw new ModelError(
    'invalid-scenario',
    `${id}: the world has no place ${pointer} to put something`,
  );
}

/** The text that stands at a pointer of the state once the injected text is in. */
export function injectedState(state: JsonObject, pointer: string, text: string): string {
  const held = getAt(state, pointer);
  return typeof held === 'string' ? placeInText(held, text) : text;
}

/** The world with the scenario's own state and every injection of the first session in place. */
export function buildWorld(
  scenario: Scenario,
  world: World,
  injections: readonly CaseInjection[],
): WorldState {
  let { state } = world;
  const { set = {}, append = {}, tools: offered } = scenario.environment;
  for (const [pointer, value] of Object.entries(set))
    state = put(state, pointer, value, scenario.id);
  for (const [pointer, items] of Object.entries(append)) {
    const held = getAt(state, pointer);
    if (!isArray(held)) {
      throw new ModelError(
        'invalid-scenario',
        `${scenario.id}: there is no list at ${pointer} to append to`,
      );
    }
    state = put(state, pointer, [...held, ...items], scenario.id);
  }
  for (const { at, text } of injections) {
    if (!('state' in at)) continue;
    // What comes later stands empty until its session begins.
    const placed = injectedState(state, at.state, (at.session ?? 0) === 0 ? text : '');
    state = put(state, at.state, placed, scenario.id);
  }
  return { now: world.now, state, tools: toolsOf(world, offered), ids: 1000 };
}

// Nearly all trials of a world offer the same few lists of tools, so each list is made once. What is shared by trials is frozen: a
// target or defense that changes it in place fails, and changes no other trial.
const chosenTools = new WeakMap<World, Map<string, readonly ToolDefinition[]>>();
const plainTools = new WeakMap<readonly ToolDefinition[], readonly ToolSpec[]>();

function toolsOf(world: World, offered: readonly string[] | undefined): readonly ToolDefinition[] {
  if (offered === undefined) return world.tools;
  const lists = chosenTools.get(world) ?? new Map<string, readonly ToolDefinition[]>();
  chosenTools.set(world, lists);
  const chosen = world.tools.filter(({ name }) => offered.includes(name));
  const key = chosen.map(({ name }) => name).join(' ');
  const held = lists.get(key);
  if (held !== undefined) return held;
  lists.set(key, chosen);
  return chosen;
}

/** Parameters stay as they are: they are the world's own, and the validator keeps notes in them. */
function frozen(tools: readonly ToolSpec[]): readonly ToolSpec[] {
  for (const tool of tools) {
    for (const part of tool.description) Object.freeze(part);
    Object.freeze(tool.description);
    Object.freeze(tool);
  }
  return Object.freeze(tools);
}

/** Tools as a session offers them: changed descriptions, and injected texts as environment parts. */
export function offeredTools(
  tools: readonly ToolDefinition[],
  scenario: Scenario,
  session: number,
  injections: readonly CaseInjection[],
): readonly ToolSpec[] {
  const changed = new Map<string, string>();
  for (const { tools: overrides = {} } of (scenario.sessions ?? []).slice(0, session + 1)) {
    for (const [name, { description }] of Object.entries(overrides)) changed.set(name, description);
  }
  if (changed.size > 0 || injections.some(({ at }) => 'tool' in at)) {
    return toolSpecs(tools, changed, session, injections);
  }
  const held = plainTools.get(tools);
  if (held !== undefined) return held;
  const made = frozen(toolSpecs(tools, changed, session, []));
  plainTools.set(tools, made);
  return made;
}

function toolSpecs(
  tools: readonly ToolDefinition[],
  changed: ReadonlyMap<string, string>,
  session: number,
  injections: readonly CaseInjection[],
): readonly ToolSpec[] {
  return tools.map((tool) => {
    const here = injections.filter(
      ({ at }) => 'tool' in at && at.tool === tool.name && (at.session ?? 0) <= session,
    );
    const untrusted = tool.server !== undefined;
    const source = `tool:${tool.name}/description`;
    let description: CaseText[] = [
      {
        text: changed.get(tool.name) ?? tool.description,
        provenance: untrusted ? 'environment' : 'system',
        source,
      },
    ];
    let parameters: JsonValue = tool.parameters;
    let untrustedSchema = untrusted;
    for (const { at, text } of here) {
      if (!('tool' in at)) continue;
      if (at.schema === undefined) {
        description = description.flatMap((part) =>
          part.source === source ? placeAsPart(part, { text, provenance: 'environment' }) : [part],
        );
      } else {
        const held = getAt(parameters, at.schema);
        const placed = typeof held === 'string' ? placeInText(held, text) : text;
        parameters = setAt(parameters, at.schema, placed) ?? parameters;
        untrustedSchema = true;
      }
    }
    if (here.length === 0) {
      description = description.flatMap((part) => placeAsPart(part, undefined));
    }
    return {
      name: tool.name,
      description,
      parameters: isObject(parameters) ? parameters : tool.parameters,
      effect: tool.effect,
      ...(tool.server === undefined ? {} : { server: tool.server }),
      ...(untrustedSchema ? { untrustedSchema } : {}),
    };
  });
}
