import type { Case } from '../case.js';
import { ModelError } from '../errors.js';
import { fold } from '../fold.js';
import { buildWorld } from '../instantiate/build-world.js';
import { PLACEHOLDER } from '../instantiate/fill-vars.js';
import { instantiate } from '../instantiate/instantiate.js';
import { eachString } from '../json.js';
import { didYouMean } from '../nearest.js';
import { getAt } from '../pointer.js';
import type { Oracle } from '../schema/oracle.js';
import type { InjectionPoint, PlanStep, Scenario } from '../schema/scenario.js';
import type { World } from '../schema/world.js';
import { checkOracle, eachOracle, textsOf } from './check-oracle.js';
import type { Report } from './check-world.js';
import type { Path } from './problem.js';

function checkKind(scenario: Scenario, report: Report): void {
  const own = !scenario.imported;
  const need = (held: unknown, path: Path, message: string): void => {
    if (held === undefined) report(path, message);
  };
  if (scenario.kind === 'attack') {
    need(scenario.goal, ['goal'], 'is missing; say what the attacker wants, in one imperative');
    need(scenario.compromised, ['compromised'], 'is missing; an attack needs a security oracle');
    if (scenario.injections.length === 0)
      report(['injections'], 'an attack needs at least one injection');
    if (scenario.controlType !== undefined) report(['controlType'], 'belongs to controls only');
    if (own) {
      need(
        scenario.reference.obedient,
        ['reference'],
        'has no plan "obedient"; the self-test replays it',
      );
      for (const [index, { benign }] of scenario.injections.entries()) {
        need(
          benign,
          ['injections', index],
          'has no "benign"; the twin needs to know what stands there',
        );
      }
    }
  } else {
    need(
      scenario.controlType,
      ['controlType'],
      'is missing; a control is benign, hard_benign, near_miss or fidelity',
    );
    if (scenario.compromised !== undefined)
      report(['compromised'], 'a control has no security oracle');
    if (scenario.injections.length > 0)
      report(['injections'], 'a control has no injections; put its text into "environment"');
    if (scenario.family !== 'control') report(['family'], 'the family of a control is "control"');
  }
  if (own) {
    need(scenario.task.done, ['task'], 'has no "done"; say how the task is known to be done');
    need(scenario.reference.ideal, ['reference'], 'has no plan "ideal"; the self-test replays it');
  }
  if ((scenario.task.prompt === undefined) === (scenario.sessions === undefined)) {
    report(['task'], 'needs either task.prompt (one turn) or sessions, not both');
  }
}

/** Calls `visit` with every placeholder in a value and its place. The place is made up only where one stands: few texts have any. */
function eachPlaceholder(
  value: unknown,
  visit: (name: string, part: string | undefined, path: Path) => void,
  path: (string | number)[] = [],
): void {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return;
    for (const match of value.matchAll(PLACEHOLDER)) {
      const [name = '', part] = (match[1] ?? '').split('.');
      visit(name, part, [...path]);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      path.push(/^\d+$/.test(key) ? Number(key) : key);
      eachPlaceholder(item, visit, path);
      path.pop();
    }
  }
}

function checkVars(scenario: Scenario, report: Report): void {
  const declared = Object.keys(scenario.vars);
  const used = new Set<string>();
  const { vars: _vars, ...texts } = scenario;
  eachPlaceholder(texts, (name, part, path) => {
    used.add(name);
    if (name === 'payload' && part === undefined) return;
    const spec = scenario.vars[name];
    if (spec === undefined)
      report(path, `{{${name}}} is not declared under "vars".${didYouMean(name, declared)}`);
    else if (part !== undefined && spec.kind !== 'joined_code') {
      report(path, `{{${name}.${part}}}: only a joined_code has parts`);
    }
  });
  for (const name of declared) {
    if (name === 'payload')
      report(['vars', name], '"payload" marks where an injection goes; choose another name');
    else if (!used.has(name)) report(['vars', name], `"${name}" is declared and never used`);
  }
}

function checkPlan(
  plan: readonly PlanStep[],
  turns: number,
  tools: readonly string[],
  path: Path,
  report: Report,
): void {
  let says = 0;
  for (const [index, step] of plan.entries()) {
    if ('say' in step) {
      says += 1;
      for (const fact of step.essential ?? []) {
        if (!fold(step.say).includes(fold(fact))) {
          report(
            [...path, index, 'essential'],
            `${JSON.stringify(fact)} does not stand in the answer`,
          );
        }
      }
      continue;
    }
    if (!tools.includes(step.call)) {
      report(
        [...path, index, 'call'],
        `calls "${step.call}", which this scenario does not offer.${didYouMean(step.call, tools)}`,
      );
    }
    for (const name of step.essential ?? []) {
      if (!Object.hasOwn(step.args, name)) {
        report(
          [...path, index, 'essential'],
          `names the argument "${name}", which the call does not give`,
        );
      }
    }
  }
  if (says !== turns || !('say' in (plan.at(-1) ?? {}))) {
    report(path, `has ${says} "say" step(s) for ${turns} turn(s); each turn ends with one`);
  }
}

function checkPoint(
  at: InjectionPoint,
  { sessions, history, system }: Scenario,
  tools: readonly string[],
  report: (message: string) => void,
): void {
  const turns = sessions?.map((session) => session.turns.length) ?? [1];
  const session = 'session' in at ? (at.session ?? 0) : 0;
  const here = turns[session];
  if (here === undefined) {
    report(`names session ${session}; there are ${turns.length}, counted from 0`);
  } else if ('tool' in at) {
    if (!tools.includes(at.tool))
      report(
        `names the tool "${at.tool}", which this scenario does not offer.${didYouMean(at.tool, tools)}`,
      );
  } else if ('history' in at && at.history >= history.length) {
    report(`names earlier turn ${at.history}; there are ${history.length}, counted from 0`);
  } else if ('task' in at && (at.turn ?? 0) >= here) {
    report(`names turn ${at.turn ?? 0}; the session has ${here}, counted from 0`);
  } else if ('system' in at && system === undefined) {
    report('is in the system prompt, and the scenario has none');
  }
}

/** Every text that an agent could meet in a case: what a quote could be made of. */
export function visibleTexts(built: Case): string[] {
  const texts: string[] = [];
  const parts = [
    ...built.system,
    ...built.history.flatMap((turn) => turn.parts),
    ...built.sessions.flatMap((session) => session.turns.flatMap((turn) => turn.parts)),
    ...built.sessions.flatMap((session) => session.tools.flatMap((tool) => tool.description)),
  ];
  for (const { text } of parts) texts.push(text);
  eachString(built.world.state, (text) => texts.push(text));
  for (const { text } of built.injections) texts.push(text);
  for (const { tools, set } of built.sessions) {
    eachString(
      tools.map((tool) => tool.parameters),
      (text) => texts.push(text),
    );
    eachString(set, (text) => texts.push(text));
  }
  return texts;
}

/** Texts that `says` in a security oracle looks for. */
function saidTokens(oracle: Oracle | undefined): { readonly token: string; readonly path: Path }[] {
  const wanted: { token: string; path: Path }[] = [];
  if (oracle === undefined) return wanted;
  eachOracle(oracle, (leaf, path) => {
    if (!('says' in leaf)) return;
    for (const token of textsOf(leaf.says)) wanted.push({ token, path });
  });
  return wanted;
}

/** Texts that `says` in the security oracle looks for and that a quote of the scenario would already contain. */
export function quotableTokens(built: Case): { readonly token: string; readonly path: Path }[] {
  const wanted = saidTokens(built.compromised);
  if (wanted.length === 0) return [];
  const folded = fold(visibleTexts(built).join('\n'));
  return wanted.filter(({ token }) => fold(token) !== '' && folded.includes(fold(token)));
}

/**
 * What the schema cannot say of a scenario: fields that belong together, names that exist, places that are there, and that no
 * token of the security oracle can be quoted from the scenario itself. Reports everything it finds.
 */
export function checkScenario(scenario: Scenario, world: World | undefined, report: Report): void {
  checkKind(scenario, report);
  checkVars(scenario, report);
  if (world === undefined) {
    report(['world'], `there is no world "${scenario.world}"`);
    return;
  }
  const names = world.tools.map(({ name }) => name);
  for (const [index, name] of (scenario.environment.tools ?? []).entries()) {
    if (!names.includes(name))
      report(
        ['environment', 'tools', index],
        `the world has no tool "${name}".${didYouMean(name, names)}`,
      );
  }
  const tools = names.filter((name) => scenario.environment.tools?.includes(name) ?? true);
  for (const [index, name] of (scenario.policy?.tools ?? []).entries()) {
    if (!tools.includes(name))
      report(
        ['policy', 'tools', index],
        `this scenario does not offer "${name}".${didYouMean(name, tools)}`,
      );
  }
  if (scenario.task.done !== undefined)
    checkOracle(scenario.task.done, tools, ['task', 'done'], report);
  if (scenario.compromised !== undefined)
    checkOracle(scenario.compromised, tools, ['compromised'], report);
  const turns = scenario.sessions?.reduce((sum, session) => sum + session.turns.length, 0) ?? 1;
  for (const name of ['ideal', 'obedient', 'quoting'] as const) {
    const plan = scenario.reference[name];
    if (plan !== undefined) checkPlan(plan, turns, tools, ['reference', name], report);
  }
  try {
    // No place depends on a value, so the placeholders may stand.
    const injections = scenario.injections.map(({ at, payload }) => ({ at, text: payload }));
    buildWorld(scenario, world, injections);
  } catch (error) {
    if (!ModelError.is(error)) throw error;
    report(['environment'], error.message);
    return;
  }
  for (const [index, { at }] of scenario.injections.entries()) {
    checkPoint(at, scenario, tools, (message) => report(['injections', index, 'at'], message));
    if ('tool' in at && at.schema !== undefined) {
      const tool = world.tools.find(({ name }) => name === at.tool);
      if (tool !== undefined && getAt(tool.parameters, at.schema) === undefined) {
        report(
          ['injections', index, 'at', 'schema'],
          `there is nothing at ${at.schema} in the parameters of ${at.tool}`,
        );
      }
    }
  }
  if (scenario.verbatim_canary === true || saidTokens(scenario.compromised).length === 0) return;
  const built = instantiate(scenario, world, { seed: 0, trial: 0 });
  for (const { token, path } of quotableTokens(built)) {
    report(
      ['compromised', ...path],
      `looks for ${JSON.stringify(token)}, which stands in the scenario's own text, so a quote would count as success; use a joined_code and look for the whole, or mark an imported scenario verbatim_canary`,
    );
  }
}
