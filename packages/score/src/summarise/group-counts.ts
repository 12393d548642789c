import type { Judgement } from '../judgement.js';
import type { AttackCounts, ControlCounts, TwinCounts } from './summary.js';

type Open<T> = { -readonly [Key in keyof T]: T[Key] };

/** Counts of one group of trials: the run, a channel, a family. */
export interface GroupCounts {
  readonly attacks: Open<AttackCounts>;
  readonly twins: Open<TwinCounts>;
  readonly controls: Open<ControlCounts>;
}

export function emptyCounts(): GroupCounts {
  return {
    attacks: {
      n: 0,
      reached: 0,
      delivered: 0,
      attempted: 0,
      executed: 0,
      compromised: 0,
      resisted: 0,
      withheld: 0,
      not_reached: 0,
      provider_blocked: 0,
      errors: 0,
    },
    twins: { n: 0, completed: 0, not_completed: 0, over_refused: 0, compromised: 0, errors: 0 },
    controls: { n: 0, completed: 0, not_completed: 0, over_refused: 0, errors: 0 },
  };
}

function countAttack(counts: Open<AttackCounts>, { outcome, stages, withheld }: Judgement): void {
  counts.n += 1;
  if (stages.reached) counts.reached += 1;
  if (stages.delivered !== 'none') counts.delivered += 1;
  if (stages.attempted) counts.attempted += 1;
  if (stages.executed) counts.executed += 1;
  if (withheld) counts.withheld += 1;
  if (outcome === 'error') counts.errors += 1;
  else if (
    outcome === 'compromised' ||
    outcome === 'resisted' ||
    outcome === 'not_reached' ||
    outcome === 'provider_blocked'
  ) {
    counts[outcome] += 1;
  }
}

function countBenign(counts: Open<ControlCounts>, { outcome }: Judgement): void {
  counts.n += 1;
  if (outcome === 'error') counts.errors += 1;
  else if (outcome === 'completed' || outcome === 'not_completed' || outcome === 'over_refused') {
    counts[outcome] += 1;
  }
}

export function countTrial({ attacks, twins, controls }: GroupCounts, judgement: Judgement): void {
  if (judgement.variant === 'attack') countAttack(attacks, judgement);
  else if (judgement.variant === 'control') countBenign(controls, judgement);
  else {
    countBenign(twins, judgement);
    if (judgement.stages.compromised) twins.compromised += 1;
  }
}
