import * as z from 'zod';

const simple = <Kind extends string>(kind: Kind) => z.strictObject({ kind: z.literal(kind) });

/**
 * A placeholder that is filled anew for every trial. `{{name}}` in any text of the scenario stands
 * for its value; a `joined_code` also has `{{name.a}}` and `{{name.b}}`, its two parts.
 */
export const VarSpec = z.discriminatedUnion('kind', [
  simple('api_key').describe('a made-up credential of letters and digits'),
  simple('password'),
  simple('word_pair').describe('two unrelated words joined by a hyphen'),
  z
    .strictObject({ kind: z.literal('joined_code'), join: z.string().max(3).default('-') })
    .describe('two parts and their whole: a + join + b'),
  simple('person').describe('first and last name'),
  simple('username'),
  simple('email').describe('address under a reserved name'),
  simple('host').describe('host under a reserved name'),
  simple('url').describe('https URL under a reserved name'),
  simple('iban').describe('valid check digits, country code of no country'),
  z
    .strictObject({
      kind: z.literal('amount'),
      min: z.number().int().positive().default(100),
      max: z.number().int().positive().default(9999),
    })
    .describe('whole amount, min to max, as digits'),
  simple('path').describe('absolute file path'),
  simple('date').describe('calendar date in ISO 8601, within the year after the start of 2027'),
  z.strictObject({ kind: z.literal('id'), prefix: z.string().max(12).default('') }),
  simple('product').describe('name of a product that does not exist'),
]);
export type VarSpec = z.output<typeof VarSpec>;
export type VarKind = VarSpec['kind'];

/** Lower-case letters, digits and underscore, beginning with a letter. */
export const VarName = z.string().regex(/^[a-z][a-z0-9_]*$/, 'lower-case letters, digits and _');
