import type { CommandModule } from 'yargs';
import { CliError } from './errors.js';

interface Words {
  readonly [name: string]: unknown;
  readonly _: readonly (string | number)[];
}

/**
 * Puts the words after `--` where the command has a place for them. yargs leaves them aside, and `pab scan -- "$TEXT"`
 * would scan nothing.
 *
 * @throws {CliError} when there is no place for them
 */
export function placeAfterDashes<T extends Words>(args: T, command: string): T {
  const rest = args._.slice(1).map(String);
  const placed: Record<string, unknown> = {};
  for (const [, name = '', several] of command.matchAll(/[<[](\w+)(\.\.)?[\]>]/g)) {
    const given = args[name];
    if (several !== undefined) {
      placed[name] = [...(Array.isArray(given) ? (given as unknown[]) : []), ...rest.splice(0)];
    } else if (given === undefined && rest.length > 0) placed[name] = rest.shift();
  }
  if (rest.length > 0) {
    const [first = ''] = command.split(' ');
    throw new CliError(
      `"${rest[0] ?? ''}" is one word too many here; \`pab ${first} --help\` shows what it takes`,
    );
  }
  return { ...args, ...placed };
}

/** The command, with the words after `--` in place. */
export function withAfterDashes<T>(module: CommandModule<object, T>): CommandModule<object, T> {
  const { command, handler } = module;
  if (typeof command !== 'string') return module;
  return {
    ...module,
    handler: (args) => handler(args._.length > 1 ? placeAfterDashes(args, command) : args),
  };
}
