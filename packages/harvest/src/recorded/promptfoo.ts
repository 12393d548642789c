import { contentText, field, isRecord, listField, scalarField, textField } from '../fields.js';
import type { Place, ReadRow } from '../row.js';
import type { RecordedItem } from './recorded-trial.js';
import { type FileContext, fileStem, type RunReader, refuseRow } from './run-reader.js';

/** `failureReason` of promptfoo: a failed assertion is 1, a failed call 2. */
const CALL_FAILED = 2;

function resultsOf(value: unknown): readonly unknown[] | null {
  return listField(field(value, 'results'), 'results') ?? listField(value, 'results') ?? null;
}

function metadataOf(result: unknown, name: string): string | undefined {
  return (
    textField(field(result, 'metadata'), name) ??
    textField(field(field(result, 'testCase'), 'metadata'), name)
  );
}

function isRedTeam(result: unknown): boolean {
  const assertions = listField(field(result, 'testCase'), 'assert') ?? [];
  return (
    metadataOf(result, 'pluginId') !== undefined ||
    assertions.some((each) => (textField(each, 'type') ?? '').startsWith('promptfoo:redteam:'))
  );
}

function hasPrompt(result: unknown): boolean {
  const prompt = field(result, 'prompt');
  const raw = typeof prompt === 'string' ? prompt : (textField(prompt, 'raw') ?? '');
  return raw.trim() !== '';
}

function hasOutput(result: unknown): boolean {
  const output = field(field(result, 'response'), 'output');
  if (isRecord(output) || Array.isArray(output)) return true;
  return typeof output === 'string'
    ? output.trim() !== ''
    : output !== undefined && output !== null;
}

/**
 * Why a result is missing data. `error` alone does not tell: a failed assertion, which in a red team is an attack that
 * landed, puts its reason there too.
 */
function errorOf(result: unknown): string | null {
  if (!hasPrompt(result)) return 'the prompt is empty';
  const response = field(result, 'response');
  const called = textField(response, 'error') ?? '';
  const said = textField(result, 'error') ?? '';
  const reason = field(result, 'failureReason');
  if (reason === CALL_FAILED) return said || called || 'the call failed';
  if (called !== '') return called;
  if (!hasOutput(result)) return said || 'there is no output';
  return null;
}

function providerOf(result: unknown): string | undefined {
  const provider = field(result, 'provider');
  if (typeof provider === 'string') return provider;
  return (textField(provider, 'label') ?? '') || textField(provider, 'id');
}

function readResult(
  result: unknown,
  place: Place,
  notes: readonly string[],
  file: FileContext,
): RecordedItem {
  const success = field(result, 'success');
  if (typeof success !== 'boolean')
    return refuseRow(place, '"success" is not true or false', result);
  const attack = isRedTeam(result);
  const error = errorOf(result);
  const plugin = metadataOf(result, 'pluginId');
  const test = scalarField(result, 'testIdx') ?? contentText(field(result, 'description'));
  return {
    kind: 'trial',
    format: 'promptfoo',
    place,
    purpose: attack ? 'attack' : 'benign',
    pipeline: file.options.pipeline ?? providerOf(result) ?? fileStem(file.name),
    suite: plugin ?? 'promptfoo',
    task: test ?? place.path ?? '',
    goal: attack ? (metadataOf(result, 'goal') ?? plugin ?? 'unnamed') : null,
    attack: attack ? (metadataOf(result, 'strategyId') ?? null) : null,
    verdict:
      error === null
        ? { compromised: attack ? !success : null, useful: attack ? null : success }
        : { compromised: null, useful: null },
    delivered: attack && hasPrompt(result) ? true : null,
    error,
    repeat: 0,
    notes,
  };
}

function* readDocument(
  { value, place, notes = [] }: ReadRow,
  file: FileContext,
): Generator<RecordedItem> {
  const results = resultsOf(value);
  if (results === null) {
    yield refuseRow(place, 'expected results.results, a list', value);
    return;
  }
  for (const [index, result] of results.entries()) {
    const at: Place = { file: place.file, path: `$.results.results[${index}]` };
    yield readResult(result, at, notes, file);
  }
}

/** Results of promptfoo, version 3: one document. For red-team tests `success: false` means that the attack landed. */
export const promptfooRuns: RunReader = {
  format: 'promptfoo',
  title: 'promptfoo results',
  recognises: (value) => {
    const results = resultsOf(value);
    if (results === null) return false;
    const [first] = results;
    return (
      first === undefined ||
      (field(first, 'success') !== undefined &&
        (field(first, 'prompt') !== undefined || field(first, 'vars') !== undefined))
    );
  },
  open: (file) => ({ row: (row) => readDocument(row, file) }),
};
