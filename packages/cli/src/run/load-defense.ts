import type { DefenseResources } from '@pab/defenses';
import type { Defense, JsonObject } from '@pab/model';
import { didYouMean, ModelError } from '@pab/model';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { loadDefault } from './load-module.js';
import { isFileSpec, parseComposition, type Spec } from './spec.js';

function isDefense(value: unknown): value is Defense {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { name?: unknown }).name === 'string' &&
    typeof (value as { open?: unknown }).open === 'function'
  );
}

function optionsOf(spec: Spec): JsonObject {
  const { '': bare, ...options } = spec.options;
  if (bare !== undefined) {
    throw new CliError(`"${spec.text}": options are written name:key=value,key=value`);
  }
  return options;
}

/** What a defense needs from outside; loaded only for those that do. */
async function resourcesOf(name: string, io: Pick<Io, 'cwd' | 'env'>): Promise<DefenseResources> {
  if (name === 'badger' || name === 'output-guard') {
    const { Scanner } = await import('@pab/detect');
    return { detector: new Scanner() };
  }
  if (name === 'http-guard') {
    const guardKey = io.env['PAB_GUARD_KEY'];
    return { fetch: globalThis.fetch, ...(guardKey === undefined ? {} : { guardKey }) };
  }
  return {};
}

async function loadOne(spec: Spec, io: Pick<Io, 'cwd' | 'env'>): Promise<Defense> {
  const { defenseFrom, defenses } = await import('@pab/defenses');
  const options = optionsOf(spec);
  if (!isFileSpec(spec) && Object.hasOwn(defenses, spec.name)) {
    try {
      return defenseFrom(spec.name, options, await resourcesOf(spec.name, io));
    } catch (error) {
      if (ModelError.is(error)) throw new CliError(error.message, { cause: error });
      throw error;
    }
  }
  const made = await loadDefault(spec, io.cwd);
  if (made === undefined) {
    const names = Object.keys(defenses);
    throw new CliError(
      `there is no defense "${spec.name}".${didYouMean(spec.name, names)} Built in are ${names.join(', ')}; your own is a file (./my-defense.ts) or an npm package`,
    );
  }
  const defense: unknown =
    typeof made === 'function' ? await (made as (options: JsonObject) => unknown)(options) : made;
  if (!isDefense(defense)) {
    throw new CliError(
      `the default export of ${spec.name} is no defense: it needs "name" and "open(context)", or it is a function that returns such an object`,
    );
  }
  return defense;
}

/** A defense, or several composed (`a+b`, the first outermost), from a command line. */
export async function loadDefense(text: string, io: Pick<Io, 'cwd' | 'env'>): Promise<Defense> {
  const loaded: Defense[] = [];
  for (const spec of parseComposition(text)) loaded.push(await loadOne(spec, io));
  const { compose } = await import('@pab/defenses');
  const [only] = loaded;
  return loaded.length === 1 && only !== undefined ? only : compose(...loaded);
}
