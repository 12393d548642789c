export { unfinishedScheme } from './bare-urls.js';
export {
  canaryDetection,
  checkOutput,
  EXFIL_TAGS,
  linkChecker,
  type OutputChecker,
  type OutputOptions,
  outputChecker,
} from './check-output.js';
export { heldTargets, unfinishedTarget } from './links.js';
