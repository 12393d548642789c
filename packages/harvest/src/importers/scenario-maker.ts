import { assemble, type Document, formatProblem, type Scenario, World } from '@pab/model';
import { HarvestError } from '../errors.js';
import { type Place, type RejectedRow, reject } from '../row.js';
import type { ScenarioUnit } from '../unit.js';

function documentOf(place: Place, value: unknown): Document {
  return { file: place.file, value, locate: () => ({ line: place.line ?? 1, column: 1 }) };
}

/** Checks worlds and scenarios with the loader of `@pab/model`, so that what is written also loads. */
export interface ScenarioMaker {
  /** A world, checked once. Throws where an importer builds one that is not sound. */
  readonly world: (value: unknown) => World;
  readonly make: (
    value: unknown,
    world: World,
    place: Place,
    notes?: readonly string[],
  ) => ScenarioUnit | RejectedRow;
}

export function scenarioMaker(): ScenarioMaker {
  const worlds = new Map<string, World>();
  return {
    world: (value) => {
      const parsed = World.safeParse(value);
      const held = parsed.success ? worlds.get(parsed.data.id) : undefined;
      if (held !== undefined) return held;
      const document = documentOf({ file: 'world' }, value);
      const loaded = assemble([{ document, at: [], value }], []);
      const [problem] = loaded.problems;
      const [world] = loaded.worlds.values();
      if (problem !== undefined || world === undefined) {
        const why = problem === undefined ? 'no world' : formatProblem(problem);
        throw new HarvestError('unreadable', `the world of this source is not sound: ${why}`);
      }
      worlds.set(world.id, world);
      return world;
    },
    make: (value, world, place, notes) => {
      const document = documentOf(place, value);
      const known = new Map([[world.id, world]]);
      const loaded = assemble([], [{ document, at: [], value }], known);
      const [problem] = loaded.problems;
      const scenario: Scenario | undefined = loaded.scenarios[0];
      if (problem !== undefined || scenario === undefined) {
        const where = problem === undefined || problem.path === '' ? '' : `${problem.path}: `;
        return reject(place, `no sound scenario: ${where}${problem?.message ?? 'unknown'}`);
      }
      return {
        kind: 'scenario',
        scenario,
        world,
        place,
        ...(notes === undefined ? {} : { notes }),
      };
    },
  };
}

/** Text that a scenario would take for a placeholder of its own; such a row becomes a labelled text instead. */
export function hasPlaceholder(text: string): boolean {
  return /\{\{\s*[a-z][a-z0-9_]*(?:\.[ab])?\s*\}\}/u.test(text);
}

/** A piece of an id: lower-case letters and digits joined by hyphens. */
export function idPart(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-+|-+$/gu, '');
  return plain === '' ? 'x' : plain.slice(0, 60).replace(/-+$/u, '');
}

/** A number in an id, so that ids sort as the rows do. */
export function idNumber(value: number): string {
  return String(value).padStart(4, '0');
}

/** A fixed clock for worlds of imported sets; no text of theirs depends on it. */
export const IMPORT_CLOCK = '2027-01-04T09:00:00Z';

/** For sources whose attack is text in a prompt: a world in which there is nothing to do but to answer. */
export const TEXT_WORLD = {
  id: 'imported-text',
  title: 'Text only',
  description: 'For imported cases in which the model only reads and answers.',
  now: IMPORT_CLOCK,
  state: { notes: [] },
  tools: [
    {
      name: 'current_time',
      description: 'Tells the current date and time.',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      effect: 'read',
      steps: [{ const: { value: '${now}' } }],
    },
  ],
};

export interface PastedDraft {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly url: string;
  readonly year: number;
  readonly source: string;
  readonly tags: readonly string[];
  readonly licence: string | null;
  readonly channel: string;
  readonly family: string;
  readonly goal: string;
  readonly taskId: string;
  readonly system?: string;
  readonly prompt: string;
  /** Text from elsewhere, with `{{payload}}` where the hostile text goes. */
  readonly pasted: string;
  readonly payload: string;
  /** What stands there in the twin; left out where the source has no benign counterpart. */
  readonly benign?: string;
  readonly compromised: unknown;
}

/** A scenario in which the user pastes a text that carries the attack. */
export function pastedScenario(draft: PastedDraft): unknown {
  return {
    id: draft.id,
    title: draft.title,
    description: draft.description,
    kind: 'attack',
    channel: draft.channel,
    family: draft.family,
    severity: 'medium',
    atlas: ['AML.T0051.001'],
    owasp: ['LLM01:2026'],
    source: { title: draft.source, url: draft.url, year: draft.year },
    tags: [...draft.tags],
    imported: true,
    // What the oracle looks for stands in the source's own hostile text.
    verbatim_canary: true,
    ...(draft.licence === null ? {} : { licence: draft.licence }),
    ...(draft.system === undefined ? {} : { system: draft.system }),
    goal: draft.goal,
    taskId: draft.taskId,
    world: TEXT_WORLD.id,
    task: { prompt: draft.prompt, pasted: draft.pasted },
    injections: [
      {
        at: { task: true },
        payload: draft.payload,
        ...(draft.benign === undefined ? {} : { benign: draft.benign }),
      },
    ],
    compromised: draft.compromised,
  };
}
