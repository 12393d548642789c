export { deliveredInText } from './recorded/fold-delivery.js';
export { type ReadRunsOptions, readRuns } from './recorded/read-runs.js';
export {
  type RecordedItem,
  type RecordedKind,
  type RecordedTrial,
  RUN_FORMATS,
  type RunFormat,
  type ScenarioClaim,
} from './recorded/recorded-trial.js';
