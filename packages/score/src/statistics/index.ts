export {
  clopperPearsonInterval,
  type IntervalOptions,
  wilsonInterval,
} from './binomial-intervals.js';
export { normalCdf, normalQuantile } from './normal-distribution.js';
export { quantile } from './quantile.js';
export { createRandom, RANDOM_NAME, type Random } from './random.js';
export { type Counts, DEFAULT_CONFIDENCE, type Interval, type Rate, rateOf } from './rate.js';
export { studentCdf, studentQuantile } from './student-distribution.js';
