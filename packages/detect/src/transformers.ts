export { cutsFromBudget } from './transformer/cuts.js';
export {
  createTransformerDetector,
  type TransformerDetector,
  type TransformerOptions,
} from './transformer/detector.js';
export {
  type LoadedTransformer,
  type LoadOptions,
  loadTransformer,
} from './transformer/load.js';
export { readModelFolder, type TransformerFiles } from './transformer/model-folder.js';
export {
  type AttackProbability,
  attackProbability,
  type LabelScore,
  type ProbabilityOptions,
  type TextClassifier,
} from './transformer/probability.js';
export type { OnnxRuntime, OnnxSession } from './transformer/runtime.js';
