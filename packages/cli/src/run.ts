import yargs, { type Argv } from 'yargs';
import { commands } from './commands/index.js';
import { CliError } from './errors.js';
import type { ExitStatus, Io } from './io.js';

/** Surroundings of one command line, without what `run` itself provides. */
export type Surroundings = Omit<Io, 'setExit'>;

interface Fault {
  readonly message: string;
  readonly exit: ExitStatus;
  readonly stack?: string | undefined;
}

function faultOf(error: unknown): Fault {
  if (CliError.is(error)) return { message: error.message, exit: error.exit };
  if (error instanceof Error) {
    // Errors that libraries throw on purpose carry a code; anything else is a defect and shows where it arose.
    const expected = 'code' in error && typeof error.code === 'string';
    return { message: error.message, exit: 2, stack: expected ? undefined : error.stack };
  }
  return { message: String(error), exit: 2 };
}

async function unknownWord(message: string, parser: Argv): Promise<string> {
  const found = /^Unknown (argument|command)s?: (.+)$/.exec(message);
  if (found === null) return message;
  const [, kind = 'argument', list = ''] = found;
  const { didYouMean, printable } = await import('@pab/model');
  const known: readonly string[] =
    kind === 'command'
      ? commands.map(({ name }) => name)
      : (parser as unknown as { getOptions(): { key: Record<string, boolean> } }).getOptions().key
        ? Object.keys(
            (parser as unknown as { getOptions(): { key: Record<string, boolean> } }).getOptions()
              .key,
          )
        : [];
  const words = list.split(', ').map((word) => {
    const shown = kind === 'argument' && word.length > 1 ? `--${word}` : word;
    const guess = didYouMean(word, known).replace(/"(.+)"/, kind === 'argument' ? '--$1' : '"$1"');
    return `${printable(shown)}.${guess}`;
  });
  return `unknown ${kind === 'argument' ? 'flag or word' : 'command'} ${words.join(' ')}`;
}

/** Runs one command line and resolves to its exit status; it never ends the process itself. */
export async function run(
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<ExitStatus> {
  let status: ExitStatus = 0;
  const io: Io = {
    ...surroundings,
    setExit: (code) => {
      status = code;
    },
  };
  let usage: string | undefined;
  let thrown: unknown;
  let parser = yargs([...argv])
    .scriptName('pab')
    .usage(
      '$0 <command> [flags]\n\nMeasures what a prompt injection does to a tool-calling agent, and what a defense buys.',
    )
    .locale('en')
    .parserConfiguration({ 'camel-case-expansion': true, 'duplicate-arguments-array': true })
    .option('color', {
      type: 'boolean',
      describe: 'Colours (--no-color turns them off)',
      hidden: true,
    })
    .demandCommand(1, 'Name a command; `pab --help` lists them.')
    .recommendCommands()
    .strict()
    .help()
    .alias('help', 'h')
    .wrap(Math.min(100, surroundings.stdout.columns ?? 80))
    .exitProcess(false);
  for (const { create } of commands) parser = parser.command(create(io));
  parser = parser
    .version(false)
    .option('version', { type: 'boolean', describe: 'Version of this tool' });
  if (argv.length === 1 && argv[0] === '--version') {
    const { packageVersion } = await import('./version.js');
    io.stdout.write(`${await packageVersion()}\n`);
    return 0;
  }
  parser.fail((message: string | null, error: Error | undefined) => {
    if (error !== undefined && message !== error.message) thrown = error;
    else usage = message ?? error?.message ?? 'the command line does not make sense';
  });
  let shown = '';
  try {
    await parser.parseAsync([...argv], {}, (_error, _args, output) => {
      shown = output;
    });
  } catch (error) {
    thrown ??= error;
  }
  if (thrown !== undefined) {
    const { printable } = await import('@pab/model');
    const fault = faultOf(thrown);
    const lines = fault.message.split('\n').map(printable).join('\n');
    io.stderr.write(`pab: ${lines}\n`);
    if (fault.stack !== undefined && io.env['PAB_DEBUG']) io.stderr.write(`${fault.stack}\n`);
    return fault.exit;
  }
  if (usage !== undefined) {
    io.stderr.write(`pab: ${await unknownWord(usage, parser)}\n`);
    return 2;
  }
  if (shown !== '') io.stdout.write(`${shown}\n`);
  return status;
}
