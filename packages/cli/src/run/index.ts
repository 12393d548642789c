export { compareRuns } from '../audit/compare-runs.js';
export { mergeRuns } from '../audit/merge-runs.js';
export { type OpenRun, openRun, summaryOf } from '../audit/open-run.js';
export { verifyRun } from '../audit/verify-run.js';
export { type Budget, createBudget, type Price } from './budget.js';
export { bundledCorpusFile } from './bundled-corpus.js';
export {
  type Corpus,
  type LoadOutcome,
  loadBundledCorpus,
  loadCorpus,
  loadSoundCorpus,
} from './corpus.js';
export { type Executed, type ExecuteOptions, execute } from './execute.js';
export { inOrder } from './in-order.js';
export type { RunManifest } from './manifest.js';
export { type RunOptions, type RunResult, runBenchmark } from './run-benchmark.js';
export {
  manifestFile,
  readTranscripts,
  readTrials,
  summaryFile,
  trialsFile,
} from './run-folder.js';
export { countTrials, type PlannedTrial, planTrials, type Selection, select } from './selection.js';
export {
  type Finding,
  type KillCount,
  type SelfTestOptions,
  type SelfTestReport,
  selfTest,
} from './self-test/self-test.js';
