import {
  CHANNELS,
  type Channel,
  didYouMean,
  FAMILIES,
  type Scenario,
  type Variant,
  variantsOf,
} from '@pab/model';
import { CliError } from '../errors.js';

/** Which scenarios of a corpus, and which of their cases. */
export interface Selection {
  readonly channels?: readonly string[] | undefined;
  readonly families?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  /** Benign twins of attacks; default true. */
  readonly twins?: boolean | undefined;
}

function checkNames(
  what: string,
  asked: readonly string[] | undefined,
  known: readonly string[],
): void {
  for (const name of asked ?? []) {
    if (!known.includes(name))
      throw new CliError(
        `there is no ${what} "${name}".${didYouMean(name, known)} \`pab list\` shows what there is`,
      );
  }
}

/** The scenarios that a selection names, in order of id. Selecting nothing is an error: zero cases prove nothing. */
export function select(scenarios: readonly Scenario[], selection: Selection): Scenario[] {
  const { channels, families, ids, kinds, limit } = selection;
  checkNames('channel', channels, CHANNELS);
  checkNames('family', families, FAMILIES);
  checkNames('kind', kinds, ['attack', 'control']);
  checkNames(
    'scenario',
    ids,
    scenarios.map(({ id }) => id),
  );
  const found = scenarios.filter(
    (scenario) =>
      (channels === undefined || channels.includes(scenario.channel satisfies Channel)) &&
      (families === undefined || families.includes(scenario.family)) &&
      (ids === undefined || ids.includes(scenario.id)) &&
      (kinds === undefined || kinds.includes(scenario.kind)),
  );
  if (limit !== undefined && limit < 1)
    throw new CliError('--limit must be at least 1; zero cases prove nothing');
  const limited = limit === undefined ? found : found.slice(0, limit);
  if (limited.length === 0)
    throw new CliError('no scenario fits these filters; zero cases prove nothing');
  return limited;
}

/** One trial of a plan. `index` is its place in the run, whatever shard or order it is run in. */
export interface PlannedTrial {
  readonly index: number;
  readonly scenario: Scenario;
  readonly variant: Variant;
  readonly trial: number;
}

/** All trials of a run in their one order: by scenario, variant, trial. */
export function* planTrials(
  scenarios: readonly Scenario[],
  { trials, twins = true }: { readonly trials: number; readonly twins?: boolean | undefined },
): Generator<PlannedTrial> {
  let index = 0;
  for (const scenario of scenarios) {
    for (const variant of variantsOf(scenario)) {
      if (variant === 'twin' && !twins) continue;
      for (let trial = 0; trial < trials; trial += 1) {
        yield { index, scenario, variant, trial };
        index += 1;
      }
    }
  }
}

export function countTrials(
  scenarios: readonly Scenario[],
  { trials, twins = true }: { readonly trials: number; readonly twins?: boolean | undefined },
): number {
  let cases = 0;
  for (const scenario of scenarios) {
    cases += variantsOf(scenario).filter((variant) => twins || variant !== 'twin').length;
  }
  return cases * trials;
}
