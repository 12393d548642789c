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
  const tools =
    offered === undefined ? world.tools : world.tools.filter(({ name }) => offered.includes(name));
  return { now: world.now, state, tools, ids: 1000 };
}

/** Tools as a session offers them: changed descriptions, and injected texts as environment parts. */
export function offeredTools(
  tools: readonly ToolDefinition[],
  scenario: Scenario,
  session: number,
  injections: readonly CaseInjection[],
): ToolSpec[] {
  const changed = new Map<string, string>();
  for (const { tools: overrides = {} } of (scenario.sessions ?? []).slice(0, session + 1)) {
    for (const [name, { description }] of Object.entries(overrides)) changed.set(name, description);
  }
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
