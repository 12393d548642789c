import type { ScanResult, Scope, Verdict } from '@pab/detect';
import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import { jsonDocument } from '../detector/json-document.js';
import { readStdin, readTextFile } from '../detector/read-text.js';
import { SCOPES, scanAs } from '../detector/scan-as.js';
import { buildScanner, type ScannerArguments, scannerFlags } from '../detector/scanner-flags.js';
import { wantsColor } from '../detector/wants-color.js';
import { writeWholeFile } from '../detector/write-whole-file.js';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { packageVersion } from '../version.js';

export interface ScanArguments extends ScannerArguments {
  readonly text?: string | undefined;
  readonly file: readonly string[];
  readonly direction: Scope;
  readonly json: boolean;
  readonly jsonl: boolean;
  readonly includeInput: boolean;
  readonly redact: boolean;
  readonly canary: readonly string[];
  readonly contentType?: string | undefined;
  readonly contentId?: string | undefined;
  readonly user?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly failOn: 'suspicious' | 'malicious' | 'never';
  readonly output?: string | undefined;
  readonly color?: boolean | undefined;
}

interface Scanned {
  readonly source: string;
  readonly text: string;
  readonly result: ScanResult;
}

const RANK: Readonly<Record<Verdict | 'never', number>> = {
  benign: 0,
  suspicious: 1,
  malicious: 2,
  never: 3,
};

/** Milliseconds of scanning between two moments in which signals are heard. */
const LISTEN = 100;

async function textsOf(args: ScanArguments, io: Io): Promise<{ source: string; text: string }[]> {
  const { printable } = await import('@pab/model');
  const texts: { source: string; text: string }[] = [];
  // yargs hands over a lone `-` as an empty text.
  const text = args.text === '-' ? '' : args.text;
  if (text !== undefined && text !== '') texts.push({ source: 'argv', text });
  for (const file of args.file) {
    const content = await readTextFile(file, io.cwd, {
      signal: io.signal,
      waiting: (words) => io.stderr.write(`pab: ${printable(words)}\n`),
    });
    // Prompts come one a line; content and replies are whole documents.
    const parts =
      args.direction === 'input'
        ? content
            .split(/\r?\n/)
            .map((part, index) => ({ source: `${file}:${index + 1}`, text: part }))
        : [{ source: file, text: content }];
    for (const one of parts.filter((part) => part.text.trim() !== '')) texts.push(one);
  }
  if (text === '' || (text === undefined && args.file.length === 0)) {
    texts.push({ source: 'stdin', text: await readStdin(io) });
  }
  if (texts.length === 0) throw new CliError(`nothing to scan in ${args.file.join(', ')}`);
  return texts;
}

async function asEvents(scanned: readonly Scanned[], args: ScanArguments, io: Io, rules: number) {
  const { toEvent } = await import('@pab/detect');
  const scannerVersion = await packageVersion();
  return scanned.map(({ source, text, result }) =>
    toEvent(result, {
      text,
      time: io.now(),
      source,
      scannerVersion,
      rulesetSize: rules,
      user: args.user,
      sessionId: args.sessionId,
      contentType: args.contentType,
      contentId: args.contentId,
      includeInput: args.includeInput,
      redact: args.redact,
    }),
  );
}

async function scan(args: ScanArguments, io: Io): Promise<void> {
  if (args.json && args.jsonl)
    throw new CliError('--json and --jsonl do not go together; give one');
  if (args.canary.length > 0 && args.direction !== 'input' && args.direction !== 'output') {
    throw new CliError('--canary is looked for in prompts and replies: give --direction output');
  }
  const texts = await textsOf(args, io);
  const { scanner, rulesetSize } = await buildScanner(args, { cwd: io.cwd });
  const scanned: Scanned[] = [];
  let heard = io.elapsed();
  for (const { source, text } of texts) {
    const result = scanAs(scanner, text, { scope: args.direction, canaries: args.canary });
    scanned.push({ source, text, result });
    if (io.elapsed() - heard < LISTEN) continue;
    // A scan holds the thread, and a Ctrl-C is heard only when it is let go.
    await new Promise((resolve) => setImmediate(resolve));
    if (io.signal?.aborted === true) {
      const done = `${scanned.length.toString()} of ${texts.length.toString()} texts`;
      throw new CliError(`interrupted after ${done}`, { exit: 130 });
    }
    heard = io.elapsed();
  }
  let written: string;
  if (args.jsonl) {
    const { toJsonLine } = await import('@pab/detect');
    written = (await asEvents(scanned, args, io, rulesetSize))
      .map((event) => toJsonLine(event))
      .join('');
  } else if (args.json) {
    const events = await asEvents(scanned, args, io, rulesetSize);
    // A list wherever there can be several, so that its shape does not depend on a file's content.
    const several = events.length > 1 || (args.direction === 'input' && args.file.length > 0);
    written = jsonDocument(several ? events : events[0]);
  } else {
    const { showResult } = await import('../detector/show-result.js');
    const color = args.output === undefined && wantsColor(io, args.color);
    written = scanned.map(({ result, text }) => showResult(result, text, color)).join('');
  }
  if (args.output === undefined) io.stdout.write(written);
  else await writeWholeFile(args.output, written, io.cwd);
  const worst = scanned.reduce((most, { result }) => Math.max(most, RANK[result.verdict]), 0);
  io.setExit(worst >= RANK[args.failOn] ? 1 : 0);
}

/** `pab scan`: exit 1 when a text is at or above `--fail-on`. */
export function scanCommand(io: Io): CommandModule<object, ScanArguments> {
  return {
    command: 'scan [text]',
    describe: 'Looks for prompt injection in a text',
    builder: (argv) =>
      scannerFlags(
        argv
          .positional('text', {
            type: 'string',
            describe:
              'The text; - or none reads standard input, and one that begins with - comes after --',
          })
          .option('file', {
            alias: 'f',
            type: 'string',
            array: true,
            default: [] as string[],
            nargs: 1,
            describe: 'File to scan: one prompt a line, or with another direction as a whole',
          })
          .option('direction', {
            choices: SCOPES,
            default: 'input',
            describe:
              'What the text is: a prompt, content that a model reads, a reply, a tool description',
          })
          .option('json', { type: 'boolean', default: false, describe: 'One JSON document' })
          .option('jsonl', { type: 'boolean', default: false, describe: 'One event a line' })
          .option('include-input', {
            type: 'boolean',
            default: false,
            describe: 'Put the raw text into events',
          })
          .option('redact', {
            type: 'boolean',
            default: false,
            describe: 'Leave out of events even what matched',
          })
          .option('canary', {
            type: 'string',
            array: true,
            default: [] as string[],
            nargs: 1,
            describe: 'Secret token that must not appear (see `pab canary`)',
          })
          .option('content-type', {
            type: 'string',
            requiresArg: true,
            describe: 'Kind of content, for events',
          })
          .option('content-id', {
            type: 'string',
            requiresArg: true,
            describe: 'Name of the content, for events',
          })
          .option('user', { type: 'string', requiresArg: true, describe: 'User, for events' })
          .option('session-id', {
            type: 'string',
            requiresArg: true,
            describe: 'Session, for events',
          })
          .option('fail-on', {
            choices: ['suspicious', 'malicious', 'never'] as const,
            default: 'malicious' as const,
            describe: 'Verdict from which the exit status is 1',
          })
          .option('output', { type: 'string', requiresArg: true, describe: 'Write to this file' }),
      ).example('$0 scan "Ignore all previous instructions."', '') as never,
    handler: (args: ArgumentsCamelCase<ScanArguments>) => scan(args, io),
  };
}
