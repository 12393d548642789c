import { field, listField, scalarField, textField } from '../fields.js';
import type { ReadRow } from '../row.js';
import { messagesOf } from './messages.js';
import type { RecordedItem } from './recorded-trial.js';
import { fileStem, type RunReader, refuseRow } from './run-reader.js';

function readTrial({ value, place, notes = [] }: ReadRow, pipeline: string): RecordedItem {
  const traj = listField(value, 'traj');
  const reward = field(value, 'reward');
  const task = scalarField(value, 'task_id');
  if (traj === undefined || typeof reward !== 'number' || task === undefined) {
    return refuseRow(place, 'expected task_id, a numeric reward and traj', value);
  }
  const failed = textField(field(value, 'info'), 'error');
  const error =
    failed ??
    (traj.length === 0
      ? 'nothing was said'
      : Number.isFinite(reward)
        ? null
        : 'the reward is no number');
  const trial = field(value, 'trial');
  return {
    kind: 'trial',
    format: 'tau',
    place,
    purpose: 'benign',
    pipeline,
    suite: 'tau-bench',
    task,
    goal: null,
    attack: null,
    // A reward is 1 where the database and the answers came out as wanted; anything less is not done.
    verdict: { compromised: null, useful: reward >= 1 },
    delivered: null,
    error,
    repeat: typeof trial === 'number' && Number.isSafeInteger(trial) && trial >= 0 ? trial : 0,
    notes,
    messages: () => messagesOf(traj),
  };
}

/** Trajectories of tau-bench: benign tasks with tool calls. */
export const tauRuns: RunReader = {
  format: 'tau',
  title: 'a tau-bench result',
  recognises: (value) =>
    listField(value, 'traj') !== undefined && field(value, 'reward') !== undefined,
  open: ({ name, options }) => {
    const pipeline = options.pipeline ?? fileStem(name);
    return { row: (row) => [readTrial(row, pipeline)] };
  },
};
