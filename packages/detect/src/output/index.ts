export { checkOutput, type OutputOptions } from './check-output.js';
