import { printable } from '@pab/model';
import { type Comparison, type MetricComparison, MORE_IS_WORSE } from '@pab/score';
import { percent } from '../output/percent.js';
import { table } from '../output/table.js';

const points = (share: number | null): string =>
  share === null ? 'n/a' : `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}`;

const probability = (p: number | null): string =>
  p === null ? 'n/a' : p < 0.0001 ? '<.0001' : p.toFixed(4).replace(/^0/, '');

function verdict({ metric, different, difference, equivalence, pairs }: MetricComparison): string {
  if (pairs === 0 || difference === null) return 'no pairs';
  if (different) return difference > 0 === MORE_IS_WORSE[metric] ? 'worse' : 'better';
  return equivalence.equivalent ? 'equivalent' : 'not shown';
}

const right = (heading: string) => ({ heading, align: 'right' as const });

/** A comparison for people, 80 columns wide for the built-in names. */
export function comparisonText(comparison: Comparison): string {
  const { first, second, metrics, pairs, changed, notes } = comparison;
  const rows = metrics.map((held) => {
    const clustered = held.intervals.at(-1);
    return [
      held.metric,
      String(held.pairs),
      percent(held.first),
      percent(held.second),
      clustered === undefined
        ? 'n/a'
        : `${points(held.difference)} [${points(clustered.low)}, ${points(clustered.high)}]`,
      probability(held.pairs === 0 ? null : held.mcNemar.exact),
      probability(held.pairs === 0 ? null : held.permutation.p),
      probability(held.adjustedP),
      held.detectable === null ? 'n/a' : (held.detectable * 100).toFixed(1),
      verdict(held),
    ];
  });
  const shown = changed.slice(0, 10);
  const list = shown.map(
    ({ scenario, variant, gone, come }) =>
      `  ${scenario} (${variant}): ${come > 0 ? `${come} trial(s) compromised that were not` : ''}${come > 0 && gone > 0 ? ', ' : ''}${gone > 0 ? `${gone} no longer compromised` : ''}`,
  );
  return [
    `A  ${first.name}: ${first.target} × ${first.defense}`,
    `B  ${second.name}: ${second.target} × ${second.defense}`,
    `${pairs} pairs by scenario, variant and trial`,
    '',
    table(
      [
        { heading: 'metric', align: 'left' },
        right('pairs'),
        right('A'),
        right('B'),
        right('B - A, points [95 %]'),
        right('McNemar'),
        right('permuted'),
        right('Holm'),
        right('least'),
        { heading: '', align: 'left' },
      ],
      rows,
    ),
    '',
    'B - A: with the interval clustered by goal or task. McNemar takes pairs as independent;',
    'permuted is clustered; Holm corrects it for all metrics. least: points that this size shows',
    'with a chance of 80 %. equivalent: within 2 points. not shown: neither a difference nor none.',
    ...(list.length > 0 ? ['', 'Attacks that came out otherwise', ...list] : []),
    ...(changed.length > shown.length ? [`  … and ${changed.length - shown.length} more`] : []),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `note: ${note}`)] : []),
  ]
    .flatMap((text) => text.split('\n'))
    .map(printable)
    .join('\n');
}
