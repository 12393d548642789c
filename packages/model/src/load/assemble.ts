import { isObject } from '../json.js';
import { Scenario, ScenarioFields } from '../schema/scenario.js';
import { World } from '../schema/world.js';
import { checkScenario } from './check-scenario.js';
import { checkWorld, type Report } from './check-world.js';
import { type Document, problemAt } from './document.js';
import { problemsOf } from './issues.js';
import type { Path, Problem } from './problem.js';

/** What a load gave. With problems, `scenarios` and `worlds` hold what was sound. */
export interface Loaded {
  readonly scenarios: readonly Scenario[];
  readonly worlds: ReadonlyMap<string, World>;
  readonly problems: readonly Problem[];
}

/** A value of a document: the whole of it, or what stands at a path. */
export interface Entry {
  readonly document: Document;
  readonly at: Path;
  readonly value: unknown;
}

const SCENARIO_KEYS = Object.keys(ScenarioFields);
const WORLD_KEYS = Object.keys(World.shape);

/**
 * Tells of each key `__proto__` in a value whose shape was found good. The schemas drop it from maps of any keys, so that
 * what its author wrote there would be missing without a word. The path is one list, which changes meanwhile.
 */
function eachPrototypeKey(
  value: unknown,
  visit: (path: Path) => void,
  path: (string | number)[] = [],
  seen = new Set<object>(),
): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [key, inner] of Object.entries(value)) {
    path.push(key);
    if (key === '__proto__') visit([...path]);
    else eachPrototypeKey(inner, visit, path, seen);
    path.pop();
  }
}

/** Whether an entry has no key that would be dropped; reports each that it has. */
function keepsAll(entry: Entry, problems: Problem[]): boolean {
  const before = problems.length;
  eachPrototypeKey(entry.value, (path) => {
    const message = '"__proto__" cannot be a key; give it another name';
    problems.push(problemAt(entry.document, [...entry.at, ...path], message, 'key'));
  });
  return problems.length === before;
}

function withPrefix(entry: Entry, problems: Problem[]): Report {
  return (path, message) => {
    problems.push(problemAt(entry.document, [...entry.at, ...path], message));
  };
}

/**
 * Parses and checks worlds and scenarios together, and reports every problem of every file, not only the first.
 *
 * @param known worlds from elsewhere that scenarios may name
 */
export function assemble(
  worldEntries: readonly Entry[],
  scenarioEntries: readonly Entry[],
  known: ReadonlyMap<string, World> = new Map(),
): Loaded {
  const problems: Problem[] = [];
  const worlds = new Map(known);
  const own = new Set<string>();
  for (const entry of worldEntries) {
    const parsed = World.safeParse(entry.value);
    if (!parsed.success) {
      problems.push(
        ...problemsOf(parsed.error, entry.document, { at: entry.at, known: WORLD_KEYS }),
      );
      continue;
    }
    if (!keepsAll(entry, problems)) continue;
    if (own.has(parsed.data.id)) {
      withPrefix(entry, problems)(['id'], `there is already a world "${parsed.data.id}"`);
      continue;
    }
    own.add(parsed.data.id);
    worlds.set(parsed.data.id, parsed.data);
    checkWorld(parsed.data, withPrefix(entry, problems));
  }
  const scenarios: Scenario[] = [];
  const matched: { readonly entry: Entry; readonly id: string }[] = [];
  const seen = new Map<string, Entry>();
  for (const entry of scenarioEntries) {
    const report = withPrefix(entry, problems);
    const parsed = Scenario.safeParse(entry.value);
    if (!parsed.success) {
      problems.push(
        ...problemsOf(parsed.error, entry.document, { at: entry.at, known: SCENARIO_KEYS }),
      );
      continue;
    }
    if (!keepsAll(entry, problems)) continue;
    const scenario = parsed.data;
    const first = seen.get(scenario.id);
    if (first !== undefined) {
      const { line } = first.document.locate([...first.at, 'id']);
      report(
        ['id'],
        `"${scenario.id}" is already the id of the scenario at ${first.document.file}:${line}; ids are unique and stable`,
      );
      continue;
    }
    seen.set(scenario.id, entry);
    checkScenario(scenario, worlds.get(scenario.world), report);
    scenarios.push(scenario);
    if (scenario.matches !== undefined) matched.push({ entry, id: scenario.matches });
  }
  for (const { entry, id } of matched) {
    if (!seen.has(id)) withPrefix(entry, problems)(['matches'], `there is no scenario "${id}"`);
  }
  return { scenarios, worlds, problems };
}

/** Whether a value looks like a world rather than a scenario. */
export function looksLikeWorld(value: unknown): boolean {
  return isObject(value) && 'state' in value && 'tools' in value && !('task' in value);
}
