import trained from '../model/pb-ml.json' with { type: 'json' };
import type { ClassifierModel } from './classifier/model-file.js';

/** PB-ML as trained by `pab train`; give it to `createClassifier`. See docs/detector-ml-card.md. */
export const model: ClassifierModel = trained as ClassifierModel;
