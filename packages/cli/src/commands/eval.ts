import { basename } from 'node:path';
import type { Scope } from '@pab/detect';
import type { Evaluation, LabelledText } from '@pab/detect/evaluation';
import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import { readDataFile } from '../detector/data-rows.js';
import { jsonDocument } from '../detector/json-document.js';
import { labelRows } from '../detector/labelled-rows.js';
import { ownSamples } from '../detector/own-samples.js';
import { SCOPES, scanAs, warmUp } from '../detector/scan-as.js';
import { buildScanner, type ScannerArguments, scannerFlags } from '../detector/scanner-flags.js';
import { writeWholeFile } from '../detector/write-whole-file.js';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';

export interface EvalArguments extends ScannerArguments {
  readonly files: readonly string[];
  readonly name?: string | undefined;
  readonly split?: string | undefined;
  readonly textCol?: string | undefined;
  readonly labelCol?: string | undefined;
  readonly positive: readonly string[];
  readonly assume?: 'attack' | 'benign' | undefined;
  readonly direction: Scope;
  readonly mlOnly: boolean;
  readonly misses: number;
  readonly minF1?: number | undefined;
  readonly report?: string | undefined;
  readonly output?: string | undefined;
  readonly json: boolean;
  readonly timing: boolean;
  readonly quiet: boolean;
}

interface Loaded {
  readonly dataset: string;
  readonly texts: readonly LabelledText[];
  /** Lines that say what could not be read. */
  readonly rejected: readonly string[];
  /** Labels that were read, and whether they were taken for an attack. */
  readonly labels: ReadonlyMap<string, boolean>;
}

/** What labels were taken for, as a word such as `unsafe` may mean another thing in a set. */
function labelsRead(labels: ReadonlyMap<string, boolean>): string {
  const of = (wanted: boolean) =>
    listed(new Set([...labels].filter(([, attack]) => attack === wanted).map(([name]) => name)));
  return `labels: taken for attacks: ${of(true) || 'none'}; for benign: ${of(false) || 'none'} (--positive and --assume say otherwise)`;
}

/** The first of some values, for a message. */
function listed(values: ReadonlySet<string>): string {
  return [...values].slice(0, 20).join(', ');
}

async function load(args: EvalArguments, io: Io): Promise<Loaded> {
  if (args.files.length === 0) {
    const texts = await ownSamples();
    return { dataset: args.name ?? 'own samples', texts, rejected: [], labels: new Map() };
  }
  const texts: LabelledText[] = [];
  const rejected: string[] = [];
  const labels = new Map<string, boolean>();
  const splits = new Set<string>();
  for (const file of args.files) {
    const read = await readDataFile(file, io.cwd);
    const labelled = labelRows(
      read.rows.map(({ value }) => value),
      { ...args, scope: args.direction },
    );
    const prefix = args.files.length === 1 ? '' : `${basename(file)}:`;
    for (const one of labelled.texts.map((text) => ({ ...text, id: `${prefix}${text.id}` })))
      texts.push(one);
    for (const one of read.rejected) rejected.push(one);
    for (const [label, attack] of labelled.labels) labels.set(label, attack);
    for (const split of labelled.splits) splits.add(split);
    if (labelled.empty > 0)
      rejected.push(`${file}: ${labelled.empty.toString()} rows without text`);
  }
  if (texts.length === 0 && args.split !== undefined && rejected.length === 0) {
    const there = splits.size === 0 ? 'there is no column split' : `there are ${listed(splits)}`;
    throw new CliError(`no row is of the split ${args.split}; ${there}`);
  }
  if (texts.length === 0) {
    const why = rejected[0] === undefined ? '' : ` (${rejected[0]})`;
    throw new CliError(`no labelled text in ${args.files.join(', ')}${why}`);
  }
  const wanted = new Set(args.positive.map((label) => label.trim().toLowerCase()));
  for (const label of labels.keys()) wanted.delete(label);
  if (wanted.size > 0) {
    throw new CliError(
      `no text has the label ${[...wanted].join(', ')} of --positive; there are ${listed(new Set(labels.keys()))}`,
    );
  }
  const dataset = args.name ?? args.files.map((file) => basename(file)).join(' + ');
  return { dataset, texts, rejected, labels };
}

async function summary(evaluation: Evaluation): Promise<string> {
  const { percent } = await import('@pab/detect/evaluation');
  const { printable } = await import('@pab/model');
  const { dataset, n, positives, negatives, points } = evaluation;
  const lines = [
    `${printable(dataset)}: ${n.toString()} texts, ${positives.toString()} attacks, ${negatives.toString()} benign`,
    `  PR-AUC  ${percent(evaluation.pr_auc, evaluation.pr_auc_interval)}`,
  ];
  for (const [name, at] of Object.entries(points)) {
    lines.push(
      `  ${name}`,
      `    precision  ${percent(at.precision, at.intervals.precision)}`,
      `    recall     ${percent(at.recall, at.intervals.recall)}  (${at.tp.toString()}/${(at.tp + at.fn).toString()})`,
      `    F1         ${percent(at.f1, at.intervals.f1)}`,
      `    FPR        ${percent(at.fpr, at.intervals.fpr)}  (${at.fp.toString()}/${(at.fp + at.tn).toString()})`,
    );
  }
  const fired = (title: string, rows: Evaluation['by_rule']) => {
    if (rows.length > 0) lines.push(`  ${title.padEnd(28)} attacks  benign`);
    for (const { name, tp, fp } of rows) {
      lines.push(
        `    ${printable(name).padEnd(26)} ${tp.toString().padStart(7)} ${fp.toString().padStart(7)}`,
      );
    }
  };
  fired('rule', evaluation.by_rule);
  fired('view', evaluation.by_view);
  for (const [title, mistakes] of [
    ['missed', evaluation.misses],
    ['false alarm', evaluation.false_alarms],
  ] as const) {
    for (const { id, score, rules, text } of mistakes) {
      const short = printable(text.replaceAll(/\s+/gu, ' ').slice(0, 160));
      lines.push(
        `  ${title} ${id} (score ${score.toString()}; ${rules.join(', ') || 'no rule'}): ${short}`,
      );
    }
  }
  if (evaluation.ms_per_sample !== null && evaluation.kb_per_s !== null) {
    lines.push(
      `  ${evaluation.ms_per_sample.toFixed(3)} ms a text, ${evaluation.kb_per_s.toFixed(0)} KB/s`,
    );
  }
  return `${lines.join('\n')}\n`;
}

async function runEval(args: EvalArguments, io: Io): Promise<void> {
  if (!Number.isInteger(args.misses) || args.misses < 0) {
    throw new CliError('--misses must be a whole number from 0');
  }
  if (args.minF1 !== undefined && !(args.minF1 >= 0 && args.minF1 <= 1)) {
    throw new CliError('--min-f1 must be a number from 0 to 1');
  }
  const { evaluate, evaluationMarkdown } = await import('@pab/detect/evaluation');
  const { dataset, texts, rejected, labels } = await load(args, io);
  const { scanner } = await buildScanner(
    { ...args, ml: args.ml || args.mlOnly },
    { cwd: io.cwd, ...(args.mlOnly ? { rules: { rules: [], filters: [] } } : {}) },
  );
  warmUp(scanner);
  const evaluation = evaluate(texts, {
    dataset,
    scan: ({ text, scope }) => scanAs(scanner, text, { scope }),
    mistakes: args.misses,
    ...(args.timing ? { elapsed: io.elapsed } : {}),
  });
  const json = jsonDocument(evaluation);
  if (args.report !== undefined) {
    await writeWholeFile(
      args.report,
      /\.json$/i.test(args.report) ? json : evaluationMarkdown(evaluation),
      io.cwd,
    );
  }
  const printed = args.json ? json : await summary(evaluation);
  if (args.output === undefined) io.stdout.write(printed);
  else await writeWholeFile(args.output, printed, io.cwd);
  if (!args.quiet) {
    const { printable } = await import('@pab/model');
    if (labels.size > 0) io.stderr.write(`${printable(labelsRead(labels))}\n`);
    for (const line of rejected.slice(0, 20)) io.stderr.write(`not read: ${printable(line)}\n`);
    if (rejected.length > 20) io.stderr.write(`… and ${(rejected.length - 20).toString()} more\n`);
  }
  const f1 = evaluation.points.suspicious.f1;
  if (args.minF1 !== undefined && (f1 === null || f1 < args.minF1)) io.setExit(1);
  else io.setExit(rejected.length > 0 ? 3 : 0);
}

/** `pab eval [files..]`: the detector over labelled texts; without a file over our own samples. */
export function evalCommand(io: Io): CommandModule<object, EvalArguments> {
  return {
    command: 'eval [files..]',
    describe: 'Measures the detector over labelled texts',
    builder: (argv) =>
      scannerFlags(
        argv
          .positional('files', {
            type: 'string',
            array: true,
            default: [] as string[],
            describe: 'CSV, TSV, JSON, JSONL or Parquet; default our own samples',
          })
          .option('name', {
            type: 'string',
            requiresArg: true,
            describe: 'Name of the set in reports',
          })
          .option('split', {
            type: 'string',
            requiresArg: true,
            describe: 'Only rows of this split',
          })
          .option('text-col', { type: 'string', requiresArg: true, describe: 'Column of the text' })
          .option('label-col', {
            type: 'string',
            requiresArg: true,
            describe: 'Column of the label',
          })
          .option('positive', {
            type: 'string',
            array: true,
            default: [] as string[],
            nargs: 1,
            describe: 'Label that means attack; all others are benign then',
          })
          .option('assume', {
            choices: ['attack', 'benign'] as const,
            describe: 'What every row is, for a set without labels',
          })
          .option('direction', {
            choices: SCOPES,
            default: 'input',
            describe: 'What the texts are',
          })
          .option('ml-only', { type: 'boolean', default: false, describe: 'PB-ML without rules' })
          .option('misses', {
            type: 'number',
            requiresArg: true,
            default: 0,
            describe: 'Mistakes to list, of each kind',
          })
          .option('min-f1', {
            type: 'number',
            requiresArg: true,
            describe: 'Exit 1 under this F1 at suspicious',
          })
          .option('report', {
            type: 'string',
            requiresArg: true,
            describe: 'Also write a report to this file (.md, or .json)',
          })
          .option('output', { type: 'string', requiresArg: true, describe: 'Write to this file' })
          .option('timing', {
            type: 'boolean',
            default: true,
            describe: 'Report times (--no-timing gives the same bytes each time)',
          })
          .option('json', { type: 'boolean', default: false, describe: 'One JSON document' })
          .option('quiet', { type: 'boolean', default: false, describe: 'No words on stderr' }),
      ).example('$0 eval set.csv --text-col prompt --positive injection', '') as never,
    handler: (args: ArgumentsCamelCase<EvalArguments>) => runEval(args, io),
  };
}
