export {
  checkOutput,
  EXFIL_TAGS,
  type OutputChecker,
  type OutputOptions,
  outputChecker,
} from './check-output.js';
export { heldTargets, unfinishedTarget } from './links.js';
