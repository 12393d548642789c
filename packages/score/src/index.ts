export { ScoreError, type ScoreErrorCode } from './errors.js';
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
export type { Trial } from './trial.js';
