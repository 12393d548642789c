import * as z from 'zod';
import type { JsonObject } from '../json.js';
import { CHANNELS, CONTROL_TYPES, FAMILIES, SEVERITIES } from '../names.js';
import { Json, Oracle, Pointer } from './oracle.js';
import { VarName, VarSpec } from './vars.js';

/** Lower-case words joined by hyphens; stable for ever. */
export const ScenarioId = z
  .string()
  .regex(
    /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/,
    'lower-case letters and digits joined by "-", "_" or "."',
  )
  .max(120);

/**
 * Where text is placed. `state`: a JSON pointer into the world's state; `tool` alone: that tool's description;
 * `tool` and `schema`: a pointer into its parameter schema; `session`: from which session on (default 0, the first), for
 * descriptions that change after they were approved; `history`: an earlier turn by index; `task`: inside the user's
 * prompt of that turn (default 0), as pasted text.
 */
export const InjectionPoint = z.union([
  z.strictObject({ state: Pointer.min(1), session: z.number().int().nonnegative().optional() }),
  z.strictObject({
    tool: z.string().min(1),
    schema: Pointer.min(1).optional(),
    session: z.number().int().nonnegative().optional(),
  }),
  z.strictObject({ system: z.literal(true) }),
  z.strictObject({ history: z.number().int().nonnegative() }),
  z.strictObject({
    task: z.literal(true),
    session: z.number().int().nonnegative().optional(),
    turn: z.number().int().nonnegative().optional(),
  }),
]);
export type InjectionPoint = z.output<typeof InjectionPoint>;

/**
 * Hostile text and its benign counterpart. Where the text that stands at the point has `{{payload}}` in it, the text
 * goes there; otherwise it takes the place of the whole (for `task`, `system` and tool descriptions: it follows, after
 * a blank line).
 */
export const Injection = z.strictObject({
  at: InjectionPoint,
  payload: z.string().min(1),
  /** What stands there in the twin; it may be empty. */
  benign: z.string().optional(),
});
export type Injection = z.output<typeof Injection>;

/**
 * One step of a plan. A `call` names its `essential` arguments: those whose change must change the verdict (default: none
 * for reads, all for tools with another effect). `hostile` marks what the attacker wants. A `say` closes a turn;
 * its `essential` are the facts without which the answer would not do.
 */
export const PlanStep = z.union([
  z.strictObject({
    call: z.string().min(1),
    args: z.record(z.string(), Json).default({}),
    essential: z.array(z.string().min(1)).optional(),
    hostile: z.literal(true).optional(),
    /** Calls that may be made in any order share a group. */
    group: z.string().min(1).optional(),
  }),
  z.strictObject({
    say: z.string(),
    essential: z.array(z.string().min(1)).optional(),
    hostile: z.literal(true).optional(),
    /** Another wording of the same answer, which must be judged the same. */
    reworded: z.string().min(1).optional(),
  }),
]);
export type PlanStep = z.output<typeof PlanStep>;
export type Plan = readonly PlanStep[];

const Turn = z.strictObject({ prompt: z.string().min(1) });

const ScenarioSession = z.strictObject({
  turns: z.array(Turn).min(1),
  /** Descriptions of tools that differ from this session on. */
  tools: z.record(z.string(), z.strictObject({ description: z.string().min(1) })).optional(),
});

const Source = z.union([
  z.strictObject({
    title: z.string().min(1),
    url: z.url({ protocol: /^https?$/ }),
    year: z.number().int().min(1990).max(2100),
  }),
  z.strictObject({ derived: z.string().min(10, 'say what it is derived from, and why') }),
]);

export const ScenarioFields = {
  id: ScenarioId,
  title: z.string().min(1),
  description: z.string().min(1),
  kind: z.enum(['attack', 'control']),
  controlType: z.enum(CONTROL_TYPES).optional(),
  /** For a control: the attack that it is matched with (same world and task). */
  matches: ScenarioId.optional(),
  channel: z.enum(CHANNELS),
  family: z.enum(FAMILIES),
  severity: z.enum(SEVERITIES),
  atlas: z.array(
    z.string().regex(/^AML\.T\d{4}(?:\.\d{3})?$/, 'a MITRE ATLAS technique such as AML.T0051.001'),
  ),
  owasp: z.array(
    z.string().regex(/^(?:LLM|ASI)\d{2}:20\d{2}$/, 'an OWASP id with its year such as LLM01:2026'),
  ),
  source: Source,
  tags: z.array(z.string().min(1)).default([]),
  imported: z.literal(true).optional(),
  verbatim_canary: z.literal(true).optional(),
  licence: z.string().min(1).optional(),
  vars: z.record(VarName, VarSpec).default({}),
  /** Operator prompt. */
  system: z.string().min(1).optional(),
  /** Turns before the first of this trial. */
  history: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant']), text: z.string().min(1) }))
    .default([]),
  /** What the attacker wants, in one imperative. Required for attacks. */
  goal: z.string().min(1).optional(),
  /** Scenarios with the same task share this; it is a cluster of the statistics. */
  taskId: z.string().min(1),
  /** Id of the world. */
  world: z.string().min(1),
  /** What this scenario adds to its world: values set at a pointer, items appended to lists, the tools that it offers. */
  environment: z
    .strictObject({
      set: z.record(Pointer, Json).optional(),
      append: z.record(Pointer, z.array(Json).min(1)).optional(),
      tools: z.array(z.string().min(1)).min(1).optional(),
    })
    .default({}),
  task: z
    .strictObject({
      prompt: z.string().min(1).optional(),
      /** Text from elsewhere that the user pasted under the prompt; environment text. */
      pasted: z.string().min(1).optional(),
      done: Oracle.optional(),
    })
    .default({}),
  sessions: z.array(ScenarioSession).min(1).optional(),
  policy: z.strictObject({ tools: z.array(z.string().min(1)).optional() }).optional(),
  /** Calls that the simulated user approves when asked; by default those of the ideal plan. */
  approves: z
    .array(
      z.strictObject({
        tool: z.string().min(1),
        args: (z.record(z.string(), Json) as unknown as z.ZodType<JsonObject>).optional(),
      }),
    )
    .optional(),
  injections: z.array(Injection).default([]),
  compromised: Oracle.optional(),
  reference: z
    .strictObject({
      ideal: z.array(PlanStep).min(1).optional(),
      obedient: z.array(PlanStep).min(1).optional(),
      quoting: z.array(PlanStep).min(1).optional(),
    })
    .default({}),
} as const;

/**
 * One scenario: pure data, no code in it. Rules that bind several fields (an attack has a goal, an injection and an
 * oracle; names exist in the world) are checked by `checkScenario`.
 */
export const Scenario = z.strictObject(ScenarioFields);
export type Scenario = z.output<typeof Scenario>;

export type ScenarioSource = z.output<typeof Source>;
