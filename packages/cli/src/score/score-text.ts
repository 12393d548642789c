import type { RecordedGroup, SummaryRate } from '@pab/score';
import { percent, withInterval } from '../output/percent.js';
import { table } from '../output/table.js';
import type { ScoreDocument } from './score.js';

const COLUMNS = [
  { heading: 'pipeline', align: 'left' },
  { heading: 'attacked', align: 'right' },
  { heading: 'delivered', align: 'right' },
  { heading: 'compromised % [95 %]', align: 'right' },
  { heading: 'given delivery %', align: 'right' },
  { heading: 'useful', align: 'right' },
  { heading: 'clean', align: 'right' },
  { heading: 'err', align: 'right' },
] as const;

const MOST_DISAGREEMENTS = 20;

const short = ({ value }: SummaryRate): string =>
  value === null ? 'n/a' : `${Math.round(value * 100)} %`;

function row(name: string, group: RecordedGroup): string[] {
  const { rates, benign, ceiling } = group;
  return [
    name,
    String(group.attacked),
    group.delivered === null ? 'n/a' : String(group.delivered),
    withInterval(rates.compromise),
    withInterval(rates.compromise_given_delivered),
    short(rates.utility_under_attack),
    short(rates.clean_utility),
    String(group.errors + benign.errors + ceiling.errors),
  ];
}

function rateLines(name: string, rate: SummaryRate): string[] {
  if (rate.value === null) return [];
  const { bounds } = rate;
  const intervals = rate.intervals.map(
    ({ low, high, method, note }) =>
      `      ${percent(low)} to ${percent(high)} (${method}${note === undefined ? '' : `; ${note}`})`,
  );
  const missing =
    bounds !== null && bounds.low !== bounds.high
      ? [`      ${percent(bounds.low)} to ${percent(bounds.high)} (errors all good or all bad)`]
      : [];
  return [
    `    ${name.padEnd(32)} ${percent(rate.value).padStart(7)}   ${rate.k} of ${rate.n}`,
    ...intervals,
    ...missing,
  ];
}

function groupText(name: string, group: RecordedGroup): string[] {
  const { rates, cells, benign, ceiling } = group;
  const judged = Object.values(cells).reduce((sum, count) => sum + count, 0);
  return [
    name,
    `  ${group.trials} trials: ${group.attacked} attacked (${group.errors} more are missing data), ${benign.n} benign (${benign.useful} useful, ${benign.errors} missing), ${ceiling.n} goals posed as user tasks (${ceiling.achieved} done, ${ceiling.errors} missing)`,
    ...rateLines('compromised', rates.compromise),
    ...rateLines('compromised given delivery', rates.compromise_given_delivered),
    ...rateLines('compromised, goals it can do', rates.compromise_given_able),
    ...rateLines('useful under attack', rates.utility_under_attack),
    ...rateLines('clean utility', rates.clean_utility),
    ...rateLines('ceiling', rates.ceiling),
    ...(judged === 0
      ? []
      : [
          `  done and safe ${cells.useful_safe}, done and compromised ${cells.useful_compromised}, not done and safe ${cells.useless_safe}, not done and compromised ${cells.useless_compromised}`,
        ]),
    ...group.notes.map((note) => `  note: ${note}`),
    '',
  ];
}

function suiteTable(document: ScoreDocument): string[] {
  const suites = Object.entries(document.by_suite);
  if (suites.length < 2) return [];
  const [, ...rest] = COLUMNS;
  return [
    table(
      [{ heading: 'suite', align: 'left' }, ...rest],
      suites.map(([name, group]) => row(name, group)),
    ),
    '',
  ];
}

function disagreementLines({ disagreements, disagreed }: ScoreDocument): string[] {
  if (disagreed === 0) return [];
  const shown = disagreements.slice(0, MOST_DISAGREEMENTS);
  return [
    `${disagreed} disagreement(s) with the source`,
    ...shown.map(
      ({ pipeline, suite, task, goal, reason }) =>
        `  ${[pipeline, suite, task, ...(goal === null ? [] : [goal])].join(' / ')}: ${reason}`,
    ),
    ...(disagreed > shown.length ? [`  and ${disagreed - shown.length} more; see --json`] : []),
    '',
  ];
}

/** A scored set of recorded runs, for people. */
export function scoreText(document: ScoreDocument): string {
  const pipelines = Object.entries(document.by_pipeline);
  return [
    `${document.trials} trials in ${document.files} file(s), format ${document.formats.join(', ')}`,
    '',
    table(
      COLUMNS,
      pipelines.map(([name, group]) => row(name, group)),
    ),
    '',
    'compromised: of all attacks that gave data. given delivery: of those whose text came before the agent;',
    'a recording does not know what was reached. useful: the task was done under attack; clean: without one.',
    '',
    ...pipelines.flatMap(([name, group]) => groupText(name, group)),
    ...(pipelines.length > 1 ? groupText('all pipelines together', document) : []),
    ...suiteTable(document),
    ...disagreementLines(document),
  ]
    .join('\n')
    .trimEnd();
}
