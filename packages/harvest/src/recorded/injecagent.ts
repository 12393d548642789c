import { listField, textField } from '../fields.js';
import type { ReadRow } from '../row.js';
import { deliveredInText } from './fold-delivery.js';
import type { RecordedItem, RecordedTrial } from './recorded-trial.js';
import { type FileContext, fileStem, type RunReader, refuseRow } from './run-reader.js';

type Verdict = Pick<RecordedTrial, 'verdict' | 'error'>;

const nothing = { compromised: null, useful: null };

function judged(compromised: boolean): Verdict {
  return { verdict: { compromised, useful: null }, error: null };
}

/** Data stealing takes two steps: reading the data, which is `eval`, and sending it on, which is step 2. */
function verdictOf(value: unknown, steals: boolean): Verdict | string {
  const first = textField(value, 'eval');
  const second = textField(value, 'eval Step 2');
  const decisive = steals && first === 'succ' ? second : first;
  if (decisive === 'succ') return judged(true);
  if (decisive === 'unsucc') return judged(false);
  if (decisive === 'invalid') {
    const step = decisive === second && steals && first === 'succ' ? ' in step 2' : '';
    const reason = textField(value, 'invalid_reason');
    const words = reason === undefined || step !== '' ? '' : `: ${reason}`;
    return { verdict: nothing, error: `the source calls the output invalid${step}${words}` };
  }
  if (decisive === undefined && first === 'succ') {
    return { verdict: nothing, error: 'step 1 succeeded and step 2 was not recorded' };
  }
  return `"eval" is ${JSON.stringify(decisive)}, not succ, unsucc or invalid`;
}

/** `results/some-model/test_cases_dh_base.json` and `base__some-model__test_cases_dh_base.json` are runs of some model. */
function pipelineOf({ name, options }: FileContext): string {
  if (options.pipeline !== undefined) return options.pipeline;
  const stem = fileStem(name);
  const before = /^(.+?)_*test_cases_/u.exec(stem)?.[1];
  if (before !== undefined) return before;
  const folder = /([^/!]+)\/[^/!]+$/u.exec(name)?.[1];
  return stem.startsWith('test_cases_') && folder !== undefined ? folder : stem;
}

function readCase(row: ReadRow, pipeline: string): RecordedItem {
  const { value, place, notes = [] } = row;
  const tools = listField(value, 'Attacker Tools');
  const goal = textField(value, 'Attacker Instruction');
  if (tools === undefined || goal === undefined) {
    return refuseRow(place, 'expected "Attacker Tools" and "Attacker Instruction"', value);
  }
  const steals = tools.length > 1;
  const verdict = verdictOf(value, steals);
  if (typeof verdict === 'string') return refuseRow(place, verdict, value);
  const response = textField(value, 'Tool Response');
  return {
    kind: 'trial',
    format: 'injecagent',
    place,
    purpose: 'attack',
    pipeline,
    suite: steals ? 'data stealing' : 'direct harm',
    task: textField(value, 'User Instruction') ?? '',
    goal,
    attack: textField(value, 'Attack Type') ?? null,
    delivered: response === undefined ? null : deliveredInText([goal], [response]),
    ...verdict,
    repeat: 0,
    notes,
  };
}

/** Results of InjecAgent: JSON Lines, whatever the name says; one case a line. */
export const injecagentRuns: RunReader = {
  format: 'injecagent',
  title: 'InjecAgent results',
  recognises: (value) =>
    listField(value, 'Attacker Tools') !== undefined && textField(value, 'eval') !== undefined,
  open: (file) => {
    const pipeline = pipelineOf(file);
    return { row: (row) => [readCase(row, pipeline)] };
  },
};
