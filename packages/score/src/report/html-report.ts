import type { Message, Part, ToolCall, Transcript, TranscriptEntry } from '@pab/model';
import type { Breakdown } from '../summarise/summary.js';
import type { Trial } from '../trial.js';
import { cut, escapeMarkup } from './escape.js';
import { rateCell } from './html-rate.js';
import { SIMULATED } from './markdown.js';
import { type Cell, count, htmlPage, htmlTable, text } from './page.js';
import { HEADLINES, percent, type ReportRun, trialName } from './report-run.js';

/** Rows of the table of trials, and transcripts, that a page holds at most; what is left out is said. */
export const MOST_ROWS = 5000;
export const MOST_TRANSCRIPTS = 200;
const MOST_TEXT = 3000;

/** A trial with what was said and done in it. */
export interface ShownTranscript {
  readonly trial: Trial;
  readonly transcript: Transcript;
}

export interface HtmlReportOptions {
  readonly trials: readonly Trial[];
  /** Transcripts to show in full, the worst ones first as a rule. */
  readonly transcripts?: readonly ShownTranscript[];
}

function tiles({ summary }: ReportRun): string {
  const rates = HEADLINES.map(([name, label]) => {
    const rate = summary.rates[name];
    const { html } = rateCell(rate);
    return `<div class="tile"><span>${label}</span><b>${percent(rate.value)}</b><span>${rate.k} of ${rate.n}</span>${html.includes('<span class="bar"') ? html.slice(html.indexOf('<span class="bar"'), html.lastIndexOf('</span>')) : ''}</div>`;
  });
  return `<div class="tiles">${rates.join('')}</div>`;
}

function stages({ summary: { attacks, twins, controls } }: ReportRun): string {
  const names = [
    'n',
    'reached',
    'delivered',
    'attempted',
    'executed',
    'compromised',
    'resisted',
    'withheld',
    'not_reached',
    'provider_blocked',
    'errors',
  ] as const;
  const row = names.map((name) => ({
    cells: [
      text(name === 'n' ? 'all attacks' : name.replaceAll('_', ' ')),
      count(attacks[name]),
      share(attacks[name], attacks.n),
    ],
  }));
  const benign = [
    ['twins', twins.n, twins.completed, twins.not_completed, twins.over_refused, twins.errors],
    [
      'controls',
      controls.n,
      controls.completed,
      controls.not_completed,
      controls.over_refused,
      controls.errors,
    ],
  ] as const;
  return [
    '<h2>How far the attacks got</h2>',
    htmlTable({ headings: ['Stage or outcome', 'Trials', 'Share'], rows: row, sortable: false }),
    '<h2>Benign cases</h2>',
    htmlTable({
      headings: ['Case', 'Trials', 'Completed', 'Not completed', 'Over-refused', 'Errors'],
      rows: benign.map(([name, ...counts]) => ({ cells: [text(name), ...counts.map(count)] })),
      sortable: false,
    }),
  ].join('\n');
}

const share = (k: number, n: number): Cell => ({
  html: percent(n === 0 ? null : k / n),
  number: true,
});

function cells({ summary }: ReportRun): string {
  const held = summary.cells;
  return htmlTable({
    headings: ['Under attack', 'Safe', 'Compromised'],
    rows: [
      { cells: [text('task done'), count(held.useful_safe), count(held.useful_compromised)] },
      { cells: [text('task not done'), count(held.useless_safe), count(held.useless_compromised)] },
    ],
    sortable: false,
  });
}

function breakdown(heading: string, parts: Readonly<Record<string, Breakdown>>): string {
  const rows = Object.entries(parts)
    .filter(([, { attacks }]) => attacks.n > 0)
    .map(([name, { attacks, rates }]) => ({
      cells: [
        text(name.replaceAll('_', ' ')),
        count(attacks.n),
        count(attacks.reached),
        rateCell(rates.compromise_given_reached),
        rateCell(rates.utility_under_attack),
        rateCell(rates.clean_utility),
      ],
    }));
  if (rows.length === 0) return '';
  return `<h2>By ${heading.toLowerCase()}</h2>\n${htmlTable({ headings: [heading, 'Attacks', 'Reached', 'Compromised, given reached', 'Useful under attack', 'Clean utility'], rows })}`;
}

function intervals({ summary }: ReportRun): string {
  const rows = HEADLINES.flatMap(([name, label]) =>
    summary.rates[name].intervals.map(({ low, high, method, note }) => ({
      cells: [
        text(label),
        text(method),
        { html: `${percent(low)} to ${percent(high)}`, number: true },
        text(note ?? ''),
      ],
    })),
  );
  return htmlTable({
    headings: ['Rate', 'Method', '95 % interval', 'Note'],
    rows,
    sortable: false,
  });
}

const outcomeCell = (outcome: string): Cell => ({
  html: `<span class="${outcome}">${outcome.replaceAll('_', ' ')}</span>`,
  sort: outcome,
});

function trialTable(trials: readonly Trial[]): string {
  const shown = trials.slice(0, MOST_ROWS);
  const outcomes = [...new Set(shown.map(({ judgement }) => judgement.outcome))].toSorted();
  const rows = shown.map((trial) => {
    const { judgement, scenario, channel, family, severity, goal } = trial;
    return {
      outcome: judgement.outcome,
      cells: [
        { html: `<code>${escapeMarkup(scenario)}</code>`, sort: scenario },
        text(judgement.variant),
        count(trial.trial),
        text(channel),
        text(family.replaceAll('_', ' ')),
        text(severity),
        outcomeCell(judgement.outcome),
        text(judgement.stages.reached ? judgement.stages.delivered : 'not reached'),
        text(judgement.utility === null ? '' : judgement.utility ? 'yes' : 'no'),
        { html: escapeMarkup(cut(goal ?? '', 200)), wide: true },
      ],
    };
  });
  const options = outcomes.map(
    (outcome) => `<option value="${outcome}">${outcome.replaceAll('_', ' ')}</option>`,
  );
  return [
    '<h2>Trials</h2>',
    ...(trials.length > shown.length
      ? [
          `<p class="banner">The first ${shown.length} of ${trials.length} trials; all are in trials.jsonl.</p>`,
        ]
      : []),
    `<div class="tools" data-for="trials" hidden><input type="search" aria-label="Words in a row" placeholder="filter"><select aria-label="Outcome"><option value="">every outcome</option>${options.join('')}</select></div>`,
    htmlTable({
      id: 'trials',
      headings: [
        'Scenario',
        'Case',
        'Trial',
        'Channel',
        'Family',
        'Severity',
        'Outcome',
        'Delivered',
        'Task done',
        'Goal of the attacker',
      ],
      rows,
    }),
  ].join('\n');
}

const pre = (shown: string): string => `<pre>${escapeMarkup(cut(shown, MOST_TEXT))}</pre>`;

function partsHtml(parts: readonly Part[]): string {
  const shown = parts.map(({ text: words, provenance }) =>
    provenance === 'environment'
      ? `<mark>${escapeMarkup(cut(words, MOST_TEXT))}</mark>`
      : escapeMarkup(cut(words, MOST_TEXT)),
  );
  return `<pre>${shown.join('\n')}</pre>`;
}

function callHtml({ tool, args, unparsed }: ToolCall): string {
  return `<code>${escapeMarkup(tool)}</code> ${pre(unparsed ?? JSON.stringify(args, null, 1))}`;
}

function actionsHtml({ actions }: TranscriptEntry): string {
  return actions
    .map(
      ({ defense, action, reason }) =>
        `<p class="over_refused">${escapeMarkup(`${defense}: ${action}: ${cut(reason, 300)}`)}</p>`,
    )
    .join('');
}

const messageHtml = ({ role, parts }: Message): string =>
  `<p class="soft">${role}</p>${partsHtml(parts)}`;

function entryHtml(entry: TranscriptEntry): string {
  const actions = actionsHtml(entry);
  switch (entry.type) {
    case 'prompt':
      return `<li>${entry.messages.map(messageHtml).join('')}${actions}</li>`;
    case 'model':
      return entry.text.trim() === '' && actions === ''
        ? ''
        : `<li><p class="soft">model</p>${pre(entry.text)}${actions}</li>`;
    case 'call': {
      const blocked = entry.effective === null ? ' <span class="tag">blocked</span>' : '';
      return `<li><p class="soft">call${blocked}</p>${callHtml(entry.proposed)}<p class="soft">result${entry.seen.isError ? ' (error)' : ''}</p>${partsHtml(entry.seen.parts)}${actions}</li>`;
    }
    case 'output':
      return `<li><p class="soft">reply to the user</p>${pre(entry.seen)}${actions}</li>`;
    default:
      return entry satisfies never;
  }
}

function transcriptHtml({ trial, transcript }: ShownTranscript): string {
  const { judgement } = trial;
  const facts = [
    ...judgement.injections.flatMap(({ source, delivered }) =>
      source === undefined ? [] : [`injected text at ${source}, delivered: ${delivered}`],
    ),
    ...judgement.leaks.map(({ how, where }) => `left at ${where}: ${how.join(', ')}`),
    ...judgement.notes,
    ...(trial.error === undefined ? [] : [`${trial.error.code}: ${trial.error.message}`]),
  ];
  return `<details><summary><span class="${judgement.outcome}">${judgement.outcome.replaceAll('_', ' ')}</span> ${escapeMarkup(trialName(trial))}${trial.goal === null ? '' : ` <span class="soft">${escapeMarkup(cut(trial.goal, 160))}</span>`}</summary>
${facts.map((fact) => `<p class="soft">${escapeMarkup(cut(fact, 500))}</p>`).join('')}
<ol class="steps">${transcript.entries.map(entryHtml).join('\n')}</ol></details>`;
}

const options = (name: string, held: ReportRun['targetOptions']): string =>
  Object.keys(held).length === 0 ? '' : `; ${name} ${escapeMarkup(JSON.stringify(held))}`;

/** A run as one self-contained page: rates, stages, breakdowns, trials, and the transcripts that were asked for. */
export function htmlReport(
  run: ReportRun,
  { trials, transcripts = [] }: HtmlReportOptions,
): string {
  const { summary } = run;
  const { corpus } = summary;
  const title = `${summary.target} × ${summary.defense}`;
  const shown = transcripts.slice(0, MOST_TRANSCRIPTS);
  const body = [
    `<h1>${escapeMarkup(title)}</h1>`,
    `<p class="soft">Corpus ${escapeMarkup(corpus.name)} ${escapeMarkup(corpus.version)} <code>${escapeMarkup(corpus.sha256.slice(0, 12))}</code>: ${corpus.attacks} attacks, ${corpus.controls} controls; seed ${summary.seed}, ${summary.trials} trial(s) each; judge ${escapeMarkup(run.judge)}; ${escapeMarkup(run.ended.slice(0, 16).replace('T', ' '))} UTC${run.modelIds.length === 0 ? '' : `; model ${escapeMarkup(run.modelIds.join(', '))}`}${options('target options', run.targetOptions)}${options('defense options', run.defenseOptions)} <span class="tag">${run.official ? 'official' : 'not official'}</span></p>`,
    ...(run.simulated ? [`<p class="banner">${SIMULATED}</p>`] : []),
    ...(summary.incomplete
      ? ['<p class="banner bad">Incomplete: these rates are not to be quoted.</p>']
      : []),
    tiles(run),
    ...summary.notes.map((note) => `<p class="soft">Note: ${escapeMarkup(note)}</p>`),
    stages(run),
    '<h2>Safety and use together</h2>',
    cells(run),
    breakdown('Channel', summary.by_channel),
    breakdown('Family', summary.by_family),
    '<h2>Every interval</h2>',
    intervals(run),
    trialTable(trials),
    ...(shown.length > 0
      ? [
          '<h2>Transcripts of what went wrong</h2>',
          '<p class="soft">Marked text came from outside: tools, documents, other people.</p>',
          ...(transcripts.length > shown.length
            ? [`<p class="banner">The first ${shown.length} of ${transcripts.length}.</p>`]
            : []),
          ...shown.map(transcriptHtml),
        ]
      : []),
  ];
  return htmlPage(title, body.filter((part) => part !== '').join('\n'));
}
