import type { JsonObject, JsonValue, Target } from '@pab/model';
import { didYouMean } from '@pab/model';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { loadDefault } from './load-module.js';
import { isFileSpec, parseSpec, type Spec } from './spec.js';

/** A target, and whether its numbers say anything about a model. */
export interface LoadedTarget {
  readonly target: Target;
  readonly simulated: boolean;
}

export const TARGET_NAMES = [
  'naive',
  'wary',
  'diligent',
  'paranoid',
  'reference',
  'replay',
  'openai-compat',
] as const;

function isTarget(value: unknown): value is Target {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { name?: unknown }).name === 'string' &&
    typeof (value as { run?: unknown }).run === 'function'
  );
}

function onlyOptions(spec: Spec, allowed: readonly string[]): JsonObject {
  for (const name of Object.keys(spec.options)) {
    if (allowed.includes(name)) continue;
    const said = name === '' ? `"${String(spec.options[''])}"` : `the option "${name}"`;
    throw new CliError(
      `the target ${spec.name} does not take ${said}.${didYouMean(name, allowed)} ${allowed.length === 0 ? 'It takes none' : `It takes ${allowed.join(', ')}`}`,
    );
  }
  return spec.options;
}

function numberOption(spec: Spec, name: string, min: number, max: number): number | undefined {
  const value: JsonValue | undefined = spec.options[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || value < min || value > max) {
    throw new CliError(
      `${spec.name}: "${name}" is a number from ${min} to ${max}, not ${JSON.stringify(value)}`,
    );
  }
  return value;
}

function textOption(spec: Spec, name: string): string | undefined {
  const value = spec.options[name];
  return value === undefined ? undefined : String(value);
}

async function simulated(spec: Spec): Promise<Target | undefined> {
  const adapters = await import('@pab/adapters');
  switch (spec.name) {
    case 'naive':
      onlyOptions(spec, []);
      return adapters.naive();
    case 'diligent':
      onlyOptions(spec, []);
      return adapters.diligent();
    case 'paranoid':
      onlyOptions(spec, []);
      return adapters.paranoid();
    case 'wary': {
      onlyOptions(spec, ['rate', 'announced']);
      const rate = numberOption(spec, 'rate', 0, 1);
      const announced = numberOption(spec, 'announced', 0, 1);
      return adapters.wary({
        ...(rate === undefined ? {} : { rate }),
        ...(announced === undefined ? {} : { announced }),
      });
    }
    case 'reference': {
      const plan = adapters.PLAN_NAMES.find((name) => name === spec.options['']);
      if (plan === undefined)
        throw new CliError(
          `name a plan: ${adapters.PLAN_NAMES.map((name) => `reference:${name}`).join(', ')}`,
        );
      return adapters.reference(plan);
    }
    default:
      return undefined;
  }
}

async function openAiCompatTarget(spec: Spec, io: Io): Promise<Target> {
  onlyOptions(spec, ['model', 'url', 'temperature', 'max_tokens', 'timeout', 'retries']);
  const { chatTarget, openAiCompat } = await import('@pab/adapters');
  const baseUrl = textOption(spec, 'url') ?? io.env['PAB_BASE_URL'];
  if (baseUrl === undefined || baseUrl === '') {
    throw new CliError(
      'openai-compat needs an endpoint: set PAB_BASE_URL, or write openai-compat:url=http://127.0.0.1:8080/v1,model=NAME',
    );
  }
  const model = textOption(spec, 'model') ?? io.env['PAB_MODEL'];
  if (model === undefined || model === '') {
    throw new CliError(
      'openai-compat needs a model: set PAB_MODEL, or write openai-compat:model=NAME',
    );
  }
  const apiKey = io.env['PAB_API_KEY'];
  const maxTokens = numberOption(spec, 'max_tokens', 1, 1_000_000);
  const timeout = numberOption(spec, 'timeout', 1, 3600);
  const retries = numberOption(spec, 'retries', 0, 20);
  return chatTarget(
    openAiCompat({
      baseUrl,
      model,
      ...(apiKey === undefined || apiKey === '' ? {} : { apiKey }),
      temperature: numberOption(spec, 'temperature', 0, 2) ?? 0,
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
      ...(retries === undefined ? {} : { maxRetries: retries }),
      fetch: globalThis.fetch,
      random: Math.random,
    }),
  );
}

/** A target from a command line. Keys come from the environment only, so that they stand in no shell history. */
export async function loadTarget(text: string, io: Io): Promise<LoadedTarget> {
  const spec = parseSpec(text);
  if (!isFileSpec(spec)) {
    const policy = await simulated(spec);
    if (policy !== undefined) return { target: policy, simulated: true };
    if (spec.name === 'openai-compat')
      return { target: await openAiCompatTarget(spec, io), simulated: false };
    if (spec.name === 'replay') {
      const { replayTarget } = await import('./replay-target.js');
      return {
        target: await replayTarget(textOption(spec, '') ?? textOption(spec, 'file'), io.cwd),
        simulated: false,
      };
    }
  }
  const made = await loadDefault(spec, io.cwd);
  if (made === undefined) {
    throw new CliError(
      `there is no target "${spec.name}".${didYouMean(spec.name, TARGET_NAMES)} Built in are ${TARGET_NAMES.join(', ')}; your own is a file (./my-agent.ts) or an npm package`,
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
