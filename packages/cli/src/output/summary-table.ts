import type { Summary, SummaryRate } from '@pab/score';
import { percent, withInterval } from './percent.js';
import { table } from './table.js';

const HEADINGS = [
  { heading: 'target', align: 'left' },
  { heading: 'defense', align: 'left' },
  { heading: 'ASR % [95 %]', align: 'right' },
  { heading: 'reached', align: 'right' },
  { heading: 'useful', align: 'right' },
  { heading: 'clean', align: 'right' },
  { heading: 'refused', align: 'right' },
  { heading: 'err', align: 'right' },
] as const;

const short = ({ value }: SummaryRate): string =>
  value === null ? 'n/a' : `${Math.round(value * 100)} %`;

function errorsOf(summary: Summary): number {
  return summary.attacks.errors + summary.twins.errors + summary.controls.errors;
}

/** Rows of one table of runs, 80 columns wide for the built-in names. A run that only failed has no rate to show. */
export function summaryTable(
  summaries: readonly (Summary & { readonly simulated?: boolean })[],
): string {
  const rows = summaries.map((summary) => {
    const { rates } = summary;
    return [
      summary.target,
      summary.defense,
      summary.incomplete ? 'incomplete' : withInterval(rates.compromise),
      summary.incomplete ? '' : short(rates.compromise_given_reached),
      short(rates.utility_under_attack),
      short(rates.clean_utility),
      short(rates.over_refusal),
      String(errorsOf(summary)),
    ];
  });
  return table(HEADINGS, rows, 24);
}

export const LEGEND = [
  'ASR      attacks that succeeded, with the widest 95 % interval',
  'reached  the same, of the attacks whose text was met',
  'useful   the user’s task was done under attack; clean: on the benign twins',
  'refused  over-refusal on twins and controls',
  'err      trials that failed; they count as neither',
].join('\n');

export const SIMULATED = 'Simulated policies: these numbers test the harness, not a model.';

function rateLine(name: string, rate: SummaryRate): string {
  const intervals = rate.intervals.map(
    ({ low, high, method }) => `${percent(low)} to ${percent(high)} (${method})`,
  );
  const bounds =
    rate.bounds !== null && rate.bounds.low !== rate.bounds.high
      ? [`${percent(rate.bounds.low)} to ${percent(rate.bounds.high)} (errors all good or all bad)`]
      : [];
  const lines = [...intervals, ...bounds].map((line) => `    ${line}`);
  return [
    `  ${name.padEnd(26)} ${percent(rate.value).padStart(7)}   ${rate.k} of ${rate.n}`,
    ...lines,
  ].join('\n');
}

function breakdown(title: string, parts: Summary['by_channel']): string {
  const rows = Object.entries(parts)
    .filter(([, { attacks }]) => attacks.n > 0)
    .map(([name, { attacks, rates }]) => [
      name,
      String(attacks.n),
      String(attacks.reached),
      withInterval(rates.compromise_given_reached),
      short(rates.utility_under_attack),
    ]);
  if (rows.length === 0) return '';
  return table(
    [
      { heading: title, align: 'left' },
      { heading: 'attacks', align: 'right' },
      { heading: 'reached', align: 'right' },
      { heading: 'compromised %', align: 'right' },
      { heading: 'useful', align: 'right' },
    ],
    rows,
    28,
  );
}

/** One run in full, for people. */
export function summaryText(summary: Summary): string {
  const { attacks, cells, rates, twins, controls, corpus } = summary;
  const head = [
    `${summary.target} × ${summary.defense}`,
    `corpus ${corpus.name} ${corpus.version} (${corpus.sha256.slice(0, 12)}): ${corpus.attacks} attacks, ${corpus.controls} controls; seed ${summary.seed}, ${summary.trials} trial(s) each`,
  ];
  const counts = [
    `attacks ${attacks.n}: reached ${attacks.reached}, delivered ${attacks.delivered}, attempted ${attacks.attempted}, executed ${attacks.executed}, compromised ${attacks.compromised}; resisted ${attacks.resisted} (withheld ${attacks.withheld}), not reached ${attacks.not_reached}, blocked by the provider ${attacks.provider_blocked}, errors ${attacks.errors}`,
    `twins ${twins.n}: completed ${twins.completed}, over-refused ${twins.over_refused}, compromised ${twins.compromised}, errors ${twins.errors}`,
    `controls ${controls.n}: completed ${controls.completed}, not completed ${controls.not_completed}, over-refused ${controls.over_refused}, errors ${controls.errors}`,
  ];
  const failed =
    attacks.n + twins.n + controls.n > 0 && errorsOf(summary) === attacks.n + twins.n + controls.n;
  const numbers = failed
    ? ['Every trial failed, so there is no rate: nothing is known about this target.']
    : [
        'Rates',
        rateLine('compromised', rates.compromise),
        rateLine('compromised given reached', rates.compromise_given_reached),
        rateLine('useful under attack', rates.utility_under_attack),
        rateLine('clean utility', rates.clean_utility),
        rateLine('over-refusal', rates.over_refusal),
        '',
        table(
          [
            { heading: '', align: 'left' },
            { heading: 'safe', align: 'right' },
            { heading: 'compromised', align: 'right' },
          ],
          [
            ['task done', String(cells.useful_safe), String(cells.useful_compromised)],
            ['task not done', String(cells.useless_safe), String(cells.useless_compromised)],
          ],
        ),
        '',
        breakdown('channel', summary.by_channel),
        '',
        breakdown('family', summary.by_family),
      ];
  const notes = summary.notes.map((note) => `note: ${note}`);
  return [...head, '', ...counts, '', ...numbers, ...(notes.length > 0 ? ['', ...notes] : [])].join(
    '\n',
  );
}
