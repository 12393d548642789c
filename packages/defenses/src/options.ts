import { type JsonObject, type JsonValue, ModelError, own } from '@pab/model';

/** What one option of a defense may be. Options come from a command line too, so numbers and booleans may be text. */
export type OptionSpec =
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly fallback: string }
  | {
      readonly kind: 'number';
      readonly min: number;
      readonly max: number;
      readonly fallback: number;
    }
  | { readonly kind: 'boolean'; readonly fallback: boolean }
  | { readonly kind: 'text'; readonly fallback: string }
  | { readonly kind: 'list' };

type Value<Spec extends OptionSpec> = Spec extends {
  readonly kind: 'choice';
  readonly values: readonly (infer Choice)[];
}
  ? Choice
  : Spec extends { readonly kind: 'number' }
    ? number
    : Spec extends { readonly kind: 'boolean' }
      ? boolean
      : Spec extends { readonly kind: 'text' }
        ? string
        : readonly string[] | undefined;

function allowed(spec: OptionSpec): string {
  switch (spec.kind) {
    case 'choice':
      return spec.values.join(' | ');
    case 'number':
      return `a number from ${spec.min} to ${spec.max}`;
    case 'boolean':
      return 'true | false';
    case 'text':
      return 'text';
    case 'list':
      return 'a list of names';
    default:
      return spec satisfies never;
  }
}

function read(spec: OptionSpec, value: JsonValue | undefined): unknown {
  switch (spec.kind) {
    case 'choice':
      if (value === undefined) return spec.fallback;
      return typeof value === 'string' && spec.values.includes(value) ? value : undefined;
    case 'number': {
      if (value === undefined) return spec.fallback;
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number' || !(number >= spec.min && number <= spec.max))
        return undefined;
      return number;
    }
    case 'boolean':
      if (value === undefined) return spec.fallback;
      if (typeof value === 'boolean') return value;
      return value === 'true' || value === 'false' ? value === 'true' : undefined;
    case 'text':
      if (value === undefined) return spec.fallback;
      return typeof value === 'string' ? value : undefined;
    case 'list': {
      // One name is a list of one.
      const list = typeof value === 'string' ? value.split(/[\s,;]+/) : value;
      return Array.isArray(list) && list.every((item) => typeof item === 'string' && item !== '')
        ? list
        : undefined;
    }
    default:
      return spec satisfies never;
  }
}

/**
 * Reads a defense's options against what it knows.
 *
 * @throws ModelError `invalid-options`, naming the option and what is allowed
 */
export function readOptions<const Specs extends Readonly<Record<string, OptionSpec>>>(
  defense: string,
  options: JsonObject,
  specs: Specs,
): { readonly [Name in keyof Specs]: Value<Specs[Name]> } {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(specs, name)) continue;
    const known = Object.entries(specs).map(([key, spec]) => `${key} (${allowed(spec)})`);
    throw new ModelError(
      'invalid-options',
      `${defense} has no option "${name}"; ${known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`}`,
    );
  }
  const values: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const given = own(options, name);
    const value = read(spec, given);
    if (value === undefined && (given !== undefined || spec.kind !== 'list')) {
      throw new ModelError(
        'invalid-options',
        `option "${name}" of ${defense} is ${JSON.stringify(given)}; allowed: ${allowed(spec)}`,
      );
    }
    values[name] = value;
  }
  return values as { readonly [Name in keyof Specs]: Value<Specs[Name]> };
}
