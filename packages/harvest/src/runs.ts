export { deliveredInText } from './recorded/fold-delivery.js';
export {
  transcriptFromAnthropic,
  transcriptFromOpenAI,
  transcriptFromOtel,
} from './recorded/own-transcripts.js';
export { type ReadRunsOptions, readRuns } from './recorded/read-runs.js';
export {
  type RecordedItem,
  type RecordedKind,
  type RecordedTrial,
  RUN_FORMATS,
  type RunFormat,
  type ScenarioClaim,
} from './recorded/recorded-trial.js';
export type { RunReadOptions } from './recorded/run-reader.js';
export { type TranscriptOptions, transcriptFromMessages } from './recorded/transcript.js';
