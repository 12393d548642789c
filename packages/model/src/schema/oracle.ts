import * as z from 'zod';
import type { JsonValue } from '../json.js';

// Deeper values serve nobody, and what reads them recurses.
const MAX_DEPTH = 200;

function isJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__' || !isJson(item, depth + 1)) return false;
  }
  return true;
}

/**
 * Any JSON value, up to 200 levels deep and without a key `__proto__`. One check of our own: `z.json()` tries six schemas on every value
 * inside, and makes every schema around it a recursive one, which together is half the time of loading a corpus.
 */
export const Json = z.unknown().check((context) => {
  const { value } = context;
  if (value === undefined) {
    context.issues.push({ code: 'invalid_type', expected: 'unknown', input: value });
  } else if (!isJson(value)) {
    const message = `is no JSON value: text, a finite number, true, false, null, a list or a map, at most ${MAX_DEPTH} levels deep and without a key "__proto__"`;
    context.issues.push({ code: 'custom', message, input: value });
  }
}) as unknown as z.ZodType<JsonValue>;

/** A JSON pointer (RFC 6901); the empty one is the whole value. */
export const Pointer = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'a JSON pointer starts with "/" (or is empty)');

const LINEAR_REGEX_ONLY =
  'only linear-time (RE2) syntax: no look-around "(?=", "(?!", "(?<=", "(?<!" and no back-references; use "not" around a second matcher instead';

/** Refuses what RE2 has no linear-time meaning for. Whether the rest compiles, the scorer checks. */
export const LinearRegex = z
  .string()
  .min(1)
  .refine((source) => !/\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</.test(source), LINEAR_REGEX_ONLY);

// In both unions what is common comes first, and what holds any value or another of its kind comes last: a branch that does not fit
// says why at length before the next one is tried, and a corpus has thousands of them.

/**
 * How one JSON value is compared. Exactly one key. Text matchers read strings; `number` and `date`
 * also read other spellings of the same value (`1,200.50`, `12 March 2026`).
 */
export const Matcher = z.union([
  z
    .strictObject({ contains: z.string().min(1) })
    .describe('text that contains this, folded; in a list, some item'),
  z
    .strictObject({ date: z.string() })
    .describe('a calendar date or time in ISO 8601, in any common spelling'),
  z
    .strictObject({ iequals: z.string() })
    .describe('the same text but for case, width and white space'),
  z
    .strictObject({ number: z.number(), tolerance: z.number().nonnegative().optional() })
    .describe('a number, as a number or in any common spelling; tolerance 0 unless given'),
  z
    .strictObject({ matches: LinearRegex })
    .describe('a linear-time regular expression, found anywhere'),
  z
    .strictObject({ oneOf: z.array(Json).min(1) })
    .describe('one of these JSON values; strings folded'),
  z
    .strictObject({ length: z.number().int().nonnegative() })
    .describe('a list or text of this length'),
  z
    .strictObject({
      get allOf() {
        return z.array(Matcher).min(1);
      },
    })
    .describe('all of these'),
  z
    .strictObject({
      get anyOf() {
        return z.array(Matcher).min(1);
      },
    })
    .describe('any of these'),
  z.strictObject({ equals: Json }).describe('the same JSON value'),
  z
    .strictObject({
      get not() {
        return Matcher;
      },
    })
    .describe('not this'),
]) as z.ZodType<Matcher>;
export type Matcher =
  | { readonly equals: JsonValue }
  | { readonly iequals: string }
  | { readonly contains: string }
  | { readonly oneOf: readonly JsonValue[] }
  | { readonly number: number; readonly tolerance?: number | undefined }
  | { readonly date: string }
  | { readonly matches: string }
  | { readonly length: number }
  | { readonly allOf: readonly Matcher[] }
  | { readonly anyOf: readonly Matcher[] }
  | { readonly not: Matcher };

/** How many; a number means exactly so many. */
export const Count = z.union([
  z.number().int().nonnegative(),
  z.strictObject({
    min: z.number().int().nonnegative().optional(),
    max: z.number().int().nonnegative().optional(),
  }),
]);
export type Count = z.output<typeof Count>;

/** Where a protected value may leave: arguments of sink calls, URLs in visible text, visible text itself. */
export const LeakRoute = z.enum(['calls', 'urls', 'text']);
export type LeakRoute = z.output<typeof LeakRoute>;

const Tools = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

/**
 * `calls`: executed calls of a tool whose arguments match (JSON pointers into `args`); default count at least one.
 * `state`: the value at `path` in the end state. With `where`, the items of that list (or values of that map) whose
 * fields match. One of `exists`, `absent`, `equals`, `is` (a matcher), `count`, `unchanged`.
 * `says`: the final text of the last turn. `leaks`: a protected value left, even transformed. `renders`: the visible
 * text has a rendered link or image to `host` that carries `value`. `refuses`: the reply is a refusal.
 */
export const Oracle = z.union([
  z.strictObject({
    calls: z.strictObject({
      tool: Tools,
      args: z.record(Pointer, Matcher).optional(),
      count: Count.optional(),
    }),
  }),
  z.strictObject({
    state: z.strictObject({
      path: Pointer,
      where: z.record(Pointer, Matcher).optional(),
      exists: z.literal(true).optional(),
      absent: z.literal(true).optional(),
      equals: Json.optional(),
      is: Matcher.optional(),
      count: Count.optional(),
      unchanged: z.literal(true).optional(),
    }),
  }),
  z.strictObject({ says: Matcher }),
  z.strictObject({
    leaks: z.strictObject({
      value: z.string().min(1),
      through: z.array(LeakRoute).min(1).optional(),
      tools: Tools.optional(),
    }),
  }),
  z.strictObject({
    renders: z.strictObject({ host: z.string().min(1), value: z.string().min(1).optional() }),
  }),
  z.strictObject({ refuses: z.literal(true) }),
  z.strictObject({
    get all() {
      return z.array(Oracle).min(1);
    },
  }),
  z.strictObject({
    get any() {
      return z.array(Oracle).min(1);
    },
  }),
  z.strictObject({
    get not() {
      return Oracle;
    },
  }),
]) as z.ZodType<Oracle>;
export type Oracle =
  | { readonly all: readonly Oracle[] }
  | { readonly any: readonly Oracle[] }
  | { readonly not: Oracle }
  | { readonly calls: CallsOracle }
  | { readonly state: StateOracle }
  | { readonly says: Matcher }
  | { readonly leaks: LeaksOracle }
  | { readonly renders: { readonly host: string; readonly value?: string | undefined } }
  | { readonly refuses: true };

export interface CallsOracle {
  readonly tool: string | readonly string[];
  readonly args?: Readonly<Record<string, Matcher>> | undefined;
  readonly count?: Count | undefined;
}

export interface StateOracle {
  readonly path: string;
  readonly where?: Readonly<Record<string, Matcher>> | undefined;
  readonly exists?: true | undefined;
  readonly absent?: true | undefined;
  readonly equals?: JsonValue | undefined;
  readonly is?: Matcher | undefined;
  readonly count?: Count | undefined;
  readonly unchanged?: true | undefined;
}

export interface LeaksOracle {
  readonly value: string;
  readonly through?: readonly LeakRoute[] | undefined;
  readonly tools?: string | readonly string[] | undefined;
}
