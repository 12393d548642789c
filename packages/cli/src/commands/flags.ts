import type { Argv, CommandBuilder } from 'yargs';
import { CliError } from '../errors.js';

/** Flags that every command with data on stdout has. */
export function outputFlags<T>(command: Argv<T>) {
  return command
    .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
    .option('output', {
      type: 'string',
      requiresArg: true,
      describe: 'Write the data to this file instead',
    })
    .option('quiet', { type: 'boolean', default: false, describe: 'No progress and no words' });
}

/** Flags that choose scenarios. */
export function selectionFlags<T>(command: Argv<T>) {
  return command
    .option('corpus', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'Files or folders instead of the bundled corpus',
    })
    .option('channel', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'Only these channels',
    })
    .option('family', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'Only these families',
    })
    .option('id', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'Only these scenarios',
    })
    .option('kind', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'attack or control',
    })
    .option('limit', { type: 'number', requiresArg: true, describe: 'At most so many scenarios' });
}

/** Flags of a run. */
export function runFlags<T>(command: Argv<T>) {
  return selectionFlags(command)
    .option('trials', {
      type: 'number',
      default: 1,
      requiresArg: true,
      describe: 'Trials of each case',
    })
    .option('seed', {
      type: 'number',
      default: 0,
      requiresArg: true,
      describe: 'Seed of all placeholders and nonces',
    })
    .option('concurrency', {
      type: 'number',
      default: 4,
      requiresArg: true,
      describe: 'Trials at once',
    })
    .option('max-steps', {
      type: 'number',
      default: 15,
      requiresArg: true,
      describe: 'Model calls for each turn',
    })
    .option('timeout', { type: 'number', requiresArg: true, describe: 'Seconds for each trial' })
    .option('twins', {
      type: 'boolean',
      default: true,
      describe: 'Benign twins too (--no-twins leaves them out)',
    })
    .option('provenance', {
      choices: ['part', 'message'] as const,
      default: 'part' as const,
      describe: 'What a defense can tell apart',
    })
    .option('max-tokens', {
      type: 'number',
      requiresArg: true,
      describe: 'Stop when so many tokens were used',
    })
    .option('max-cost', {
      type: 'number',
      requiresArg: true,
      describe: 'Stop at so many US dollars (needs --prices)',
    })
    .option('prices', {
      type: 'string',
      requiresArg: true,
      describe: 'JSON file: dollars for a million tokens, by target',
    })
    .option('max-failures', {
      type: 'number',
      default: 10,
      requiresArg: true,
      describe: 'Stop when so many trials in a row do not get through to the model (0: go on)',
    })
    .option('rpm', { type: 'number', requiresArg: true, describe: 'Model calls a minute at most' })
    .option('fail-on', {
      type: 'string',
      requiresArg: true,
      describe: 'What makes it fail, e.g. "compromised>5%"',
    });
}

/** A whole number within bounds; yargs gives NaN and lists for what is not one. */
export function wholeNumber(
  name: string,
  value: unknown,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max)
    return value;
  if (typeof value === 'number' && Number.isNaN(value))
    throw new CliError(`--${name} is a whole number, and what was given is none`);
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new CliError(`--${name} is a whole number ${range}, not ${String(value)}`);
}

export function positive(name: string, value: unknown, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === 'number' && value > 0 && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? 'above 0' : `above 0 and at most ${max}`;
  throw new CliError(`--${name} is a number ${range}, not ${String(value)}`);
}

/** One value of a flag that may be given once. */
export function once(name: string, value: unknown): string | undefined {
  if (value === '') throw new CliError(`--${name} is empty; is a variable of your script not set?`);
  if (value === undefined || typeof value === 'string') return value;
  throw new CliError(`--${name} may be given once`);
}

/**
 * A builder whose flags are written with hyphens and read in camel case, which yargs does and its types do not know.
 */
export function builder<Arguments>(
  build: (command: Argv) => unknown,
): CommandBuilder<object, Arguments> {
  return build as unknown as CommandBuilder<object, Arguments>;
}
