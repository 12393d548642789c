import * as z from 'zod';
import { Json, Pointer } from './oracle.js';

/**
 * A value with holes. A string that is exactly `${expr}` becomes the value of the expression, whatever
 * its JSON type; elsewhere in a string `${expr}` is put in as text. `$${` is a literal `${`.
 *
 * Expressions: `args.name` (and deeper: `args.filter.city`), `now` (the world's fixed clock), `today`
 * (its date), `id` (a new id, only inside `append`), and `name.field` for what an earlier step bound
 * with `as`. A missing argument is left out of an object or list, and is empty text inside a string.
 */
export const Template = Json;

const Name = z.string().regex(/^[a-z][a-z0-9_]*$/);

/** Items of a list (or values of a map) whose fields equal the templates; text is compared without case. */
const Where = z.record(Pointer, Template);

const Page = z.strictObject({
  /** Argument that holds the page number, from 1. */
  page: Name,
  size: z.number().int().positive(),
});

/**
 * One atomic step of a tool. A call whose steps fail changes nothing.
 *
 * `get` one item (or the value at `from`) or the error `missing`; `list` all items; `search` items in which
 * every word of the query occurs in one of `fields`; `append` an item (with a generated id, when `id` names its
 * field); `update` and `delete` all items that match, or the error `missing`; `const` a canned value;
 * `require` a condition, or the error.
 */
export const Step = z.union([
  z.strictObject({
    require: z.union([
      z.strictObject({ value: Template, equals: Template }),
      z.strictObject({ value: Template, differs: Template }),
      z.strictObject({ value: Template, oneOf: z.array(Template).min(1) }),
      z.strictObject({ value: Template, min: Template }),
      z.strictObject({ value: Template, max: Template }),
      z.strictObject({ exists: z.strictObject({ in: Pointer, where: Where }) }),
      z.strictObject({ absent: z.strictObject({ in: Pointer, where: Where }) }),
    ]),
    error: z.string().min(1),
  }),
  z.strictObject({
    get: z.strictObject({
      from: Pointer,
      where: Where.optional(),
      fields: z.array(z.string().min(1)).min(1).optional(),
      missing: z.string().min(1).optional(),
      as: Name.optional(),
    }),
  }),
  z.strictObject({
    list: z.strictObject({
      from: Pointer,
      where: Where.optional(),
      fields: z.array(z.string().min(1)).min(1).optional(),
      page: Page.optional(),
      as: Name.optional(),
    }),
  }),
  z.strictObject({
    search: z.strictObject({
      from: Pointer,
      query: Template,
      in: z.array(Pointer).min(1),
      where: Where.optional(),
      fields: z.array(z.string().min(1)).min(1).optional(),
      page: Page.optional(),
      as: Name.optional(),
    }),
  }),
  z.strictObject({
    append: z.strictObject({
      to: Pointer,
      item: Template,
      /** Field that gets a generated id, and what the id begins with. */
      id: z.strictObject({ field: z.string().min(1), prefix: z.string() }).optional(),
      as: Name.optional(),
    }),
  }),
  z.strictObject({
    update: z.strictObject({
      in: Pointer,
      where: Where.optional(),
      set: z.record(Pointer, Template),
      missing: z.string().min(1).optional(),
      as: Name.optional(),
    }),
  }),
  z.strictObject({
    delete: z.strictObject({
      in: Pointer,
      where: Where,
      missing: z.string().min(1).optional(),
      as: Name.optional(),
    }),
  }),
  z.strictObject({ const: z.strictObject({ value: Template, as: Name.optional() }) }),
]);
export type Step = z.output<typeof Step>;

export const ToolDefinition = z.strictObject({
  name: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_.-]{0,63}$/, 'letters, digits, "_", "." and "-"; at most 64'),
  description: z.string().min(1),
  /** JSON Schema of the arguments, of type object; `pattern` and remote `$ref` are refused. */
  parameters: z.record(z.string(), Json),
  effect: z.enum(['read', 'write', 'sink']),
  /** The MCP server that offers the tool; its description is then environment text. */
  server: z.string().min(1).optional(),
  steps: z.array(Step).min(1),
  /** What the call returns; by default what the last step gave. */
  returns: Template.optional(),
});
export type ToolDefinition = z.output<typeof ToolDefinition>;

/** A simulated environment: state, and tools whose behaviour is declared. Nothing real is ever touched. */
export const World = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string().min(1),
  description: z.string().min(1),
  /** What the clock of this world shows, ISO 8601 with `Z`. */
  now: z.iso.datetime(),
  state: z.record(z.string(), Json),
  tools: z.array(ToolDefinition).min(1),
});
export type World = z.output<typeof World>;
