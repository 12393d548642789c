import type { Defense, JsonObject } from '@pab/model';
import { didYouMean, ModelError } from '@pab/model';
import { CliError } from '../errors.js';
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

async function loadOne(spec: Spec, cwd: string): Promise<Defense> {
  const { defenseFrom, defenses } = await import('@pab/defenses');
  const options = optionsOf(spec);
  const { detectorDefenses } = await import('./detector-defenses.js');
  if (!isFileSpec(spec)) {
    const withDetector = Object.hasOwn(detectorDefenses, spec.name)
      ? detectorDefenses[spec.name]
      : undefined;
    try {
      if (withDetector !== undefined) return await withDetector(options);
      if (Object.hasOwn(defenses, spec.name)) return defenseFrom(spec.name, options);
    } catch (error) {
      if (ModelError.is(error)) throw new CliError(error.message, { cause: error });
      throw error;
    }
  }
  const made = await loadDefault(spec, cwd);
  if (made === undefined) {
    const names = [...Object.keys(defenses), ...Object.keys(detectorDefenses)];
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
export async function loadDefense(text: string, cwd: string): Promise<Defense> {
  const loaded: Defense[] = [];
  for (const spec of parseComposition(text)) loaded.push(await loadOne(spec, cwd));
  const { compose } = await import('@pab/defenses');
  const [only] = loaded;
  return loaded.length === 1 && only !== undefined ? only : compose(...loaded);
}
