import { TargetError } from '@pab/model';
import { planRunner } from './plan-runner.js';
import { type SimulatedTarget, simulatedTarget } from './simulated.js';

export const PLAN_NAMES = ['ideal', 'obedient', 'quoting'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/**
 * Replays one plan of the scenario, whatever it is given; only for checking scenarios. A scenario that lacks the plan
 * is a trial that stops with the error `target-failed`.
 */
export function reference(plan: PlanName): SimulatedTarget {
  return simulatedTarget(`reference:${plan}`, undefined, (access) => {
    const steps = access.case.reference[plan];
    if (steps === undefined) {
      throw new TargetError('target-failed', `the scenario has no ${plan} plan`);
    }
    return planRunner(access, () => steps);
  });
}
