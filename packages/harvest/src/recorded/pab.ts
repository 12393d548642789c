import { field, scalarField, textField } from '../fields.js';
import type { ReadRow } from '../row.js';
import type { RecordedItem } from './recorded-trial.js';
import { type RunReader, refuseRow } from './run-reader.js';

function readTrial({ value, place, notes = [] }: ReadRow): RecordedItem {
  const judgement = field(value, 'judgement');
  const stages = field(judgement, 'stages');
  const outcome = textField(judgement, 'outcome');
  const variant = textField(judgement, 'variant');
  const scenario = textField(value, 'scenario');
  if (outcome === undefined || scenario === undefined || stages === undefined) {
    return refuseRow(place, 'a trial of pab needs scenario and judgement', value);
  }
  const attack = variant === 'attack';
  const compromised = outcome === 'compromised';
  const utility = field(judgement, 'utility');
  const repeat = Number(scalarField(value, 'trial') ?? 0);
  const said = field(judgement, 'notes');
  const [why] = Array.isArray(said) ? (said as unknown[]) : [];
  const error =
    outcome === 'error' ? (typeof why === 'string' ? why : 'the trial broke off') : null;
  return {
    kind: 'trial',
    format: 'pab',
    place,
    purpose: attack ? 'attack' : 'benign',
    pipeline: `${textField(value, 'target') ?? 'target'} × ${textField(value, 'defense') ?? 'none'}`,
    suite: textField(value, 'world') ?? 'pab',
    task: textField(value, 'taskId') ?? scenario,
    goal: attack ? (textField(value, 'goal') ?? scenario) : null,
    attack: attack ? (textField(value, 'family') ?? null) : null,
    verdict:
      error === null
        ? {
            compromised: attack ? compromised : null,
            useful: typeof utility === 'boolean' ? utility : null,
          }
        : { compromised: null, useful: null },
    delivered: attack ? compromised || textField(stages, 'delivered') !== 'none' : null,
    error,
    repeat: Number.isSafeInteger(repeat) && repeat >= 0 ? repeat : 0,
    notes,
  };
}

/** `trials.jsonl` of our own runs. */
export const pabRuns: RunReader = {
  format: 'pab',
  title: 'a run of pab',
  recognises: (value) =>
    field(value, 'judgement') !== undefined && textField(value, 'scenario') !== undefined,
  open: () => ({ row: (row) => [readTrial(row)] }),
};
