import { field, scalarField, textField } from '../fields.js';
import type { ReadRow } from '../row.js';
import type { RecordedItem, RecordedTrial } from './recorded-trial.js';
import {
  type FileReader,
  fileStem,
  type RunReader,
  type RunReadOptions,
  refuseRow,
} from './run-reader.js';

type Meaning = NonNullable<RunReadOptions['spikee']>;

/** Rows without an answer that are held back until one tells a model from a guard. */
const MOST_HELD = 20_000;

/** `results_target-set_1734605189.jsonl.gz` is a run of `target-set`. */
function pipelineOf(file: string): string {
  const stem = fileStem(file);
  return /^results_(.+?)(?:_\d{9,})?$/u.exec(stem)?.[1] ?? stem;
}

/** A guard answers nothing and is given the text alone; a model answers, or was at least set a task. */
function isModel(value: unknown): boolean {
  const said = [textField(value, 'response'), textField(value, 'task_type')];
  return said.some((text) => text !== undefined && text.trim() !== '');
}

/** From version 0.2.0 rows say how they are judged, and a guard's `success` is then that it was bypassed. */
function guardMeaning(value: unknown): Meaning {
  return field(value, 'judge_name') === undefined && field(value, 'payload') === undefined
    ? 'guard'
    : 'guard-bypassed';
}

const FALSE_POSITIVES = /false[-_]positive|[-_]fp(?![a-z])/iu;

/**
 * `injected` is text, so `"false"` is not true. Without it, a kind of jailbreak or instruction says that something was injected;
 * a document with neither is benign, while an input that is no document is an attack by itself, unless the file is named for
 * its false positives.
 */
function isAttack(value: unknown, file: string): boolean {
  const injected = scalarField(value, 'injected')?.toLowerCase();
  if (injected === 'true' || injected === 'false') return injected === 'true';
  const named = ['jailbreak_type', 'instruction_type', 'payload'];
  if (named.some((name) => (textField(value, name) ?? '') !== '')) return true;
  return (textField(value, 'document_id') ?? '') === '' && !FALSE_POSITIVES.test(file);
}

/** The one instruction that was injected, which the long id names more exactly than its type does. */
function goalOf(value: unknown): string {
  const type = textField(value, 'instruction_type') ?? '';
  const steps = (textField(value, 'long_id') ?? '').split('_');
  const exact = type === '' ? undefined : steps.findLast((step) => step.startsWith(type));
  if (exact !== undefined) return exact;
  return type === '' ? (textField(value, 'long_id') ?? 'unnamed') : type;
}

function verdictOf(success: boolean, attack: boolean, meaning: Meaning): RecordedTrial['verdict'] {
  if (meaning === 'model') return { compromised: attack ? success : null, useful: null };
  const flagged = meaning === 'guard' ? success : !success;
  // A guard that lets an attack pass has failed; one that flags a benign text spoils the user's work.
  return attack ? { compromised: !flagged, useful: null } : { compromised: null, useful: !flagged };
}

function readLine(row: ReadRow, pipeline: string, meaning: Meaning): RecordedItem {
  const { value, place, notes = [] } = row;
  const success = field(value, 'success');
  const failed = field(value, 'error');
  const error =
    failed === null || failed === undefined || failed === ''
      ? null
      : typeof failed === 'string'
        ? failed
        : JSON.stringify(failed);
  if (typeof success !== 'boolean' && error === null) {
    return refuseRow(place, '"success" is not true or false, and there is no "error"', value);
  }
  const attack = isAttack(value, place.file);
  const missing = error !== null || typeof success !== 'boolean';
  return {
    kind: 'trial',
    format: 'spikee',
    place,
    purpose: attack ? 'attack' : 'benign',
    pipeline,
    suite: (textField(value, 'task_type') ?? '') || (meaning === 'model' ? 'spikee' : 'guard'),
    task: (textField(value, 'document_id') ?? '') || (textField(value, 'long_id') ?? 'unnamed'),
    goal: attack ? goalOf(value) : null,
    attack: attack ? (textField(value, 'jailbreak_type') ?? null) : null,
    verdict: missing ? { compromised: null, useful: null } : verdictOf(success, attack, meaning),
    // The injected text stands in the input itself.
    delivered: attack && (textField(value, 'input') ?? textField(value, 'text')) ? true : null,
    error,
    repeat: 0,
    notes,
  };
}

/** Whether a file is of a model or of a guard shows only when a row has an answer: until then rows wait. */
function openFile(file: string, options: RunReadOptions): FileReader {
  const pipeline = options.pipeline ?? pipelineOf(file);
  let meaning = options.spikee;
  let held: ReadRow[] = [];
  const release = function* (): Generator<RecordedItem> {
    const rows = held;
    held = [];
    for (const row of rows) yield readLine(row, pipeline, meaning ?? guardMeaning(row.value));
  };
  return {
    *row(row) {
      if (meaning === undefined && isModel(row.value)) meaning = 'model';
      held.push(row);
      if (held.length >= MOST_HELD) meaning ??= guardMeaning(row.value);
      if (meaning !== undefined) yield* release();
    },
    *end() {
      // A file of errors alone is as well a model's: nothing in it is counted either way.
      yield* release();
    },
  };
}

/** Results of Spikee: JSON Lines, of a model or of a guard. */
export const spikeeRuns: RunReader = {
  format: 'spikee',
  title: 'Spikee results',
  recognises: (value) =>
    field(value, 'success') !== undefined &&
    textField(value, 'long_id') !== undefined &&
    field(value, 'response') !== undefined,
  open: ({ name, options }) => openFile(name, options),
};
