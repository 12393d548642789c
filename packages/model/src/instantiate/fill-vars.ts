import { fold } from '../fold.js';
import { eachString, mapStrings } from '../json.js';
import { randomFrom } from '../random.js';
import type { Scenario } from '../schema/scenario.js';
import { drawValue } from './values.js';

export const PLACEHOLDER = /\{\{\s*([a-z][a-z0-9_]*(?:\.[ab])?)\s*\}\}/g;

/** Marks where an injected text goes inside a longer one; not a placeholder of `vars`. */
export const PAYLOAD_SLOT = /\{\{\s*payload\s*\}\}/g;

const ATTEMPTS = 64;

// A scenario's text is folded once, not once per trial.
const foldedScenarios = new WeakMap<Scenario, string>();

function foldedScenario(scenario: Scenario): string {
  const held = foldedScenarios.get(scenario);
  if (held !== undefined) return held;
  const texts: string[] = [];
  eachString(scenario, (text) => texts.push(text));
  const made = fold(texts.join('\n'));
  foldedScenarios.set(scenario, made);
  return made;
}

/**
 * Values of all placeholders for one trial. Each has a stream of its own, named by scenario, seed, trial and placeholder, so
 * that adding one changes no other, and target, defense and variant change none. A value that already stands in `world` or the scenario
 * (folded), or that another placeholder has, is drawn again.
 *
 * @param world folded text of the world
 */
export function drawVars(
  scenario: Scenario,
  { seed, trial, world }: { readonly seed: number; readonly trial: number; readonly world: string },
): Map<string, string> {
  const values = new Map<string, string>();
  const names = Object.keys(scenario.vars).toSorted();
  if (names.length === 0) return values;
  const own = foldedScenario(scenario);
  const taken = new Set<string>();
  for (const name of names) {
    const spec = scenario.vars[name];
    if (spec === undefined) continue;
    const random = randomFrom(`pab-vars-1\n${scenario.id}\n${seed}\n${trial}\n${name}`);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { value, parts } = drawValue(spec, random);
      const folded = fold(value);
      const stands = spec.kind !== 'amount' && (world.includes(folded) || own.includes(folded));
      if ((stands || taken.has(folded)) && attempt + 1 < ATTEMPTS) continue;
      taken.add(folded);
      values.set(name, value);
      for (const [part, text] of Object.entries(parts ?? {})) values.set(`${name}.${part}`, text);
      break;
    }
  }
  return values;
}

/** Puts the values in every text of a value. Placeholders that are not in `values` stay as they are. */
export function fillVars<T>(value: T, values: ReadonlyMap<string, string>): T {
  if (values.size === 0) return value;
  return mapStrings(value, (text) =>
    text.includes('{{')
      ? text.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole)
      : text,
  );
}
