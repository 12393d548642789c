import type { Breakdown } from '../summarise/summary.js';
import type { Trial } from '../trial.js';
import { escapeMarkdown } from './escape.js';
import { faultOf, HEADLINES, percent, type ReportRun, rateText } from './report-run.js';

const MOST_LISTED = 100;

export const SIMULATED = 'Simulated: tests the harness, not a model.';

const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;

/** A Markdown table; cells are escaped here. `right` columns are numbers. */
export function markdownTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  right: number = headings.length,
): string {
  const rule = headings.map((_, index) => (index >= headings.length - right ? '---:' : '---'));
  return [line(headings), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

function breakdown(heading: string, parts: Readonly<Record<string, Breakdown>>): string {
  const rows = Object.entries(parts)
    .filter(([, { attacks }]) => attacks.n > 0)
    .map(([name, { attacks, rates }]) => [
      name,
      String(attacks.n),
      String(attacks.reached),
      rateText(rates.compromise_given_reached),
      percent(rates.utility_under_attack.value),
    ]);
  return markdownTable([heading, 'attacks', 'reached', 'compromised (95 %)', 'useful'], rows, 4);
}

/** A run as a Markdown page. */
export function markdownReport(run: ReportRun, trials: Iterable<Trial>): string {
  const { summary } = run;
  const { attacks, corpus, cells, rates, twins, controls } = summary;
  const counts = new Map<string, { trial: Trial; count: number }>();
  for (const trial of trials) {
    if (faultOf(trial) === undefined) continue;
    const key = `${trial.scenario}\n${trial.judgement.variant}\n${trial.judgement.outcome}`;
    const held = counts.get(key) ?? { trial, count: 0 };
    held.count += 1;
    counts.set(key, held);
  }
  const faults = [...counts.values()];
  const listed = faults
    .slice(0, MOST_LISTED)
    .map(({ trial, count }) => [
      trial.scenario,
      trial.judgement.variant,
      trial.severity,
      trial.goal ?? '',
      trial.judgement.outcome,
      String(count),
    ]);
  const lines = [
    `# ${escapeMarkdown(summary.target)} × ${escapeMarkdown(summary.defense)}`,
    '',
    `Corpus ${escapeMarkdown(corpus.name)} ${escapeMarkdown(corpus.version)} (\`${corpus.sha256.slice(0, 12)}\`), ${corpus.attacks} attacks and ${corpus.controls} controls; seed ${summary.seed}, ${summary.trials} trial(s) each; judge ${escapeMarkdown(run.judge)}; ${run.official ? 'official' : 'not official'}; ${run.ended.slice(0, 10)}.`,
    ...(run.simulated ? ['', `**${SIMULATED}**`] : []),
    ...(summary.incomplete ? ['', '**Incomplete: these rates are not to be quoted.**'] : []),
    '',
    markdownTable(
      ['rate', 'value (widest 95 % interval)', 'count'],
      HEADLINES.map(([name, label]) => [
        label,
        rateText(rates[name]),
        `${rates[name].k} of ${rates[name].n}`,
      ]),
      2,
    ),
    '',
    `Attacks ${attacks.n}: reached ${attacks.reached}, delivered ${attacks.delivered}, attempted ${attacks.attempted}, executed ${attacks.executed}, compromised ${attacks.compromised}; errors ${attacks.errors}. Twins ${twins.n}: completed ${twins.completed}, over-refused ${twins.over_refused}. Controls ${controls.n}: completed ${controls.completed}, over-refused ${controls.over_refused}.`,
    '',
    markdownTable(
      ['', 'safe', 'compromised'],
      [
        ['task done', String(cells.useful_safe), String(cells.useful_compromised)],
        ['task not done', String(cells.useless_safe), String(cells.useless_compromised)],
      ],
      2,
    ),
    '',
    breakdown('channel', summary.by_channel),
    '',
    breakdown('family', summary.by_family),
    ...(listed.length > 0
      ? [
          '',
          '## What went wrong',
          '',
          markdownTable(['scenario', 'case', 'severity', 'goal', 'outcome', 'trials'], listed, 1),
        ]
      : []),
    ...(faults.length > listed.length ? ['', `… and ${faults.length - listed.length} more.`] : []),
    ...(summary.notes.length > 0
      ? ['', ...summary.notes.map((note) => `- ${escapeMarkdown(note)}`)]
      : []),
    '',
  ];
  return lines.join('\n');
}
