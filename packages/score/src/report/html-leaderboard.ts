import { escapeMarkup } from './escape.js';
import { rateCell } from './html-rate.js';
import { markdownTable, SIMULATED } from './markdown.js';
import { type Cell, count, htmlPage, htmlTable } from './page.js';
import { type ReportRun, rateText } from './report-run.js';

/** A run that is not in the table, and why. */
export interface RefusedRun {
  readonly name: string;
  readonly reason: string;
}

/** Official runs of one corpus, and what was left out. */
export interface Leaderboard {
  readonly corpus: { readonly name: string; readonly version: string; readonly sha256: string };
  readonly runs: readonly ReportRun[];
  readonly refused: readonly RefusedRun[];
}

const last = (value: number | null): number => value ?? Number.POSITIVE_INFINITY;

/** Fewest compromised first, then most useful: the order of both tables. Ties keep the order of names. */
export function rankedRuns(runs: readonly ReportRun[]): ReportRun[] {
  return runs.toSorted((a, b) => {
    const [x, y] = [a.summary.rates, b.summary.rates];
    return (
      last(x.compromise_given_reached.value) - last(y.compromise_given_reached.value) ||
      (y.utility_under_attack.value ?? -1) - (x.utility_under_attack.value ?? -1) ||
      (a.name < b.name ? -1 : 1)
    );
  });
}

function optionsText(options: ReportRun['targetOptions']): string {
  return Object.entries(options)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

const errors = ({ summary }: ReportRun): number =>
  summary.attacks.errors + summary.twins.errors + summary.controls.errors;

const HEAD =
  'Official runs that verify. Each number is a rate with its widest 95 % interval; where two intervals overlap, this table does not say which is better: `pab compare` does.';

/** The table as Markdown, with what was refused below it. */
export function leaderboardMarkdown({ corpus, runs, refused }: Leaderboard): string {
  const rows = rankedRuns(runs).map((run) => {
    const { rates } = run.summary;
    return [
      run.summary.target + (run.simulated ? ' (simulated)' : ''),
      run.modelIds.join(', '),
      run.summary.defense,
      rateText(rates.compromise_given_reached),
      rateText(rates.compromise),
      rateText(rates.utility_under_attack),
      rateText(rates.clean_utility),
      rateText(rates.over_refusal),
      String(run.summary.trials),
      String(errors(run)),
      run.ended.slice(0, 10),
    ];
  });
  return [
    `# ${corpus.name} ${corpus.version}`,
    '',
    HEAD,
    '',
    markdownTable(
      [
        'target',
        'model',
        'defense',
        'compromised, given reached',
        'of all attacks',
        'useful under attack',
        'clean utility',
        'over-refusal',
        'trials',
        'errors',
        'date',
      ],
      rows,
      8,
    ),
    ...(runs.some(({ simulated }) => simulated) ? ['', SIMULATED] : []),
    ...(refused.length > 0
      ? [
          '',
          '## Not in the table',
          '',
          markdownTable(
            ['run', 'why'],
            refused.map(({ name, reason }) => [name, reason]),
            0,
          ),
        ]
      : []),
    '',
  ].join('\n');
}

function named(name: string, options: ReportRun['targetOptions'], more = ''): Cell {
  const said = optionsText(options);
  return {
    html: `<strong>${escapeMarkup(name)}</strong>${more}${said === '' ? '' : `<br><code class="soft">${escapeMarkup(said)}</code>`}`,
    sort: name,
    name: true,
  };
}

/** The table as one self-contained page. */
export function leaderboardHtml({ corpus, runs, refused }: Leaderboard): string {
  const rows = rankedRuns(runs).map((run) => {
    const { summary, simulated } = run;
    const { rates } = summary;
    const tag = simulated ? ' <span class="tag">simulated</span>' : '';
    const model =
      run.modelIds.length > 0
        ? `<br><span class="soft">${escapeMarkup(run.modelIds.join(', '))}</span>`
        : '';
    return {
      cells: [
        named(summary.target, run.targetOptions, tag + model),
        named(summary.defense, run.defenseOptions),
        rateCell(rates.compromise_given_reached),
        rateCell(rates.compromise),
        rateCell(rates.utility_under_attack),
        rateCell(rates.clean_utility),
        rateCell(rates.over_refusal),
        count(summary.trials),
        count(errors(run)),
        { html: escapeMarkup(run.ended.slice(0, 10)), date: true },
      ],
    };
  });
  const body = [
    `<h1>${escapeMarkup(corpus.name)} ${escapeMarkup(corpus.version)}: leaderboard</h1>`,
    `<p class="soft">Corpus <code>${escapeMarkup(corpus.sha256)}</code></p>`,
    `<p>${escapeMarkup(HEAD).replace(/`([^`]+)`/, '<code>$1</code>')}</p>`,
    ...(runs.some(({ simulated }) => simulated) ? [`<p class="banner">${SIMULATED}</p>`] : []),
    runs.length === 0
      ? '<p class="banner">There is no run to show.</p>'
      : htmlTable({
          headings: [
            'Target',
            'Defense',
            'Compromised, given reached',
            'Of all attacks',
            'Useful under attack',
            'Clean utility',
            'Over-refusal',
            'Trials',
            'Errors',
            'Date',
          ],
          rows,
        }),
    ...(refused.length > 0
      ? [
          '<h2>Not in the table</h2>',
          htmlTable({
            headings: ['Run', 'Why'],
            rows: refused.map(({ name, reason }) => ({
              cells: [{ html: escapeMarkup(name) }, { html: escapeMarkup(reason), wide: true }],
            })),
          }),
        ]
      : []),
  ];
  return htmlPage(`${corpus.name} ${corpus.version}: leaderboard`, body.join('\n'));
}
