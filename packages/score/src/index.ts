export {
  type ChangedScenario,
  COMPARED,
  type ComparedMetric,
  type Comparison,
  type ComparisonOptions,
  type MetricComparison,
  MORE_IS_WORSE,
  type RunName,
} from './compare/comparison.js';
export { type ComparisonBuilder, createComparison } from './compare/create-comparison.js';
export { type DifferenceGate, parseDifferenceGate, trippedGates } from './compare/gate.js';
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
export {
  createRecordedSummary,
  type RecordedSummaryBuilder,
} from './recorded/create-recorded-summary.js';
export { judgeRecorded } from './recorded/judge-recorded.js';
export type {
  Disagreement,
  RecordedFacts,
  RecordedJudgement,
  RecordedOutcome,
} from './recorded/recorded-facts.js';
export type {
  RecordedGroup,
  RecordedPipeline,
  RecordedSummary,
  RecordedSummaryOptions,
} from './recorded/recorded-summary.js';
export { agentDojoLog } from './report/agentdojo-log.js';
export {
  type Leaderboard,
  leaderboardHtml,
  leaderboardMarkdown,
  type RefusedRun,
  rankedRuns,
} from './report/html-leaderboard.js';
export {
  type HtmlReportOptions,
  htmlReport,
  MOST_TRANSCRIPTS,
  type ShownTranscript,
} from './report/html-report.js';
export {
  type ArchiveFile,
  inspectHeader,
  inspectSample,
  inspectSummary,
} from './report/inspect-log.js';
export { junitXml } from './report/junit.js';
export { markdownReport } from './report/markdown.js';
export { type Fault, faultOf, type ReportRun } from './report/report-run.js';
export { sarifLog } from './report/sarif.js';
export {
  attackSuccessAt,
  averagePrecision,
  averageRepeats,
  type CeilingSplit,
  type ClusterBootstrapOptions,
  type ClusterTotal,
  type ClusterTotals,
  type Confusion,
  type Counts,
  type CrossedTotal,
  type CrossedTotals,
  clopperPearsonInterval,
  clusteredRate,
  clusterInterval,
  createClusterTotals,
  createCrossedTotals,
  createPairedTotals,
  createRandom,
  crossedRate,
  DEFAULT_CONFIDENCE,
  DEFAULT_RESAMPLES,
  type DetectableEffectOptions,
  type DetectedExecuted,
  type DetectionOptions,
  type DetectionSummary,
  designEffect,
  detectedExecuted,
  type EquivalenceOptions,
  type EquivalenceResult,
  type ErrorBounds,
  equivalenceTest,
  errorBounds,
  FEWEST_CLUSTERS,
  flipRate,
  holmAdjust,
  type Interpretation,
  type InterpretationFloors,
  type Interval,
  type IntervalOptions,
  interpret,
  intraClusterCorrelation,
  type McNemarResult,
  type Metric,
  mcNemarTest,
  normalCdf,
  normalQuantile,
  type OperatingPoint,
  operatingPoint,
  type PairedDifference,
  type PairedOptions,
  type PairedTotal,
  type PairedTotals,
  type PermutationResult,
  type PigeonholeOptions,
  pairedDetectableEffect,
  pairedDifference,
  pairedPermutationTest,
  passAll,
  pigeonholeInterval,
  quantile,
  RANDOM_NAME,
  type Random,
  type Rate,
  type RepeatedTrials,
  type RepeatSummary,
  type ResamplingOptions,
  rateOf,
  type ScoredText,
  splitByCeiling,
  studentCdf,
  studentQuantile,
  summariseDetection,
  unpairedDetectableEffect,
  wilsonInterval,
} from './statistics/index.js';
export { createSummary, summarise } from './summarise/create-summary.js';
export type {
  AttackCounts,
  Breakdown,
  ControlCounts,
  FinishOptions,
  Rates,
  Summary,
  SummaryBuilder,
  SummaryCorpus,
  SummaryOptions,
  SummaryRate,
  TwinCounts,
} from './summarise/summary.js';
export { parseTrial, Trial, type TrialOptions, trialOf } from './trial.js';
