import type { Case, CaseInjection, CaseSession, CaseText, CaseTurn, Variant } from '../case.js';
import { ModelError } from '../errors.js';
import { fold } from '../fold.js';
import { eachString } from '../json.js';
import type { InjectionPoint, Scenario } from '../schema/scenario.js';
import type { World } from '../schema/world.js';
import { buildWorld, injectedState, offeredTools } from './build-world.js';
import { drawVars, fillVars } from './fill-vars.js';
import { type Inserted, placeAsPart } from './place.js';

// A world's text is folded once, not once per trial; it depends on nothing but the world.
const foldedWorlds = new WeakMap<World, string>();

function foldedWorld(world: World): string {
  const held = foldedWorlds.get(world);
  if (held !== undefined) return held;
  const texts: string[] = [];
  eachString(world, (text) => texts.push(text));
  const made = fold(texts.join('\n'));
  foldedWorlds.set(world, made);
  return made;
}

function promptsOf(scenario: Scenario): string[][] {
  if (scenario.sessions !== undefined) {
    return scenario.sessions.map(({ turns }) => turns.map(({ prompt }) => prompt));
  }
  return [[scenario.task.prompt ?? '']];
}

function injectionsOf(scenario: Scenario, variant: Variant): CaseInjection[] {
  if (variant === 'control') return [];
  return scenario.injections.map(({ at, payload, benign }) => {
    if (variant === 'attack') return { at, text: payload };
    if (benign === undefined) {
      throw new ModelError(
        'invalid-options',
        `${scenario.id} has no benign text for every injection, so it has no twin`,
      );
    }
    return { at, text: benign };
  });
}

/** Which cases a scenario yields. A twin needs a benign text for every injection. */
export function variantsOf(scenario: Scenario): Variant[] {
  if (scenario.kind === 'control') return ['control'];
  const twin =
    scenario.injections.length > 0 &&
    scenario.injections.every(({ benign }) => benign !== undefined);
  return twin ? ['attack', 'twin'] : ['attack'];
}

export interface InstantiateOptions {
  readonly seed: number;
  readonly trial: number;
  /** Default: `control` for a control, `attack` otherwise. */
  readonly variant?: Variant;
}

/**
 * Fills a scenario for one trial. The values depend on (id, seed, trial) alone, so attack and twin share them, and the same seed
 * gives the same bytes on every machine (see `randomFrom`).
 *
 * @throws ModelError `invalid-scenario` when a place that the scenario names is not in the world
 */
export function instantiate(
  scenario: Scenario,
  world: World,
  { seed, trial, variant = scenario.kind === 'control' ? 'control' : 'attack' }: InstantiateOptions,
): Case {
  const values = drawVars(scenario, { seed, trial, world: foldedWorld(world) });
  const filled = fillVars(scenario, values);
  const injections = injectionsOf(filled, variant);
  const inserted = (match: (at: InjectionPoint) => boolean): Inserted | undefined => {
    const found = injections.find(({ at }) => match(at));
    if (found === undefined) return undefined;
    return { text: found.text, provenance: filled.family === 'baseline' ? 'user' : 'environment' };
  };
  const state = buildWorld(filled, world, injections);

  const system: CaseText[] =
    filled.system === undefined
      ? []
      : placeAsPart(
          { text: filled.system, provenance: 'system', source: 'system' },
          inserted((at) => 'system' in at),
        );
  const history = filled.history.map(({ role, text }, index) => ({
    role,
    parts: placeAsPart(
      { text, provenance: role === 'user' ? 'user' : 'agent', source: `history/${index}` },
      inserted((at) => 'history' in at && at.history === index),
    ),
  }));
  const sessions = promptsOf(filled).map((prompts, session): CaseSession => {
    const set: Record<string, string> = {};
    for (const { at, text } of injections) {
      if ('state' in at && at.session === session && session > 0) {
        set[at.state] = injectedState(state.state, at.state, text);
      }
    }
    return {
      turns: prompts.map((prompt, turn): CaseTurn => {
        const here = inserted(
          (at) => 'task' in at && (at.session ?? 0) === session && (at.turn ?? 0) === turn,
        );
        return turnOf(filled, prompt, session === 0 && turn === 0, here);
      }),
      tools: offeredTools(state.tools, filled, session, injections),
      set,
    };
  });

  const approves =
    filled.approves ??
    filled.reference.ideal?.flatMap((step) =>
      'call' in step ? [{ tool: step.call, args: step.args }] : [],
    );
  return {
    scenario: filled,
    seed,
    trial,
    variant,
    world: state,
    system,
    history,
    sessions,
    injections,
    policy: filled.policy,
    approves,
    done: filled.task.done,
    compromised: filled.compromised,
    reference: filled.reference,
  };
}

function turnOf(
  { task }: Scenario,
  prompt: string,
  first: boolean,
  inserted: Inserted | undefined,
): CaseTurn {
  const words: CaseText = { text: prompt, provenance: 'user', source: 'task' };
  if (!first || task.pasted === undefined) return { parts: placeAsPart(words, inserted) };
  // What was pasted is one piece of text to whoever reads it: its hostile stretch is not told apart.
  const pasted = placeAsPart(
    { text: task.pasted, provenance: 'environment', source: 'task/pasted' },
    inserted,
  )
    .map(({ text }) => text)
    .join('');
  return {
    parts: [
      { ...words, text: `${prompt}\n\n` },
      { text: pasted, provenance: 'environment', source: 'task/pasted' },
    ],
  };
}
