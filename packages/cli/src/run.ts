import { withAfterDashes } from './after-dashes.js';
import { commands } from './commands/index.js';
import { CliError } from './errors.js';
import { checkGivenOnce } from './given-once.js';
import type { ExitStatus, Io } from './io.js';
import { overviewText, USAGE } from './overview.js';

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

/** The flags of a command, as its own builder declares them. */
async function flagsOf(name: string | undefined, io: Io): Promise<string[]> {
  const command = commands.find((candidate) => candidate.name === name);
  const build = command?.create(io).builder;
  if (typeof build !== 'function') return [];
  const { default: yargs } = await import('yargs');
  const probe = yargs([]);
  build(probe);
  const { key } = (
    probe as unknown as { getOptions(): { key: Record<string, boolean> } }
  ).getOptions();
  return Object.keys(key);
}

/** yargs's list of values that are no choice, each with its choices, in words of one line. */
async function wrongChoices(message: string): Promise<string | undefined> {
  if (!message.startsWith('Invalid values:')) return undefined;
  const { didYouMean } = await import('@pab/model');
  const found = message.matchAll(/Argument: (\S+), Given: (.*), Choices: (.*)$/gm);
  const said = [...found].map(([, name = '', given = '', choices = '']) => {
    const known = choices.replaceAll('"', '').split(', ');
    const guess = didYouMean(given.replaceAll('"', ''), known);
    return `--${name} is ${given}, and must be one of ${known.join(', ')}.${guess}`;
  });
  return said.length === 0 ? undefined : said.join('; ');
}

/** Names the nearest right word for what yargs did not know. */
async function unknownWord(message: string, argv: readonly string[], io: Io): Promise<string> {
  const choices = await wrongChoices(message);
  if (choices !== undefined) return choices;
  const found = /^Unknown (?:argument|command)s?: (.+)$/.exec(message);
  if (found === null) {
    const help = `\`pab ${argv[0] ?? ''} --help\` shows what it takes`;
    const missing = /^Missing required arguments?: (.+)$/.exec(message);
    if (missing !== null)
      return `--${(missing[1] ?? '').replaceAll(', ', ', --')} is missing; ${help}`;
    return message.startsWith('Not enough non-option') ? `something is missing; ${help}` : message;
  }
  const { didYouMean, printable } = await import('@pab/model');
  const names = commands.map(({ name }) => name);
  const flags = await flagsOf(argv[0], io);
  // Only one of several spellings of a flag needs to be named: yargs lists each.
  const words = [...new Set((found[1] ?? '').split(', '))].filter(
    (word, index, all) =>
      all.findIndex(
        (other) =>
          other.replaceAll('-', '').toLowerCase() === word.replaceAll('-', '').toLowerCase(),
      ) === index,
  );
  const said = words.map((word) => {
    const bare = argv.includes(word);
    if (bare && !names.includes(argv[0] ?? '')) {
      return `there is no command "${printable(word)}".${didYouMean(word, names)} \`pab --help\` lists them`;
    }
    if (bare)
      return `"${printable(word)}" is one word too many here; \`pab ${argv[0] ?? ''} --help\` shows what it takes`;
    const guess = didYouMean(word, flags).replace(/"(.+)"/, '--$1');
    return `there is no flag --${printable(word)}.${guess} \`pab ${argv[0] ?? ''} --help\` lists them`;
  });
  return said.join('; ');
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
  const width = Math.min(100, surroundings.stdout.columns ?? 80);
  const made = commands.map(({ create }) => create(io));
  if (argv.length === 1 && (argv[0] === '--help' || argv[0] === '-h')) {
    const listed = made.map(({ command, describe }) => ({
      command: String(command),
      describe: String(describe),
    }));
    io.stdout.write(overviewText(listed, width));
    return 0;
  }
  const { default: yargs } = await import('yargs');
  let usage: string | undefined;
  let thrown: unknown;
  let parser = yargs([...argv])
    .scriptName('pab')
    .usage(USAGE)
    .locale('en')
    .parserConfiguration({ 'camel-case-expansion': true, 'duplicate-arguments-array': true })
    .option('color', {
      type: 'boolean',
      describe: 'Colours (--no-color turns them off)',
      hidden: true,
    })
    .demandCommand(1, 'Name a command; `pab --help` lists them.')
    .check((args, options) =>
      checkGivenOnce(args, (options as unknown as { readonly array: readonly string[] }).array),
    )
    .strict()
    .help()
    .alias('help', 'h')
    .wrap(width)
    .exitProcess(false);
  for (const command of made) parser = parser.command(withAfterDashes(command));
  parser = parser
    .version(false)
    .option('version', { type: 'boolean', describe: 'Version of this tool' });
  if (argv.length === 1 && argv[0] === '--version') {
    const { packageVersion } = await import('./version.js');
    io.stdout.write(`${await packageVersion()}\n`);
    return 0;
  }
  // Thrown, because yargs goes on to the handler when this returns.
  parser.fail((message: string | null, error: Error | undefined) => {
    if (error !== undefined) throw error;
    usage = message ?? 'the command line does not make sense';
    throw new CliError(usage);
  });
  let shown = '';
  try {
    await parser.parseAsync([...argv], {}, (_error, _args, output) => {
      shown = output;
    });
  } catch (error) {
    thrown ??= error;
  }
  if (usage !== undefined) {
    const { printable } = await import('@pab/model');
    const words = await unknownWord(usage, argv, io);
    io.stderr.write(`pab: ${words.split('\n').map(printable).join('\n')}\n`);
    return 2;
  }
  if (thrown !== undefined) {
    const { printable } = await import('@pab/model');
    // What was being read or waited for has been taken away.
    const interrupted = surroundings.signal?.aborted === true && !CliError.is(thrown);
    const fault = faultOf(interrupted ? new CliError('interrupted', { exit: 130 }) : thrown);
    const lines = fault.message.split('\n').map(printable).join('\n');
    io.stderr.write(`pab: ${lines}\n`);
    if (fault.stack !== undefined && io.env['PAB_DEBUG']) io.stderr.write(`${fault.stack}\n`);
    return fault.exit;
  }
  if (shown !== '') io.stdout.write(`${shown}\n`);
  return status;
}
