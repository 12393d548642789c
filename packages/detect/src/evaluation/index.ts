export {
  type EvaluateOptions,
  type Evaluation,
  evaluate,
  type Firing,
  type Group,
  type Mistake,
} from './evaluate.js';
export { guessLanguage } from './guess-language.js';
export { areaInterval, f1Interval, type Interval, wilson } from './intervals.js';
export type { LabelledText } from './labelled-text.js';
export { type Confusion, confusion, confusionOf } from './metrics.js';
export { averagePrecision, type Ranked, rocArea } from './ranking.js';
export { evaluationMarkdown, percent } from './report.js';
