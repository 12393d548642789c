export {
  clopperPearsonInterval,
  type IntervalOptions,
  wilsonInterval,
} from './binomial-intervals.js';
export {
  type CeilingSplit,
  type Interpretation,
  type InterpretationFloors,
  interpret,
  splitByCeiling,
} from './ceiling.js';
export { type ClusterBootstrapOptions, clusterInterval } from './cluster-bootstrap.js';
export {
  type ClusterTotal,
  type ClusterTotals,
  type CrossedTotal,
  type CrossedTotals,
  createClusterTotals,
  createCrossedTotals,
} from './cluster-totals.js';
export {
  type DetectableEffectOptions,
  designEffect,
  intraClusterCorrelation,
  pairedDetectableEffect,
  unpairedDetectableEffect,
} from './detectable-effect.js';
export {
  averagePrecision,
  type DetectionOptions,
  type DetectionSummary,
  type ScoredText,
  summariseDetection,
} from './detection.js';
export { type ErrorBounds, errorBounds } from './error-bounds.js';
export { holmAdjust } from './holm.js';
export { type McNemarResult, mcNemarTest } from './mcnemar.js';
export { normalCdf, normalQuantile } from './normal-distribution.js';
export {
  type Confusion,
  type DetectedExecuted,
  detectedExecuted,
  type Metric,
  type OperatingPoint,
  operatingPoint,
} from './operating-point.js';
export {
  type EquivalenceOptions,
  type EquivalenceResult,
  equivalenceTest,
  type PairedDifference,
  type PairedOptions,
  pairedDifference,
} from './paired-difference.js';
export { createPairedTotals, type PairedTotal, type PairedTotals } from './paired-totals.js';
export { type PermutationResult, pairedPermutationTest } from './permutation-test.js';
export { type PigeonholeOptions, pigeonholeInterval } from './pigeonhole-bootstrap.js';
export { quantile } from './quantile.js';
export { createRandom, RANDOM_NAME, type Random } from './random.js';
export { type Counts, DEFAULT_CONFIDENCE, type Interval, type Rate, rateOf } from './rate.js';
export { clusteredRate, crossedRate } from './rate-intervals.js';
export {
  attackSuccessAt,
  averageRepeats,
  flipRate,
  passAll,
  type RepeatedTrials,
  type RepeatSummary,
} from './repeats.js';
export { DEFAULT_RESAMPLES, FEWEST_CLUSTERS, type ResamplingOptions } from './resampling.js';
export { studentCdf, studentQuantile } from './student-distribution.js';
