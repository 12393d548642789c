import type { CommandModule } from 'yargs';
import type { Io } from '../io.js';
import { canaryCommand } from './canary.js';
import { compareCommand } from './compare.js';
import { compileCommand } from './compile.js';
import { describeCommand } from './describe.js';
import { evalCommand } from './eval.js';
import { harvestCommand } from './harvest.js';
import { leaderboardCommand } from './leaderboard.js';
import { listCommand } from './list.js';
import { matrixCommand } from './matrix.js';
import { mergeCommand } from './merge.js';
import { reportCommand } from './report.js';
import { rulesCommand } from './rules.js';
import { runCommand } from './run.js';
import { scanCommand } from './scan.js';
import { scoreCommand } from './score.js';
import { serveCommand } from './serve.js';
import { testRulesCommand } from './test-rules.js';
import { trainCommand } from './train.js';
import { validateCommand } from './validate.js';
import { verifyCommand } from './verify.js';
import { viewCommand } from './view.js';

/** A command, made when the command line is built. What it needs is imported by its handler, so `pab --help` loads none of it. */
export interface Command {
  readonly name: string;
  // The argument types differ from command to command; yargs checks them by the builder.
  readonly create: (io: Io) => CommandModule<object, never>;
}

const command = <Arguments>(
  name: string,
  create: (io: Io) => CommandModule<object, Arguments>,
): Command => ({ name, create: create as unknown as Command['create'] });

export const commands: readonly Command[] = [
  command('run', runCommand),
  command('matrix', matrixCommand),
  command('validate', validateCommand),
  command('verify', verifyCommand),
  command('compare', compareCommand),
  command('merge', mergeCommand),
  command('leaderboard', leaderboardCommand),
  command('report', reportCommand),
  command('view', viewCommand),
  command('list', listCommand),
  command('describe', describeCommand),
  command('compile', compileCommand),
  command('harvest', harvestCommand),
  command('score', scoreCommand),
  command('scan', scanCommand),
  command('rules', rulesCommand),
  command('test-rules', testRulesCommand),
  command('eval', evalCommand),
  command('train', trainCommand),
  command('canary', canaryCommand),
  command('serve', serveCommand),
];
