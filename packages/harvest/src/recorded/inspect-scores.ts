import { field, isRecord } from '../fields.js';

export interface InspectVerdict {
  readonly compromised: boolean | null;
  readonly useful: boolean | null;
  readonly notes: readonly string[];
}

const COMPROMISED =
  /^(?:compromised|attack_?success(?:ful)?|injection_?success(?:ful)?|attacked|hijacked|asr)$/iu;
const RESISTED = /^(?:resisted|robust(?:ness)?|defen[cs]e_?success)$/iu;
const SECURITY = /^security$/iu;
const USEFUL = /^(?:utility|useful|completed|done)$/iu;

/** `C`, true and 1 are yes; `I`, false and 0 are no; partial, missing and graded values are neither. */
function decided(value: unknown): boolean | null {
  if (value === 'C' || value === true || value === 1) return true;
  if (value === 'I' || value === false || value === 0) return false;
  return null;
}

/** Every single score: `scorer` and, where a scorer gives several values, their own names. */
function flatten(scores: unknown): [name: string, value: unknown][] {
  if (!isRecord(scores)) return [];
  return Object.entries(scores).flatMap(([scorer, score]): [string, unknown][] => {
    const value = isRecord(score) && 'value' in score ? field(score, 'value') : score;
    return isRecord(value) ? Object.entries(value) : [[scorer, value]];
  });
}

/**
 * What the scorers of an Inspect log say of an attack and of the task. A score named `security` means that the attack succeeded in
 * AgentDojo's scorer and that it was resisted in others, so it counts only where the task says which.
 */
export function inspectVerdict(scores: unknown, task: string): InspectVerdict {
  let compromised: boolean | null = null;
  let useful: boolean | null = null;
  const notes: string[] = [];
  const others: (boolean | null)[] = [];
  for (const [name, value] of flatten(scores)) {
    const says = decided(value);
    const opposite = says === null ? null : !says;
    if (COMPROMISED.test(name)) compromised ??= says;
    else if (RESISTED.test(name)) compromised ??= opposite;
    else if (SECURITY.test(name)) {
      if (/agentdojo|agentdyn/iu.test(task)) compromised ??= says;
      else if (/agent_?threat_?bench/iu.test(task)) compromised ??= opposite;
      else notes.push('a score named "security" has no settled meaning and is left out');
    } else if (USEFUL.test(name)) useful ??= says;
    else others.push(says);
    if (says === null) notes.push(`the score "${name}" is neither yes nor no`);
  }
  // A log of plain tasks has scorers of any name; the first one says whether the task was done.
  const first = others.length > 0 && compromised === null ? (others[0] ?? null) : null;
  return { compromised, useful: useful ?? first, notes };
}
