export { CliError } from './errors.js';
export type { ExitStatus, Io } from './io.js';
export { run, type Surroundings } from './run.js';
