import { isRecord, textField } from '../fields.js';
import { readRows } from '../readers/read-rows.js';
import type { Place } from '../row.js';
import type { ByteSource } from '../source.js';
import type { Unit } from '../unit.js';
import {
  companion,
  type ImportContext,
  type Importer,
  refuse,
  type Sample,
  textMaker,
} from './importer.js';
import { IMPORT_CLOCK, idPart, scenarioMaker } from './scenario-maker.js';

const URL = 'https://github.com/ethz-spylab/agentdojo';

/** Where a vector stands in the world, and the text around it with the slot in place of the vector. */
interface Spot {
  readonly at: string;
  readonly text: string;
}

function suiteOf({ name, folder }: ByteSource): string {
  const flat = /(?:^|__)([a-z0-9]+)__(?:environment|injection_vectors)\.ya?ml$/iu.exec(name)?.[1];
  return idPart(flat ?? folder ?? 'suite');
}

function isVectors(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.values(value).every(
      (vector) =>
        textField(vector, 'description') !== undefined &&
        textField(vector, 'default') !== undefined,
    )
  );
}

async function readOne(source: ByteSource | null, context: ImportContext): Promise<unknown> {
  if (source === null) return null;
  for await (const item of readRows(source, context.read)) {
    if (item.kind === 'row') return item.value;
    context.note(`${source.name}: ${item.reason}`);
    return null;
  }
  return null;
}

/** Puts the default of every vector where it stands, and tells the places. */
function fillDefaults(
  value: unknown,
  defaults: ReadonlyMap<string, string>,
  spots: Map<string, Spot[]>,
  pointer = '',
): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{([a-z0-9_]+)\}/giu, (whole, id: string) => {
      const text = defaults.get(id);
      if (text === undefined) return whole;
      spots.set(id, [
        ...(spots.get(id) ?? []),
        { at: pointer, text: value.replace(whole, () => '{{payload}}') },
      ]);
      return text;
    });
  }
  if (Array.isArray(value))
    return value.map((item, at) => fillDefaults(item, defaults, spots, `${pointer}/${at}`));
  if (value instanceof Date) return value.toISOString();
  if (!isRecord(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      fillDefaults(
        item,
        defaults,
        spots,
        `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      ),
    ]),
  );
}

/** The environment with a reading tool for each part of the state and one way out; the source's own tools are code. */
function worldOf(suite: string, state: Record<string, unknown>): unknown {
  const reads = Object.keys(state).map((key) => ({
    name: `read_${idPart(key).replaceAll('-', '_')}`,
    description: `Gives all of ${key.replaceAll('_', ' ')}.`,
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    effect: 'read',
    steps: [{ get: { from: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` } }],
  }));
  const send = {
    name: 'send_message',
    description: 'Sends a message to someone outside.',
    parameters: {
      type: 'object',
      properties: { to: { type: 'string' }, text: { type: 'string' } },
      required: ['to', 'text'],
      additionalProperties: false,
    },
    effect: 'sink',
    steps: [{ append: { to: '/sent_messages', item: { to: '${args.to}', text: '${args.text}' } } }],
  };
  return {
    id: `agentdojo-${suite}`,
    title: `AgentDojo environment: ${suite}`,
    description:
      'The state of the environment with the defaults of its injection vectors. Its tools read; tasks and oracles are code at the source.',
    now: IMPORT_CLOCK,
    state: { ...state, sent_messages: [] },
    tools: [...reads, send],
  };
}

async function* units(context: ImportContext): AsyncGenerator<Unit> {
  const { source } = context;
  const make = textMaker('agentdojo', context);
  const own = await readOne(source, context);
  const place: Place = { file: source.name, path: '$' };
  if (!isRecord(own)) {
    yield refuse(place, 'expected an environment or its injection vectors', own);
    return;
  }
  const fromVectors = isVectors(own);
  const other = await readOne(
    await companion(context, [fromVectors ? 'environment.yaml' : 'injection_vectors.yaml']),
    context,
  );
  const vectors = fromVectors ? own : other;
  const environment = fromVectors ? other : own;
  if (!isRecord(vectors)) {
    yield refuse(place, 'injection_vectors.yaml is not beside the environment', own);
    return;
  }
  const defaults = new Map<string, string>();
  for (const [id, vector] of Object.entries(vectors))
    defaults.set(id, textField(vector, 'default') ?? '');
  const spots = new Map<string, Spot[]>();
  const suite = suiteOf(source);
  if (isRecord(environment)) {
    const state = fillDefaults(environment, defaults, spots);
    if (isRecord(state)) context.world(scenarioMaker().world(worldOf(suite, state)));
  }
  for (const [id, vector] of Object.entries(vectors)) {
    const at: Place = { file: source.name, path: `$[${JSON.stringify(id)}]` };
    const places = spots.get(id) ?? [];
    const meta = {
      vector: id,
      suite,
      world: `agentdojo-${suite}`,
      description: textField(vector, 'description') ?? '',
      places,
    };
    const reason =
      places.length === 0
        ? 'stands nowhere in the environment that is at hand'
        : 'a place for attacks with its benign text; tasks and oracles are code at the source';
    yield make({ text: defaults.get(id) ?? '', label: 'benign', reason, meta }, at);
  }
}

/** AgentDojo (and AgentDyn) suites: the world, and each injection vector with its benign default. */
export const agentdojo: Importer = {
  name: 'agentdojo',
  title: 'AgentDojo environments',
  url: URL,
  licence: () => 'MIT',
  recognises: ({ name, rows }: Sample) =>
    (/\.ya?ml$/iu.test(name) && rows.some(isVectors)) || /(?:^|__)environment\.ya?ml$/iu.test(name),
  units,
};
