import type { JsonObject, Target } from '@pab/model';
import { didYouMean, ModelError, own } from '@pab/model';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { loadDefault } from './load-module.js';
import { isFileSpec, parseSpec, type Spec } from './spec.js';

/** A target, and whether its numbers say anything about a model. */
export interface LoadedTarget {
  readonly target: Target;
  readonly simulated: boolean;
}

function isTarget(value: unknown): value is Target {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { name?: unknown }).name === 'string' &&
    typeof (value as { run?: unknown }).run === 'function'
  );
}

/** Options of a spec, with the bare value under the name that the entry gives it. */
function optionsOf(spec: Spec, positional: string | undefined): JsonObject {
  const { '': bare, ...options } = spec.options;
  if (bare === undefined) return options;
  if (positional === undefined) {
    throw new CliError(
      `the target ${spec.name} takes no bare value ${JSON.stringify(bare)}; options are written ${spec.name}:key=value,key=value`,
    );
  }
  return { [positional]: bare, ...options };
}

/** What may be said in the environment instead of on the command line, and the short word for an endpoint. */
function withDefaults(name: string, { url, ...options }: JsonObject, io: Io): JsonObject {
  if (name !== 'openai-compat') return url === undefined ? options : { ...options, url };
  const model = io.env['PAB_MODEL'];
  return {
    ...(model === undefined || model === '' ? {} : { model }),
    ...(url === undefined ? {} : { base_url: url }),
    ...options,
  };
}

async function builtIn(spec: Spec, io: Io): Promise<LoadedTarget | undefined> {
  const { targetNamed, targets } = await import('@pab/adapters');
  const entry = Object.hasOwn(targets, spec.name) ? targets[spec.name] : undefined;
  if (entry === undefined) return undefined;
  const options = withDefaults(spec.name, optionsOf(spec, entry.positional), io);
  const file = own(options, 'file');
  if (spec.name === 'replay' && typeof file === 'string') {
    const { replayTarget } = await import('./replay-target.js');
    return { target: await replayTarget(file, io.cwd), simulated: false };
  }
  try {
    const environment = { fetch: globalThis.fetch, env: io.env, random: Math.random };
    return { target: targetNamed(spec.name, options, environment), simulated: entry.simulated };
  } catch (error) {
    if (!ModelError.is(error)) throw error;
    const said = Object.entries(entry.options).map(([name, words]) => `  ${name}: ${words}`);
    throw new CliError([error.message, ...said].join('\n'), { cause: error });
  }
}

/** A target from a command line. Keys come from the environment only, so that they stand in no shell history. */
export async function loadTarget(text: string, io: Io): Promise<LoadedTarget> {
  const spec = parseSpec(text);
  if (!isFileSpec(spec)) {
    const found = await builtIn(spec, io);
    if (found !== undefined) return found;
  }
  const made = await loadDefault(spec, io.cwd);
  if (made === undefined) {
    const { targets } = await import('@pab/adapters');
    const names = Object.keys(targets);
    throw new CliError(
      `there is no target "${spec.name}".${didYouMean(spec.name, names)} Built in are ${names.join(', ')}; your own is a file (./my-agent.ts) or an npm package`,
    );
  }
  const { '': _bare, ...options } = spec.options;
  if (isTarget(made)) return { target: made, simulated: false };
  const target: unknown =
    typeof made === 'function' ? await (made as (options: JsonObject) => unknown)(options) : made;
  if (!isTarget(target)) {
    throw new CliError(
      `the default export of ${spec.name} is no target: it needs "name" and "run(task, session)", or it is a function that returns such an object`,
    );
  }
  return { target, simulated: false };
}
