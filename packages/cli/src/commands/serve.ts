import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import { readTextFile } from '../detector/read-text.js';
import { scanAs, warmUp } from '../detector/scan-as.js';
import { buildScanner, type ScannerArguments, scannerFlags } from '../detector/scanner-flags.js';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { packageVersion } from '../version.js';

export interface ServeArguments extends ScannerArguments {
  readonly port: number;
  readonly host: string;
  readonly tokenFile?: string | undefined;
  readonly maxBytes: number;
  readonly concurrency: number;
  readonly quiet: boolean;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

function wholeNumber(value: number, flag: string, [least, most]: readonly [number, number]): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new CliError(
      `${flag} must be a whole number from ${least.toString()} to ${most.toString()}`,
    );
  }
}

async function tokenOf({ tokenFile, host }: ServeArguments, cwd: string) {
  if (tokenFile === undefined) {
    if (LOOPBACK.has(host)) return undefined;
    throw new CliError(`on ${host} others can reach the service: give it a --token-file`);
  }
  const token = (await readTextFile(tokenFile, cwd)).trim();
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new CliError(`${tokenFile} must hold one token: visible ASCII characters without blanks`);
  }
  return token;
}

async function runServe(args: ServeArguments, io: Io): Promise<void> {
  wholeNumber(args.port, '--port', [0, 65_535]);
  wholeNumber(args.maxBytes, '--max-bytes', [1, 100_000_000]);
  wholeNumber(args.concurrency, '--concurrency', [1, 100_000]);
  const token = await tokenOf(args, io.cwd);
  const { scanner, rulesetSize } = await buildScanner(args, { cwd: io.cwd });
  warmUp(scanner);
  const { createApp } = await import('../serve/app.js');
  const { listen } = await import('../serve/listen.js');
  const app = createApp({
    scan: (scope, text, canaries) => scanAs(scanner, text, { scope, canaries }),
    rulesetSize,
    scannerVersion: await packageVersion(),
    token,
    maxBytes: args.maxBytes,
    concurrency: args.concurrency,
    now: io.now,
    elapsed: io.elapsed,
    ...(args.quiet ? {} : { log: (line) => io.stderr.write(`${JSON.stringify(line)}\n`) }),
  });
  await listen(app, {
    host: args.host,
    port: args.port,
    signal: io.signal ?? new AbortController().signal,
    onListening: (port) => {
      const host = args.host.includes(':') ? `[${args.host}]` : args.host;
      io.stderr.write(`listening on http://${host}:${port.toString()}\n`);
    },
  });
}

/** `pab serve`: the detector over HTTP until Ctrl-C, which lets requests under way finish. */
export function serveCommand(io: Io): CommandModule<object, ServeArguments> {
  return {
    command: 'serve',
    describe: 'Serves the detector over HTTP, on loopback by default',
    builder: (argv) =>
      scannerFlags(
        argv
          .option('port', { type: 'number', default: 8787, describe: 'Port; 0 takes a free one' })
          .option('host', {
            type: 'string',
            default: '127.0.0.1',
            describe: 'Address to listen on',
          })
          .option('token-file', {
            type: 'string',
            requiresArg: true,
            describe: 'File with the bearer token that scans need',
          })
          .option('max-bytes', { type: 'number', default: 1_048_576, describe: 'Longest body' })
          .option('concurrency', {
            type: 'number',
            default: 64,
            describe: 'Requests under way at once; further ones get 429',
          })
          .option('quiet', { type: 'boolean', default: false, describe: 'No log' }),
      ).example('$0 serve --token-file token.txt', '') as never,
    handler: (args: ArgumentsCamelCase<ServeArguments>) => runServe(args, io),
  };
}
