import type { RunFormat } from '@pab/harvest/runs';
import type { CommandModule } from 'yargs';
import type { Io } from '../io.js';
import { builder, outputFlags } from './flags.js';

export interface ScoreArguments {
  readonly files: readonly string[];
  readonly format?: RunFormat | undefined;
  readonly pipeline?: string | undefined;
  readonly spikee?: 'model' | 'guard' | 'guard-bypassed' | undefined;
  readonly threshold?: number | undefined;
  readonly seed: number;
  readonly resamples: number;
  readonly rejects?: string | undefined;
  readonly scenario?: string | undefined;
  readonly variant?: 'attack' | 'twin' | undefined;
  readonly trial: number;
  readonly corpus?: readonly string[] | undefined;
  readonly json: boolean;
  readonly jsonl: boolean;
  readonly output?: string | undefined;
  readonly quiet: boolean;
}

// The same list as RUN_FORMATS of @pab/harvest/runs, which is not loaded for `--help`; a test keeps them equal.
export const FORMATS = [
  'pab',
  'agentdojo',
  'inspect',
  'injecagent',
  'asb',
  'spikee',
  'garak',
  'promptfoo',
  'tau',
  'openai',
  'anthropic',
  'otel',
] as const satisfies readonly RunFormat[];

/** `pab score`: rates with intervals from runs that others recorded, or from transcripts of one's own agent. */
export function scoreCommand(io: Io): CommandModule<object, ScoreArguments> {
  return {
    command: 'score <files..>',
    describe: 'Score recorded runs of other benchmarks, or transcripts of an agent',
    builder: builder((command) =>
      outputFlags(
        command.positional('files', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Files, folders, .tar.gz or .zip archives; - for standard input',
        }),
      )
        .option('format', {
          choices: FORMATS,
          requiresArg: true,
          describe: 'Told from each file unless given',
        })
        .option('pipeline', {
          type: 'string',
          requiresArg: true,
          describe: 'Name of the agent, in place of what the recording says',
        })
        .option('spikee', {
          choices: ['model', 'guard', 'guard-bypassed'] as const,
          requiresArg: true,
          describe: 'What success means in Spikee files',
        })
        .option('threshold', {
          type: 'number',
          requiresArg: true,
          describe: 'Detector score that is a hit in garak reports (0.5)',
        })
        .option('scenario', {
          type: 'string',
          requiresArg: true,
          describe: 'Judge chat transcripts against this scenario',
        })
        .option('variant', {
          choices: ['attack', 'twin'] as const,
          requiresArg: true,
          describe: 'With --scenario: the attack or its benign twin (attack)',
        })
        .option('trial', {
          type: 'number',
          default: 0,
          requiresArg: true,
          describe: 'With --scenario: number of the trial',
        })
        .option('corpus', {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'Files or folders instead of the bundled corpus',
        })
        .option('seed', {
          type: 'number',
          default: 0,
          requiresArg: true,
          describe: 'Seed of the bootstraps, and of the scenario',
        })
        .option('resamples', {
          type: 'number',
          default: 2000,
          requiresArg: true,
          describe: 'Bootstrap resamples',
        })
        .option('rejects', {
          type: 'string',
          requiresArg: true,
          describe: 'Write rows that could not be read to this file, one JSON a line',
        })
        .option('jsonl', {
          type: 'boolean',
          default: false,
          describe: 'One judged trial a line instead of the summary',
        })
        .example('$0 score agentdyn-runs.tar.gz --json', 'logs in the format of AgentDojo')
        .example('$0 score my-agent.jsonl --scenario SCENARIO-ID', "an agent's own transcripts"),
    ),
    handler: async (args) => {
      const { score } = await import('../score/score.js');
      await score(args, io);
    },
  };
}
