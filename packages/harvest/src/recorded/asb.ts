import { textField } from '../fields.js';
import { parsePythonLiteral } from '../readers/python-literal.js';
import type { ReadRow } from '../row.js';
import { messagesOf } from './messages.js';
import type { RecordedItem } from './recorded-trial.js';
import { fileStem, type RunReader, refuseRow } from './run-reader.js';

/** `attack__model__memory__template-tools` is how the source names its logs. */
function namesOf(file: string, pipeline: string | undefined): { suite: string; pipeline: string } {
  const [attack, model, , template] = fileStem(file).split('__');
  if (model === undefined || attack === undefined) {
    return { suite: 'asb', pipeline: pipeline ?? fileStem(file) };
  }
  const kind = template === undefined ? '' : `/${template.replace(/-.*$/u, '')}`;
  return { suite: `${attack}${kind}`, pipeline: pipeline ?? model };
}

function flag(value: unknown, name: string): boolean | null | undefined {
  const text = textField(value, name)?.trim();
  if (text === '1' || text === 'True') return true;
  if (text === '0' || text === 'False') return false;
  return text === undefined || text === '' || text === 'N/A' ? null : undefined;
}

function readLine(row: ReadRow, names: { suite: string; pipeline: string }): RecordedItem {
  const { value, place } = row;
  const compromised = flag(value, 'Attack Successful');
  const useful = flag(value, 'Original Task Successful');
  const agent = textField(value, 'Agent Name');
  if (agent === undefined) return refuseRow(place, 'expected "Agent Name"', value);
  if (compromised === undefined || useful === undefined) {
    return refuseRow(place, '"Attack Successful" and the like are 0 or 1', value);
  }
  const tool = textField(value, 'Attack Tool') ?? '';
  const benign = tool === '' || tool === 'N/A';
  const task = agent.replace(/^.*\//u, '');
  const notes = [...(row.notes ?? [])];
  const literal = parsePythonLiteral(textField(value, 'messages') ?? '[]');
  const list: readonly unknown[] = literal.ok && Array.isArray(literal.value) ? literal.value : [];
  if (!literal.ok) notes.push(`messages are no Python literal: ${literal.reason}`);
  const noVerdict = compromised === null && useful === null;
  return {
    kind: 'trial',
    format: 'asb',
    place,
    purpose: benign ? 'benign' : 'attack',
    ...names,
    task,
    goal: benign ? null : `${task}/${tool}`,
    attack: benign ? null : names.suite,
    verdict: { compromised: benign ? null : compromised, useful },
    // The log has no injected text of its own to look for.
    delivered: null,
    error: noVerdict ? 'the row has no verdict' : null,
    repeat: 0,
    notes,
    ...(list.length === 0 ? {} : { messages: () => messagesOf(list) }),
  };
}

/** A log of Agent Security Bench: CSV, with the conversation as a Python literal. */
export const asbRuns: RunReader = {
  format: 'asb',
  title: 'an ASB log',
  recognises: (value) =>
    textField(value, 'Agent Name') !== undefined &&
    textField(value, 'Attack Successful') !== undefined,
  open: ({ name, options }) => {
    const names = namesOf(name, options.pipeline);
    return { row: (row) => [readLine(row, names)] };
  },
};
