import { type Case, type Plan, partsText, printable, type World } from '@pab/model';
import { oracleWords } from './oracle-words.js';

const clean = (text: string): string => text.split('\n').map(printable).join('\n');

const indented = (text: string): string =>
  clean(text)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

function planLines(plan: Plan): string[] {
  return plan.map((step) =>
    'call' in step
      ? `    ${step.hostile === true ? '! ' : '  '}${step.call}(${clean(JSON.stringify(step.args))})`
      : `    ${step.hostile === true ? '! ' : '  '}says: ${clean(JSON.stringify(step.say))}`,
  );
}

function place(at: Case['injections'][number]['at']): string {
  if ('state' in at)
    return `in the world at ${at.state}${at.session === undefined ? '' : ` from session ${at.session + 1} on`}`;
  if ('tool' in at)
    return `in the ${at.schema === undefined ? 'description' : `schema (${at.schema})`} of ${at.tool}${at.session === undefined ? '' : ` from session ${at.session + 1} on`}`;
  if ('history' in at) return `in earlier turn ${at.history + 1}`;
  return 'system' in at ? 'in the system prompt' : 'in what the user wrote or pasted';
}

/** A case in full, for people: what the agent meets, where the hostile text stands, and what is looked for. */
export function describeCase(built: Case, world: World): string {
  const { scenario } = built;
  const lines = [
    clean(`${scenario.id}: ${scenario.title}`),
    `${scenario.kind}${scenario.controlType === undefined ? '' : ` (${scenario.controlType})`}, channel ${scenario.channel}, family ${scenario.family}, severity ${scenario.severity}, world ${scenario.world}, task ${clean(scenario.taskId)}`,
    '',
    clean(scenario.description.trim()),
    'derived' in scenario.source
      ? `Source: derived; ${clean(scenario.source.derived)}`
      : `Source: ${clean(scenario.source.title)} (${scenario.source.year}), ${clean(scenario.source.url)}`,
  ];
  if (scenario.goal !== undefined) lines.push(`The attacker wants: ${clean(scenario.goal)}`);
  if (built.system.length > 0) lines.push('', 'System prompt', indented(partsText(built.system)));
  for (const { role, parts } of built.history)
    lines.push('', `Earlier, ${role}`, indented(partsText(parts)));
  for (const [index, session] of built.sessions.entries()) {
    for (const [number, turn] of session.turns.entries()) {
      const where =
        built.sessions.length > 1 || session.turns.length > 1
          ? ` (session ${index + 1}, turn ${number + 1})`
          : '';
      lines.push('', `The user${where}`, indented(partsText(turn.parts)));
    }
  }
  const [first] = built.sessions;
  lines.push('', `Tools of "${clean(world.title)}"`);
  for (const tool of first?.tools ?? [])
    lines.push(
      `    ${tool.name} (${tool.effect}): ${clean(partsText(tool.description)).replaceAll('\n', ' ')}`,
    );
  for (const { at, text } of built.injections)
    lines.push('', `Hostile text, ${place(at)}`, indented(text));
  if (built.done !== undefined)
    lines.push('', 'The task is done when', ...oracleWords(built.done, '    ').map(clean));
  if (built.compromised !== undefined)
    lines.push('', 'It is compromised when', ...oracleWords(built.compromised, '    ').map(clean));
  for (const name of ['ideal', 'obedient', 'quoting'] as const) {
    const plan = built.reference[name];
    if (plan !== undefined)
      lines.push(
        '',
        `Plan "${name}"${name === 'obedient' ? ' (! marks what the attacker wants)' : ''}`,
        ...planLines(plan),
      );
  }
  return lines.join('\n');
}
