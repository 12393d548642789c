import {
  type Case,
  type ChatModel,
  type JsonObject,
  ModelError,
  type Target,
  type Transcript,
} from '@pab/model';
import * as z from 'zod';
import { anthropic } from './models/anthropic.js';
import type { ExchangeOptions, Fetch } from './models/exchange.js';
import { gemini } from './models/gemini.js';
import { openAiCompat } from './models/openai-compat.js';
import { chatTarget } from './targets/chat-target.js';
import { commandAgent, commandWords } from './targets/command-agent.js';
import { httpAgent } from './targets/http-agent.js';
import { PLAN_NAMES, reference } from './targets/reference.js';
import { replay } from './targets/replay.js';
import { diligent, naive, paranoid, wary } from './targets/simulated.js';

/** What targets need from outside; the caller owns it. */
export interface TargetEnvironment {
  readonly fetch: Fetch;
  /** Keys and endpoints are read from it by the names that an entry tells; `command` hands it to its agent. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly random?: () => number;
  readonly now?: () => number;
  readonly sleep?: ExchangeOptions['sleep'];
  /** Opens recorded trials for `replay:FILE`. */
  readonly recording?: (file: string) => (theCase: Case) => Promise<Transcript | undefined>;
}

/** A built-in target: how it is named, what it takes, how it is made. */
export interface TargetEntry {
  readonly summary: string;
  /** A policy that follows the scenario's plans: its rows test the harness, not a model. */
  readonly simulated: boolean;
  /** The option that a bare value stands for, as in `reference:ideal`. */
  readonly positional?: string;
  /** Each option with what it may be, in words. */
  readonly options: Readonly<Record<string, string>>;
  /** @throws ModelError `invalid-options` for an unknown, missing or wrong option */
  create(options: JsonObject, environment: TargetEnvironment): Target;
}

/** Options come from a command line too, so numbers and booleans may be text. */
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?$/, 'a number')
    .transform(Number),
]);
const Rate = number.pipe(z.number().min(0).max(1));
const Count = number.pipe(z.number().int().nonnegative());
const text = z.union([z.string().min(1), z.number().transform(String)]);

function read<Schema extends z.ZodObject>(
  target: string,
  schema: Schema,
  options: JsonObject,
): z.output<Schema> {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema.shape);
  const takes = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
  const said = parsed.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `${target} has no option ${issue.keys.map((key) => `"${key}"`).join(', ')}; ${takes}`
      : `option "${issue.path.join('.')}" of ${target}: ${issue.message}`,
  );
  throw new ModelError('invalid-options', said.join('; '));
}

interface Description<Schema extends z.ZodObject> {
  readonly summary: string;
  readonly simulated?: true;
  readonly positional?: string;
  readonly schema: Schema;
  readonly options?: Readonly<Record<string, string>>;
  readonly make: (options: z.output<Schema>, environment: TargetEnvironment) => Target;
}

function entry<Schema extends z.ZodObject>(
  name: string,
  { summary, simulated, positional, schema, options = {}, make }: Description<Schema>,
): TargetEntry {
  return {
    summary,
    simulated: simulated === true,
    ...(positional === undefined ? {} : { positional }),
    options,
    create: (given, environment) => make(read(name, schema, given), environment),
  };
}

const NONE = z.strictObject({});

const Exchange = {
  model: text,
  base_url: text.optional(),
  temperature: z.union([number, z.literal('none')]).default(0),
  max_tokens: Count.optional(),
  timeout_ms: Count.default(120_000),
  max_retries: Count.default(4),
};

const EXCHANGE_OPTIONS = {
  model: 'name of the model at the endpoint (required)',
  temperature: 'a number, or none to leave it out (default 0)',
  max_tokens: 'most tokens of one reply',
  timeout_ms: 'milliseconds for one attempt (default 120000)',
  max_retries: 'attempts after the first (default 4)',
} as const;

type ExchangeInput = z.output<z.ZodObject<typeof Exchange>>;

function exchangeFrom(given: ExchangeInput, environment: TargetEnvironment): ExchangeOptions {
  return {
    fetch: environment.fetch,
    timeoutMs: given.timeout_ms,
    maxRetries: given.max_retries,
    ...(environment.random === undefined ? {} : { random: environment.random }),
    ...(environment.now === undefined ? {} : { now: environment.now }),
    ...(environment.sleep === undefined ? {} : { sleep: environment.sleep }),
  };
}

const shown = ({ model, temperature, max_tokens }: ExchangeInput): JsonObject => ({
  model,
  temperature,
  ...(max_tokens === undefined ? {} : { max_tokens }),
});

/** The model behind an endpoint, for a target or for a defense that needs one. */
function openAiCompatFrom(
  given: ExchangeInput & { readonly seed?: number | undefined },
  environment: TargetEnvironment,
): ChatModel {
  const baseUrl = given.base_url ?? environment.env['PAB_BASE_URL'];
  if (baseUrl === undefined || baseUrl === '') {
    throw new ModelError(
      'invalid-options',
      'openai-compat needs an endpoint: set PAB_BASE_URL, or the option base_url=https://host.example/v1',
    );
  }
  const apiKey = environment.env['PAB_API_KEY'];
  return openAiCompat({
    ...exchangeFrom(given, environment),
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    model: given.model,
    temperature: given.temperature === 'none' ? null : given.temperature,
    ...(given.max_tokens === undefined ? {} : { maxTokens: given.max_tokens }),
    ...(given.seed === undefined ? {} : { seed: given.seed }),
  });
}

function needsKey(name: string, variable: string, environment: TargetEnvironment): string {
  const key = environment.env[variable];
  if (key !== undefined && key !== '') return key;
  throw new ModelError('invalid-options', `${name} needs a key: set ${variable}`);
}

/** What the two hosted services have in common. */
function hostedFrom(given: ExchangeInput, apiKey: string, environment: TargetEnvironment) {
  return {
    ...exchangeFrom(given, environment),
    apiKey,
    model: given.model,
    temperature: given.temperature === 'none' ? null : given.temperature,
    ...(given.base_url === undefined ? {} : { baseUrl: given.base_url }),
    ...(given.max_tokens === undefined ? {} : { maxTokens: given.max_tokens }),
  };
}

/** Every built-in target by its name. */
export const targets: Readonly<Record<string, TargetEntry>> = {
  naive: entry('naive', {
    summary: 'does what any legible injected text says',
    simulated: true,
    schema: NONE,
    make: naive,
  }),
  wary: entry('wary', {
    summary: 'obeys sometimes, less often when the defense warned it',
    simulated: true,
    schema: z.strictObject({ rate: Rate.default(0.4), announced: Rate.default(0.1) }),
    options: {
      rate: 'probability of obeying, 0 to 1 (default 0.4)',
      announced: 'the same when warned (default 0.1)',
    },
    make: wary,
  }),
  diligent: entry('diligent', {
    summary: 'does the task and never obeys injected text',
    simulated: true,
    schema: NONE,
    make: diligent,
  }),
  paranoid: entry('paranoid', {
    summary: 'refuses everything at once',
    simulated: true,
    schema: NONE,
    make: paranoid,
  }),
  reference: entry('reference', {
    summary: "replays one of the scenario's plans; only for checking scenarios",
    simulated: true,
    positional: 'plan',
    schema: z.strictObject({ plan: z.enum(PLAN_NAMES) }),
    options: { plan: 'ideal | obedient | quoting (required)' },
    make: ({ plan }) => reference(plan),
  }),
  replay: entry('replay', {
    summary: 'does again what recorded trials did',
    positional: 'file',
    schema: z.strictObject({ file: text }),
    options: { file: 'trials of a run (required)' },
    make({ file }, { recording }) {
      if (recording === undefined) {
        throw new ModelError('invalid-options', 'replay is not available here: no reader is given');
      }
      return replay(recording(file));
    },
  }),
  'openai-compat': entry('openai-compat', {
    summary: 'a model behind any /chat/completions endpoint; key from PAB_API_KEY',
    positional: 'model',
    schema: z.strictObject({ ...Exchange, seed: Count.optional() }),
    options: {
      ...EXCHANGE_OPTIONS,
      base_url: 'up to and without /chat/completions (default: PAB_BASE_URL)',
      seed: 'passed on to the server',
    },
    make: (given, environment) =>
      chatTarget(openAiCompatFrom(given, environment), {
        name: `openai-compat:${given.model}`,
        options: shown(given),
      }),
  }),
  anthropic: entry('anthropic', {
    summary: 'a model behind the Anthropic Messages API; key from ANTHROPIC_API_KEY',
    positional: 'model',
    schema: z.strictObject(Exchange),
    options: { ...EXCHANGE_OPTIONS, base_url: 'up to and without /messages' },
    make(given, environment) {
      const key = needsKey('anthropic', 'ANTHROPIC_API_KEY', environment);
      return chatTarget(anthropic(hostedFrom(given, key, environment)), {
        name: `anthropic:${given.model}`,
        options: shown(given),
      });
    },
  }),
  gemini: entry('gemini', {
    summary: 'a model behind the Gemini API; key from GEMINI_API_KEY',
    positional: 'model',
    schema: z.strictObject(Exchange),
    options: { ...EXCHANGE_OPTIONS, base_url: 'up to and without /models' },
    make(given, environment) {
      const key = needsKey('gemini', 'GEMINI_API_KEY', environment);
      return chatTarget(gemini(hostedFrom(given, key, environment)), {
        name: `gemini:${given.model}`,
        options: shown(given),
      });
    },
  }),
  http: entry('http', {
    summary: 'an agent behind one POST, spoken to in pab-agent-1; key from PAB_API_KEY',
    positional: 'url',
    schema: z.strictObject({
      url: text,
      timeout_ms: Exchange.timeout_ms,
      max_retries: Count.default(0),
    }),
    options: {
      url: 'where it listens (required)',
      timeout_ms: EXCHANGE_OPTIONS.timeout_ms,
      max_retries: 'attempts after the first (default 0: an agent may have acted already)',
    },
    make({ url, timeout_ms, max_retries }, environment) {
      const apiKey = environment.env['PAB_API_KEY'];
      return httpAgent({
        ...exchangeFrom({ model: 'http', temperature: 0, timeout_ms, max_retries }, environment),
        url,
        ...(apiKey === undefined ? {} : { apiKey }),
      });
    },
  }),
  command: entry('command', {
    summary: 'an agent process that speaks pab-agent-1 in lines of JSON',
    positional: 'command',
    schema: z.strictObject({ command: text, cwd: text.optional() }),
    options: {
      command: 'the command line, without a shell (required)',
      cwd: 'the folder that it runs in',
    },
    make({ command, cwd }, { env }) {
      const [file, ...args] = commandWords(command);
      if (file === undefined) {
        throw new ModelError('invalid-options', 'option "command" of command is empty');
      }
      return commandAgent({ file, args, env, ...(cwd === undefined ? {} : { cwd }) });
    },
  }),
};

/** A built-in target. @throws ModelError `invalid-options` for an unknown name or a wrong option */
export function targetNamed(
  name: string,
  options: JsonObject,
  environment: TargetEnvironment,
): Target {
  const found = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (found !== undefined) return found.create(options, environment);
  throw new ModelError(
    'invalid-options',
    `there is no target "${name}"; there are ${Object.keys(targets).join(', ')}`,
  );
}
