export type { Timers } from './trial/cancellation.js';
export { runTrial, type TrialOptions } from './trial/run-trial.js';
