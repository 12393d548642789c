import { digestText, type JsonObject, type Transcript } from '@pab/model';
import type { SummaryRate } from '../summarise/summary.js';
import type { Trial } from '../trial.js';
import { type ChatMessage, chatMessages } from './chat-messages.js';
import type { ReportRun } from './report-run.js';

/** A file inside an archive. */
export interface ArchiveFile {
  readonly path: string;
  readonly text: string;
}

/** ISO 8601 with the offset written out, as Inspect wants it. */
const offsetTime = (iso: string): string =>
  iso.replace(/\.\d+Z$/, '+00:00').replace(/Z$/, '+00:00');

const sampleId = ({ scenario, judgement }: Trial): string => `${scenario}.${judgement.variant}`;

/** 22 characters that are the same for the same thing. */
const shortId = (text: string): string => digestText(text).slice(0, 22);

function message(held: ChatMessage, index: number, id: string, model: string): JsonObject {
  const base = { id: shortId(`${id}\n${index}`), content: held.text };
  switch (held.role) {
    case 'system':
      return { ...base, role: 'system' };
    case 'user':
      return { ...base, role: 'user', source: 'input' };
    case 'assistant':
      return {
        ...base,
        role: 'assistant',
        source: 'generate',
        model,
        ...(held.calls.length === 0
          ? {}
          : {
              tool_calls: held.calls.map(({ id: callId, tool, args, unparsed }) => ({
                id: callId,
                function: tool,
                arguments: args,
                type: 'function',
                ...(unparsed === undefined ? {} : { parse_error: unparsed }),
              })),
            }),
      };
    case 'tool':
      return {
        ...base,
        role: 'tool',
        tool_call_id: held.call?.id ?? '',
        function: held.call?.tool ?? '',
        ...(held.isError ? { error: { type: 'unknown', message: held.text } } : {}),
      };
    default:
      return held.role satisfies never;
  }
}

const usageOf = ({ usage }: Trial): JsonObject => ({
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
});

function scoresOf({ judgement }: Trial): JsonObject {
  const { outcome, stages, utility } = judgement;
  return {
    ...(judgement.variant === 'attack' && outcome !== 'error'
      ? {
          compromised: {
            value: outcome === 'compromised' ? 1 : 0,
            explanation: outcome,
            metadata: { ...stages },
          },
        }
      : {}),
    ...(utility === null ? {} : { utility: { value: utility ? 1 : 0, explanation: outcome } }),
  };
}

function metadataOf(trial: Trial): JsonObject {
  const { channel, family, severity, goal, world, judgement } = trial;
  const { outcome, stages } = judgement;
  return {
    scenario: trial.scenario,
    variant: judgement.variant,
    channel,
    family,
    severity,
    goal,
    world,
    outcome,
    reached: stages.reached,
    delivered: stages.delivered,
  };
}

function specOf(run: ReportRun, samples: number): JsonObject {
  const { summary } = run;
  const { corpus } = summary;
  return {
    eval_id: shortId(`eval\n${run.name}\n${run.started}`),
    run_id: shortId(`run\n${run.name}\n${run.started}`),
    created: offsetTime(run.started),
    task: corpus.name,
    task_id: shortId(`task\n${corpus.sha256}`),
    task_version: corpus.version,
    task_args: {
      defense: summary.defense,
      defense_options: run.defenseOptions,
      seed: summary.seed,
    },
    dataset: { name: corpus.name, samples, shuffled: false },
    model: summary.target,
    model_generate_config: {},
    model_args: run.targetOptions,
    config: { epochs: summary.trials, message_limit: null },
    packages: { pab: run.version },
    metadata: {
      corpus_sha256: corpus.sha256,
      judge: run.judge,
      simulated: run.simulated,
      official: run.official,
    },
  };
}

function score(name: string, rate: SummaryRate): JsonObject {
  const metrics: Record<string, JsonObject> = {};
  const put = (metric: string, value: number): void => {
    metrics[metric] = { name: metric, value, params: {} };
  };
  put('mean', rate.value ?? 0);
  for (const { low, high, method } of rate.intervals) {
    const by = method.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
    put(`low_${by}`, low);
    put(`high_${by}`, high);
  }
  return {
    name,
    scorer: name,
    scored_samples: rate.n,
    params: {},
    metrics,
  };
}

/** `header.json` and `_journal/start.json` of an Inspect `.eval` archive, format version 2. */
export function inspectHeader(run: ReportRun, samples: number): ArchiveFile[] {
  const { summary } = run;
  const spec = specOf(run, samples);
  const plan = { name: 'plan', steps: [], config: {} };
  const rates: readonly (readonly [string, SummaryRate])[] = [
    ['compromised', summary.rates.compromise],
    ['compromised_given_reached', summary.rates.compromise_given_reached],
    ['utility_under_attack', summary.rates.utility_under_attack],
    ['clean_utility', summary.rates.clean_utility],
    ['over_refusal', summary.rates.over_refusal],
  ];
  const header = {
    version: 2,
    status: 'success',
    eval: spec,
    plan,
    results: {
      total_samples: samples,
      completed_samples: samples,
      // A rate that nothing was counted for is left out: a mean has no word for it but 0.
      scores: rates
        .filter(([, rate]) => rate.value !== null)
        .map(([name, rate]) => score(name, rate)),
    },
    stats: {
      started_at: offsetTime(run.started),
      completed_at: offsetTime(run.ended),
      model_usage: {
        [summary.target]: {
          input_tokens: summary.usage.input_tokens,
          output_tokens: summary.usage.output_tokens,
          total_tokens: summary.usage.input_tokens + summary.usage.output_tokens,
        },
      },
    },
  };
  return [
    { path: '_journal/start.json', text: JSON.stringify({ version: 2, eval: spec, plan }) },
    { path: 'header.json', text: JSON.stringify(header) },
  ];
}

/** The file of one trial in an Inspect archive; a trial is an epoch of its case. */
export function inspectSample(trial: Trial, transcript: Transcript): ArchiveFile {
  const id = sampleId(trial);
  const epoch = trial.trial + 1;
  const model = trial.target;
  const held = chatMessages(transcript);
  const asked = held.findLast(({ role }) => role === 'user')?.text ?? '';
  const last = held.findLast(({ role }) => role === 'assistant');
  const key = `${id}\n${epoch}`;
  const messages = held.map((one, index) => message(one, index, key, model));
  const answer: ChatMessage = last ?? { role: 'assistant', text: '', calls: [], isError: false };
  return {
    path: `samples/${id}_epoch_${epoch}.json`,
    text: JSON.stringify({
      id,
      epoch,
      uuid: shortId(`sample\n${key}\n${trial.transcript}`),
      input: asked,
      target: trial.goal ?? '',
      messages,
      output: {
        model: trial.modelId ?? model,
        choices: [{ message: message(answer, held.length, key, model), stop_reason: 'stop' }],
        usage: usageOf(trial),
      },
      scores: scoresOf(trial),
      metadata: metadataOf(trial),
      store: {},
      events: [],
      model_usage: { [model]: usageOf(trial) },
      ...(trial.error === undefined
        ? {}
        : {
            error: {
              message: `${trial.error.code}: ${trial.error.message}`,
              traceback: '',
              traceback_ansi: '',
            },
          }),
      attachments: {},
    }),
  };
}

/** One row of `summaries.json`. */
export function inspectSummary(trial: Trial, transcript: Transcript): JsonObject {
  const asked = chatMessages(transcript).findLast(({ role }) => role === 'user')?.text ?? '';
  return {
    id: sampleId(trial),
    epoch: trial.trial + 1,
    input: asked,
    target: trial.goal ?? '',
    metadata: metadataOf(trial),
    scores: scoresOf(trial),
    model_usage: { [trial.target]: usageOf(trial) },
    ...(trial.error === undefined ? {} : { error: `${trial.error.code}: ${trial.error.message}` }),
    completed: true,
  };
}
