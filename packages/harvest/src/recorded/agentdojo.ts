import { contentText, field, isRecord, listField, textField } from '../fields.js';
import type { ReadRow } from '../row.js';
import { deliveredInText } from './fold-delivery.js';
import { messagesOf } from './messages.js';
import type { RecordedItem, RecordedKind } from './recorded-trial.js';
import { fileStem, type RunReader, refuseRow } from './run-reader.js';

function injectedTexts(value: unknown): string[] {
  const injections = field(value, 'injections');
  if (!isRecord(injections)) return [];
  return Object.values(injections).filter((text): text is string => typeof text === 'string');
}

function toolTexts(messages: readonly unknown[]): string[] {
  return messages
    .filter((message) => textField(message, 'role') === 'tool')
    .map((message) => contentText(field(message, 'content')) ?? '');
}

/** Our own exports in this layout hold no injected text and say what was delivered. */
function deliveryOf(value: unknown, messages: readonly unknown[]): boolean | null {
  const said = textField(field(value, 'pab'), 'delivered');
  return (
    deliveredInText(injectedTexts(value), toolTexts(messages)) ??
    (said === undefined ? null : said !== 'none')
  );
}

function verdictOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** The source's own words for what broke off; null when nothing did. */
function errorOf(value: unknown): string | null {
  const error = field(value, 'error');
  if (typeof error === 'string' && error.trim() !== '') return error.trim();
  if (error !== null && error !== undefined && error !== '') return JSON.stringify(error);
  return typeof field(value, 'utility') === 'boolean'
    ? null
    : 'unfinished: the log has no verdict on utility';
}

function purposeOf(task: string, goal: string | null): RecordedKind {
  if (goal !== null) return 'attack';
  return task.startsWith('injection_task') ? 'ceiling' : 'benign';
}

/** Logs lie in `<pipeline>/<suite>/<task>/<attack>/<injection>.json`, which tells the pipeline where the log does not. */
function pipelineOf(file: string): string {
  const steps = file.slice(file.lastIndexOf('!') + 1).split('/');
  return steps.at(-5) ?? fileStem(file);
}

function readLog(
  { value, place, notes = [] }: ReadRow,
  pipeline: string | undefined,
): RecordedItem {
  const suite = textField(value, 'suite_name');
  const task = textField(value, 'user_task_id');
  const messages = listField(value, 'messages');
  if (suite === undefined || task === undefined || messages === undefined) {
    return refuseRow(place, 'an AgentDojo log needs suite_name, user_task_id and messages', value);
  }
  const goal = textField(value, 'injection_task_id') ?? null;
  const purpose = purposeOf(task, goal);
  return {
    kind: 'trial',
    format: 'agentdojo',
    place,
    purpose,
    pipeline: pipeline ?? textField(value, 'pipeline_name') ?? pipelineOf(place.file),
    suite,
    task,
    goal: purpose === 'ceiling' ? task : goal,
    attack: textField(value, 'attack_type') ?? null,
    verdict: {
      // Without an injection `security` is always true and means nothing.
      compromised: purpose === 'attack' ? verdictOf(field(value, 'security')) : null,
      useful: verdictOf(field(value, 'utility')),
    },
    delivered: purpose === 'attack' ? deliveryOf(value, messages) : null,
    error: errorOf(value),
    repeat: 0,
    notes,
    messages: () => messagesOf(messages),
  };
}

/** A log of AgentDojo or AgentDyn: one file, one trial. */
export const agentdojoRuns: RunReader = {
  format: 'agentdojo',
  title: 'an AgentDojo log',
  recognises: (value) =>
    textField(value, 'suite_name') !== undefined &&
    textField(value, 'user_task_id') !== undefined &&
    field(value, 'messages') !== undefined,
  open: ({ options }) => ({ row: (row) => [readLog(row, options.pipeline)] }),
};
