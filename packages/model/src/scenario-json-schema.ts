import * as z from 'zod';
import type { JsonSchema } from './json.js';
import { Scenario } from './schema/scenario.js';
import { World } from './schema/world.js';

/** JSON Schema (2020-12) of the scenario and world formats, for editors and other languages. */
export function scenarioJsonSchema(): {
  readonly scenario: JsonSchema;
  readonly world: JsonSchema;
} {
  const options = { io: 'input', unrepresentable: 'any' } as const;
  return {
    scenario: z.toJSONSchema(Scenario, options) as unknown as JsonSchema,
    world: z.toJSONSchema(World, options) as unknown as JsonSchema,
  };
}
