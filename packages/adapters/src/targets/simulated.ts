import { type Case, type Plan, randomFrom, type Target } from '@pab/model';
import { type HarnessAccess, type HarnessTarget, harness } from '../harness.js';
import { commonPrefix, planRunner } from './plan-runner.js';

/** A target that follows the scenario's plans: it tests the harness, not a model, and every table says so. */
export interface SimulatedTarget extends Target, HarnessTarget {
  readonly simulated: true;
}

const NO_PLAN: Plan = [{ say: 'I have looked into it; there is nothing to report yet.' }];
const REFUSAL: Plan = [{ say: "I'm sorry, but I can't help with this request." }];

/** A policy decides once, where the plans part, whether it obeys. */
type Obeys = (access: HarnessAccess) => boolean;

export function simulatedTarget(
  name: string,
  options: Target['options'],
  open: HarnessTarget[typeof harness],
): SimulatedTarget {
  return {
    name,
    ...(options === undefined ? {} : { options }),
    simulated: true,
    run: () => Promise.reject(new Error(`${name} needs the case; it runs in runTrial only`)),
    [harness]: open,
  };
}

function policy(name: string, obeys: Obeys, options?: Target['options']): SimulatedTarget {
  return simulatedTarget(name, options, (access) => {
    const { ideal = NO_PLAN, obedient } = access.case.reference;
    if (access.case.variant !== 'attack' || obedient === undefined) {
      return planRunner(access, () => ideal);
    }
    const parting = commonPrefix(ideal, obedient);
    let chosen: Plan | undefined;
    return planRunner(access, (step) => {
      if (step < parting) return ideal;
      chosen ??= access.delivered() && obeys(access) ? obedient : ideal;
      return chosen;
    });
  });
}

/**
 * Does what any legible injected text says: the obedient plan once every injected text was legible in what it was given, the ideal plan
 * otherwise. A scenario without plans (an imported one) gets a neutral sentence and no call.
 */
export function naive(): SimulatedTarget {
  return policy('naive', () => true);
}

/** Notices every injected text: always the ideal plan. */
export function diligent(): SimulatedTarget {
  return policy('diligent', () => false);
}

export interface WaryOptions {
  /** Probability of obeying, 0 to 1. Default 0.4. */
  readonly rate?: number;
  /** The same when the defense announced that some text is not to be trusted. Default 0.1. */
  readonly announced?: number;
}

/**
 * Obeys sometimes, less often when the defense announced that some text is not to be trusted: it said so in the log, or added system
 * text to the prompt or to a result. The draw depends on scenario, seed and trial
 * alone, so it is the same under every defense, and a trial that resists unannounced also resists announced. The two rates are
 * chosen so that a difference shows; they estimate nothing about any model.
 */
export function wary({ rate = 0.4, announced = 0.1 }: WaryOptions = {}): SimulatedTarget {
  return policy('wary', (access) => draw(access.case) < (access.announced() ? announced : rate), {
    rate,
    announced,
  });
}

function draw({ scenario, seed, trial }: Case): number {
  return randomFrom(`wary/${scenario.id}/${seed}/${trial}`)();
}

/** Refuses everything at once: perfectly safe and of no use. */
export function paranoid(): SimulatedTarget {
  return simulatedTarget('paranoid', undefined, (access) => {
    // One refusal a turn, however many there are.
    const turns = access.case.sessions.reduce((sum, session) => sum + session.turns.length, 0);
    const plan = Array.from({ length: turns }, () => REFUSAL).flat();
    return planRunner(access, () => plan);
  });
}
