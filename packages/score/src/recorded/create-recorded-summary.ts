import { ScoreError } from '../errors.js';
import { compareCodeUnits } from '../statistics/cluster-totals.js';
import { createGroupTotals, type GroupTotals } from './group-totals.js';
import { disagreementOf, judgeRecorded } from './judge-recorded.js';
import type { Disagreement, RecordedFacts, RecordedJudgement } from './recorded-facts.js';
import type {
  RecordedGroup,
  RecordedPipeline,
  RecordedSummary,
  RecordedSummaryOptions,
} from './recorded-summary.js';

const MOST_LISTED = 1000;
// A recording may name a pipeline of its own in every row; resampling each would take for ever.
const MOST_RESAMPLED = 200;
const DEFAULT_RESAMPLES = 2000;

/** Takes recorded trials one by one; its memory grows with pipelines, suites, tasks and goals, not with trials. */
export interface RecordedSummaryBuilder {
  /** Judges a trial and counts it. */
  add(facts: RecordedFacts): RecordedJudgement;
  /** @throws ScoreError `no-trials` when nothing was added: nothing is known, which is not 0 % */
  finish(): RecordedSummary;
}

interface Branch {
  readonly totals: GroupTotals;
  readonly suites: Map<string, GroupTotals>;
}

function emptyBranch(): Branch {
  return { totals: createGroupTotals(), suites: new Map() };
}

function totalsOf(suites: Map<string, GroupTotals>, name: string): GroupTotals {
  const known = suites.get(name) ?? createGroupTotals();
  suites.set(name, known);
  return known;
}

function sorted<In, Out>(
  entries: ReadonlyMap<string, In>,
  finish: (value: In) => Out,
): Record<string, Out> {
  // `fromEntries` defines properties, so a suite called `__proto__` stays a plain key.
  return Object.fromEntries(
    [...entries]
      .toSorted(([a], [b]) => compareCodeUnits(a, b))
      .map(([name, value]) => [name, finish(value)]),
  );
}

/** Opens an empty summary of recorded runs. */
export function createRecordedSummary({
  seed,
  resamples = DEFAULT_RESAMPLES,
}: RecordedSummaryOptions): RecordedSummaryBuilder {
  const all = emptyBranch();
  const pipelines = new Map<string, Branch>();
  const formats = new Set<string>();
  const disagreements: Disagreement[] = [];
  let disagreed = 0;
  let trials = 0;
  const suiteDetail = (): 'clustered' | 'plain' => {
    let groups = all.suites.size;
    for (const { suites } of pipelines.values()) groups += suites.size;
    return groups > MOST_RESAMPLED ? 'plain' : 'clustered';
  };
  const suitesOf = (
    suites: Map<string, GroupTotals>,
    pooled: boolean,
  ): Record<string, RecordedGroup> =>
    sorted(suites, (totals) => totals.finish({ seed, resamples, detail: suiteDetail(), pooled }));
  return {
    add(facts) {
      const judgement = judgeRecorded(facts);
      trials += 1;
      formats.add(facts.format);
      const branch = pipelines.get(facts.pipeline) ?? emptyBranch();
      pipelines.set(facts.pipeline, branch);
      for (const { totals, suites } of [all, branch]) {
        totals.add(facts, judgement.outcome);
        totalsOf(suites, facts.suite).add(facts, judgement.outcome);
      }
      const differs = disagreementOf(facts, judgement);
      if (differs !== null) {
        disagreed += 1;
        if (disagreements.length < MOST_LISTED) disagreements.push(differs);
      }
      return judgement;
    },
    finish() {
      if (trials === 0)
        throw new ScoreError('no-trials', 'there are no trials, so there is no rate');
      const detail = pipelines.size > MOST_RESAMPLED ? 'plain' : 'crossed';
      const options = { seed, resamples, detail, pooled: false } as const;
      const pooled = pipelines.size > 1;
      return {
        schema: 1,
        formats: [...formats].toSorted(compareCodeUnits),
        ...all.totals.finish({ ...options, detail: 'crossed', pooled }),
        disagreed,
        disagreements,
        by_pipeline: sorted(
          pipelines,
          ({ totals, suites }): RecordedPipeline => ({
            ...totals.finish(options),
            by_suite: suitesOf(suites, false),
          }),
        ),
        by_suite: suitesOf(all.suites, pooled),
      };
    },
  };
}
