import { randomBytes } from 'node:crypto';
import type { CommandModule } from 'yargs';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';

export interface CanaryArguments {
  readonly count: number;
  readonly json: boolean;
}

const MOST = 10_000;

async function canary({ count, json }: CanaryArguments, io: Io): Promise<void> {
  if (!Number.isInteger(count) || count < 1 || count > MOST) {
    throw new CliError(`--count must be a whole number from 1 to ${MOST.toString()}`);
  }
  const { makeCanary } = await import('@pab/detect');
  const canaries = Array.from({ length: count }, () => makeCanary((size) => randomBytes(size)));
  io.stdout.write(
    json
      ? `${JSON.stringify({ canaries }, null, 2)}\n`
      : canaries.map((one) => `${one}\n`).join(''),
  );
}

/** `pab canary`: tripwire tokens for a system prompt; `pab scan --canary` looks for them. */
export function canaryCommand(io: Io): CommandModule<object, CanaryArguments> {
  return {
    command: 'canary',
    describe: 'Makes a tripwire token to hide in a system prompt',
    builder: (argv) =>
      argv
        .option('count', { type: 'number', requiresArg: true, default: 1, describe: 'How many' })
        .option('json', { type: 'boolean', default: false, describe: 'One JSON document' })
        .example('$0 canary', ''),
    handler: (args) => canary(args, io),
  };
}
