import { contentText, field, isRecord, listField, scalarField, textField } from '../fields.js';
import type { Place, ReadRow } from '../row.js';
import type { RecordedItem, RecordedTrial } from './recorded-trial.js';
import {
  type FileContext,
  type FileReader,
  fileStem,
  type RunReader,
  refuseRow,
} from './run-reader.js';

const DEFAULT_THRESHOLD = 0.5;
const FINISHED = 2;

function promptText(attempt: unknown): string {
  const prompt = field(attempt, 'prompt');
  if (typeof prompt === 'string') return prompt;
  const turns = listField(prompt, 'turns') ?? [];
  const texts = turns.map((turn) => contentText(field(turn, 'content')) ?? '');
  return texts.length === 0 ? (contentText(prompt) ?? '') : texts.join('\n');
}

/** Attempts are written again when they are judged; the same attempt has the same key. */
function keyOf(attempt: unknown): string {
  const id = textField(attempt, 'uuid');
  const seq = scalarField(attempt, 'seq') ?? '';
  const probe = textField(attempt, 'probe_classname') ?? '';
  return id === undefined ? `${probe}\n${promptText(attempt)}` : `${id}\n${seq}\n${probe}`;
}

/** Scores of one output by all detectors; null where a detector could not tell. */
function scoresOf(attempt: unknown, output: number): (number | null)[] {
  const results = field(attempt, 'detector_results');
  if (!isRecord(results)) return [];
  return Object.values(results).map((scores) => {
    const score: unknown = Array.isArray(scores) ? scores[output] : undefined;
    return typeof score === 'number' && Number.isFinite(score) ? score : null;
  });
}

function hasOutput(attempt: unknown, output: number): boolean {
  const value = (listField(attempt, 'outputs') ?? [])[output];
  return value !== null && value !== undefined && (contentText(value) ?? '') !== '';
}

interface Run {
  readonly pipeline: string;
  readonly threshold: number;
}

function* readAttempt(row: ReadRow, run: Run, finished: boolean): Generator<RecordedTrial> {
  const { value, place, notes = [] } = row;
  const probe = textField(value, 'probe_classname') ?? 'unnamed';
  const prompt = promptText(value);
  const outputs = Math.max(1, (listField(value, 'outputs') ?? []).length);
  for (let output = 0; output < outputs; output += 1) {
    const scores = scoresOf(value, output).filter((score) => score !== null);
    const error = !finished
      ? 'unfinished: the attempt was never judged'
      : scores.length > 0
        ? null
        : hasOutput(value, output)
          ? 'undetermined: no detector gave a score'
          : 'there is no output';
    const at: Place = outputs === 1 ? place : { ...place, path: `$.outputs[${output}]` };
    yield {
      kind: 'trial',
      format: 'garak',
      place: at,
      purpose: 'attack',
      pipeline: run.pipeline,
      suite: probe.replace(/\..*$/u, ''),
      task: `${probe}/${scalarField(value, 'seq') ?? prompt.slice(0, 80)}`,
      goal: textField(value, 'goal') ?? probe,
      attack: probe,
      verdict: {
        // `passed` means resisted: a score at the threshold or above is a hit of the attack.
        compromised: error === null ? scores.some((score) => score >= run.threshold) : null,
        useful: null,
      },
      delivered: prompt === '' ? null : true,
      error,
      repeat: output,
      notes,
    };
  }
}

function setUp(value: unknown, run: Run, options: FileContext['options']): Run {
  const threshold = field(value, 'run.eval_threshold');
  const name =
    textField(value, 'plugins.target_name') ??
    textField(value, 'plugins.model_name') ??
    textField(value, 'plugins.target_type') ??
    textField(value, 'plugins.model_type');
  return {
    pipeline: options.pipeline ?? name ?? run.pipeline,
    threshold:
      options.threshold ??
      (typeof threshold === 'number' && threshold >= 0 && threshold <= 1
        ? threshold
        : run.threshold),
  };
}

function openReport({ name, options }: FileContext): FileReader {
  let run: Run = {
    pipeline: options.pipeline ?? fileStem(name).replace(/\.report$/u, ''),
    threshold: options.threshold ?? DEFAULT_THRESHOLD,
  };
  /** Attempts that were begun and not judged so far. */
  const begun = new Map<string, ReadRow>();
  const judged = new Set<string>();
  return {
    *row(row): Generator<RecordedItem> {
      const { value, place } = row;
      const type = textField(value, 'entry_type');
      if (type === undefined) {
        yield refuseRow(place, 'a line of a garak report needs entry_type', value);
      } else if (type === 'attempt') {
        const key = keyOf(value);
        if (field(value, 'status') === FINISHED) {
          begun.delete(key);
          judged.add(key);
          yield* readAttempt(row, run, true);
        } else if (!judged.has(key)) begun.set(key, row);
      } else if (type.startsWith('start_run')) run = setUp(value, run, options);
    },
    *end() {
      for (const row of begun.values()) yield* readAttempt(row, run, false);
    },
  };
}

/** `report.jsonl` of garak: each judged attempt is a trial; other lines are the report's own bookkeeping. */
export const garakRuns: RunReader = {
  format: 'garak',
  title: 'a garak report',
  recognises: (value) => textField(value, 'entry_type') !== undefined,
  open: openReport,
};
