export { ScoreError, type ScoreErrorCode } from './errors.js';
export { judge } from './judge.js';
export {
  DELIVERIES,
  type Delivery,
  type InjectionStages,
  JUDGE_VERSION,
  type Judgement,
  OUTCOMES,
  type Outcome,
  type Stages,
} from './judgement.js';
export { LEAK_STEPS, type LeakFinding, type LeakStep } from './leak/finding.js';
export { findValue } from './oracle/evaluate.js';
export { linearRegexProblem } from './oracle/linear-regexes.js';
export { REFUSALS_VERSION, refusalIn } from './oracle/refusals.js';
export type {
  AttackCounts,
  Breakdown,
  ControlCounts,
  Rate,
  Rates,
  Summary,
  SummaryCorpus,
  SummaryInterval,
  SummaryOptions,
  TwinCounts,
} from './summarise/summary.js';
export { parseTrial, Trial, type TrialNames, trialOf } from './trial.js';
