export {
  type Classification,
  type Classifier,
  createClassifier,
  type WeighedTerm,
} from './classifier.js';
export type { ClassifierModel } from './model-file.js';
export type { StrongFeature, StrongFeatures } from './strong-features.js';
export {
  PROTOCOL_VERSION,
  type TrainingReport,
  type TrainingResult,
  type TrainOptions,
  trainClassifier,
} from './train.js';
export type { TrainingText } from './training-set.js';
export type { CountedRate, SourceSummary, TrainingSummary } from './training-summary.js';
