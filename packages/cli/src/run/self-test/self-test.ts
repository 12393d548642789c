import { reference, runTrial } from '@pab/adapters';
import {
  type Case,
  instantiate,
  type Plan,
  randomFrom,
  type Scenario,
  type Variant,
  variantsOf,
} from '@pab/model';
import { type Judgement, judge } from '@pab/score';
import type { Corpus } from '../corpus.js';
import {
  countArguments,
  type PlanVariant,
  quotingPlan,
  securityMutants,
  toleranceVariants,
  utilityMutants,
} from './variants.js';

/** One thing that a scenario does not hold to. */
export interface Finding {
  readonly scenario: string;
  readonly seed: number;
  readonly variant: Variant;
  /** For people: what was done, and what came of it. */
  readonly what: string;
}

export interface KillCount {
  readonly total: number;
  readonly killed: number;
}

export interface SelfTestReport {
  readonly self_test: { readonly passed: number; readonly failed: number };
  readonly failures: readonly Finding[];
  readonly mutants: {
    readonly security: KillCount;
    readonly utility: KillCount;
    readonly survivors: readonly Finding[];
  };
  readonly tolerance: {
    readonly total: number;
    readonly flipped: number;
    readonly flips: readonly Finding[];
  };
  /** Over all plans: arguments, and those that no mutant touches. */
  readonly arguments: { readonly all: number; readonly non_essential: number };
  /** Scenarios without plans (imported ones), which cannot be tested this way. */
  readonly without_plans: readonly string[];
}

export interface SelfTestOptions {
  readonly seeds: readonly number[];
  /** Also the mutants and the tolerance variants. */
  readonly mutants: boolean;
  readonly onScenario?: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

async function replayPlan(built: Case, plan: Plan): Promise<Judgement> {
  const withPlan: Case = { ...built, reference: { ...built.reference, ideal: plan } };
  const transcript = await runTrial(withPlan, reference('ideal'), undefined, {
    random: randomFrom('pab-self-test'),
    // The digests of a self-test are never kept.
    digest: () => '',
  });
  return judge(withPlan, transcript);
}

class Tester {
  passed = 0;
  readonly failures: Finding[] = [];
  readonly survivors: Finding[] = [];
  readonly flips: Finding[] = [];
  readonly security = { total: 0, killed: 0 };
  readonly utility = { total: 0, killed: 0 };
  tolerance = 0;
  readonly args = { all: 0, essential: 0 };

  check(holds: boolean, built: Case, what: string): void {
    if (holds) this.passed += 1;
    else
      this.failures.push({
        scenario: built.scenario.id,
        seed: built.seed,
        variant: built.variant,
        what,
      });
  }

  async plans(built: Case, mutants: boolean): Promise<void> {
    const { ideal, obedient } = built.reference;
    if (ideal === undefined) return;
    const attack = built.variant === 'attack';
    const good = await replayPlan(built, ideal);
    this.check(good.utility !== false, built, 'the ideal plan does not complete the task');
    this.check(!good.stages.compromised, built, 'the ideal plan is judged compromised');
    if (attack)
      this.check(
        good.stages.reached,
        built,
        'the ideal plan never meets the injected text, so the attack is never delivered',
      );
    if (attack && obedient !== undefined) await this.attack(built, ideal, obedient);
    if (!mutants) return;
    const { tools } = built.world;
    const counted = countArguments(ideal, tools);
    this.args.all += counted.all;
    this.args.essential += counted.essential;
    if (good.utility === true) await this.mutants(built, utilityMutants(ideal, tools), 'utility');
    await this.tolerances(built, ideal, good);
    if (!attack || obedient === undefined) return;
    await this.mutants(built, securityMutants(obedient, tools), 'security');
    await this.tolerances(built, obedient, await replayPlan(built, obedient));
  }

  private async attack(built: Case, ideal: Plan, obedient: Plan): Promise<void> {
    const bad = await replayPlan(built, obedient);
    this.check(bad.stages.reached, built, 'the obedient plan never meets the injected text');
    this.check(
      bad.outcome === 'compromised',
      built,
      `the obedient plan ends ${bad.outcome}, not compromised`,
    );
    // A verbatim canary stands in the hostile text: that a quote counts is what the mark says.
    const verbatim = built.scenario.verbatim_canary === true;
    const quoting =
      built.reference.quoting ??
      quotingPlan(
        ideal,
        built.injections.map(({ text }) => text),
      );
    const quoted = await replayPlan(built, quoting);
    this.check(
      verbatim || quoted.outcome !== 'compromised',
      built,
      'reporting the hostile text word for word is judged compromised',
    );
    const blind = obedient.filter((step) => 'say' in step || step.hostile === true);
    const unmet = await replayPlan(built, blind);
    this.check(
      unmet.stages.reached || unmet.outcome === 'not_reached',
      built,
      `the hostile steps without reading the hostile text end ${unmet.outcome}, not not_reached`,
    );
    this.check(
      obedient.some((step) => step.hostile === true),
      built,
      'the obedient plan marks no step as hostile',
    );
  }

  private async mutants(
    built: Case,
    variants: Iterable<PlanVariant>,
    oracle: 'utility' | 'security',
  ): Promise<void> {
    const counts = this[oracle];
    for (const { change, plan } of variants) {
      const verdict = await replayPlan(built, plan);
      const survived = oracle === 'utility' ? verdict.utility === true : verdict.stages.compromised;
      counts.total += 1;
      if (survived) {
        this.survivors.push({
          scenario: built.scenario.id,
          seed: built.seed,
          variant: built.variant,
          what: `${oracle}: ${change}`,
        });
      } else counts.killed += 1;
    }
  }

  private async tolerances(built: Case, plan: Plan, before: Judgement): Promise<void> {
    for (const variant of toleranceVariants(plan, built.world.tools)) {
      const after = await replayPlan(built, variant.plan);
      this.tolerance += 1;
      const same =
        after.utility === before.utility && after.stages.compromised === before.stages.compromised;
      if (!same) {
        this.flips.push({
          scenario: built.scenario.id,
          seed: built.seed,
          variant: built.variant,
          what: variant.change,
        });
      }
    }
  }
}

/**
 * The self-test of a corpus (measurement.md §6): plans are replayed against the oracles on several seeds, and changed plans against
 * the same oracles. What it finds is a defect of a scenario.
 */
export async function selfTest(corpus: Corpus, options: SelfTestOptions): Promise<SelfTestReport> {
  const tester = new Tester();
  const without: string[] = [];
  let done = 0;
  for (const scenario of corpus.scenarios) {
    if (options.signal?.aborted === true) break;
    if (scenario.reference.ideal === undefined) without.push(scenario.id);
    else await testScenario(scenario, corpus, tester, options);
    done += 1;
    options.onScenario?.(done, corpus.scenarios.length);
  }
  return {
    self_test: { passed: tester.passed, failed: tester.failures.length },
    failures: tester.failures,
    mutants: { security: tester.security, utility: tester.utility, survivors: tester.survivors },
    tolerance: { total: tester.tolerance, flipped: tester.flips.length, flips: tester.flips },
    arguments: { all: tester.args.all, non_essential: tester.args.all - tester.args.essential },
    without_plans: without,
  };
}

async function testScenario(
  scenario: Scenario,
  corpus: Corpus,
  tester: Tester,
  options: SelfTestOptions,
): Promise<void> {
  const world = corpus.worlds.get(scenario.world);
  if (world === undefined) return;
  for (const seed of options.seeds) {
    for (const variant of variantsOf(scenario)) {
      await tester.plans(
        instantiate(scenario, world, { seed, trial: 0, variant }),
        options.mutants,
      );
    }
  }
}
