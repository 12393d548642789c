import { resolve } from 'node:path';
import type { Scanner } from '@pab/detect';
import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import { readTextFile } from '../detector/read-text.js';
import { loadRuleFolder } from '../detector/rule-folder.js';
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
  readonly bodyTimeout: number;
  readonly quiet: boolean;
}

/**
 * More than mails, pages and tool results are long (about 60,000 tokens), and so little that the slowest of the texts of
 * bench/detect/shapes.ts hold the service for about a second.
 */
const MAX_BYTES = 262_144;
/** Bytes of bodies that are on their way at once, as far as that leaves a few of them. */
const ARRIVING_BYTES = 67_108_864;
const LEAST_ARRIVING = 8;

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
  const token = (await readTextFile(tokenFile, cwd, { maxBytes: 65_536 })).trim();
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new CliError(`${tokenFile} must hold one token: visible ASCII characters without blanks`);
  }
  return token;
}

/** Puts the rules of the folder in force again; rules that cannot be loaded leave the old ones there. */
async function reload(folder: string, scanner: Scanner, io: Io): Promise<void> {
  const { printable } = await import('@pab/model');
  try {
    const pack = await loadRuleFolder(folder, io.cwd);
    scanner.reload(pack);
    warmUp(scanner);
    io.stderr.write(`rules reloaded: ${rulesInForce(scanner).toString()} in force\n`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    io.stderr.write(`rules not reloaded, the old ones stay: ${printable(message)}\n`);
  }
}

function rulesInForce(scanner: Scanner): number {
  return scanner.rules.filter(({ enabled }) => enabled).length;
}

async function runServe(args: ServeArguments, io: Io): Promise<void> {
  wholeNumber(args.port, '--port', [0, 65_535]);
  wholeNumber(args.maxBytes, '--max-bytes', [1, 100_000_000]);
  wholeNumber(args.concurrency, '--concurrency', [1, 100_000]);
  wholeNumber(args.bodyTimeout, '--body-timeout', [1, 3_600]);
  const bodyTimeout = args.bodyTimeout * 1_000;
  const token = await tokenOf(args, io.cwd);
  const { stateOfRules, watchRules } = await import('../serve/watch-rules.js');
  const { rules } = args;
  const since = rules === undefined ? undefined : await stateOfRules(resolve(io.cwd, rules));
  const { scanner } = await buildScanner(args, { cwd: io.cwd });
  warmUp(scanner);
  const { createApp } = await import('../serve/app.js');
  const { listen } = await import('../serve/listen.js');
  const app = createApp({
    scan: (scope, text, compared) => scanAs(scanner, text, { scope, ...compared }),
    rulesetSize: () => rulesInForce(scanner),
    scannerVersion: await packageVersion(),
    token,
    maxBytes: args.maxBytes,
    concurrency: args.concurrency,
    mostArriving: Math.max(
      LEAST_ARRIVING,
      Math.min(256, Math.floor(ARRIVING_BYTES / args.maxBytes)),
    ),
    bodyTimeout,
    now: io.now,
    elapsed: io.elapsed,
    ...(args.quiet ? {} : { log: (line) => io.stderr.write(`${JSON.stringify(line)}\n`) }),
  });
  const stop = new AbortController();
  const signal = io.signal === undefined ? stop.signal : AbortSignal.any([io.signal, stop.signal]);
  const watching =
    rules === undefined
      ? undefined
      : watchRules(resolve(io.cwd, rules), () => reload(rules, scanner, io), { signal, since });
  try {
    await listen(app, {
      host: args.host,
      port: args.port,
      signal,
      bodyTimeout,
      connections: Math.max(1_024, 2 * args.concurrency),
      onListening: (port) => {
        const host = args.host.includes(':') ? `[${args.host}]` : args.host;
        io.stderr.write(`listening on http://${host}:${port.toString()}\n`);
        if (!LOOPBACK.has(args.host)) {
          io.stderr.write(
            'others can reach it, and the token travels as it is: put TLS in front\n',
          );
        }
      },
    });
  } finally {
    stop.abort();
    await watching;
  }
}

/** `pab serve`: the detector over HTTP until Ctrl-C, which lets requests under way finish. */
export function serveCommand(io: Io): CommandModule<object, ServeArguments> {
  return {
    command: 'serve',
    describe: 'Serves the detector over HTTP, on loopback by default',
    builder: (argv) =>
      scannerFlags(
        argv
          .option('port', {
            type: 'number',
            requiresArg: true,
            default: 8787,
            describe: 'Port; 0 takes a free one',
          })
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
          .option('max-bytes', {
            type: 'number',
            requiresArg: true,
            default: MAX_BYTES,
            describe: 'Longest body; a scan of one holds the service, longer for hostile texts',
          })
          .option('concurrency', {
            type: 'number',
            requiresArg: true,
            default: 64,
            describe: 'Scans that wait at once; further ones get 429',
          })
          .option('body-timeout', {
            type: 'number',
            requiresArg: true,
            default: 10,
            describe: 'Seconds that a body may take to come; a later one gets 408',
          })
          .option('quiet', { type: 'boolean', default: false, describe: 'No log' }),
      )
        .example('$0 serve --token-file token.txt', '')
        .example(
          `curl -d '{"text":"…"}' http://127.0.0.1:8787/v1/scan`,
          'Asks it; browsers must send content-type: application/json, or get 415',
        ) as never,
    handler: (args: ArgumentsCamelCase<ServeArguments>) => runServe(args, io),
  };
}
