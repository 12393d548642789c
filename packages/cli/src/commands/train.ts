import type { CountedRate, TrainingReport, TrainingSummary } from '@pab/detect/classifier';
import type { CommandModule } from 'yargs';
import { readTrainingSets } from '../detector/training-sets.js';
import { writeWholeFile } from '../detector/write-whole-file.js';
import type { Io } from '../io.js';

export interface TrainArguments {
  readonly data?: string | undefined;
  readonly out?: string | undefined;
  readonly report?: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
}

function rate({ value, k, n }: CountedRate): string {
  return value === null ? 'n/a' : `${(value * 100).toFixed(1)} % (${k.toString()}/${n.toString()})`;
}

function shown(value: number | null): string {
  return value === null ? 'n/a' : value.toFixed(3);
}

function termsOf(list: readonly { readonly term: string }[]): string {
  return list.map(({ term }) => `"${term}"`).join(', ');
}

function summaryLines(title: string, summary: TrainingSummary): string[] {
  return [
    `${title}: ROC-AUC ${shown(summary.rocAuc)}, PR-AUC ${shown(summary.prAuc)}, calibration error ${shown(summary.calibrationError)}`,
    `  ${'set'.padEnd(18)}${'recall, suspicious'.padEnd(22)}${'FPR'.padEnd(20)}${'recall, malicious'.padEnd(22)}FPR`,
    ...summary.sources.map(
      ({ source, suspicious, malicious }) =>
        `  ${source.padEnd(18)}${rate(suspicious.recall).padEnd(22)}${rate(suspicious.fpr).padEnd(20)}${rate(malicious.recall).padEnd(22)}${rate(malicious.fpr)}`,
    ),
  ];
}

function reportLines(report: TrainingReport): string[] {
  return [
    `${report.texts.toString()} texts in ${report.clusters.toString()} clusters, protocol ${report.protocol.toString()}`,
    ...report.choice.map(
      ({ lambda, averagePrecision }) =>
        `  λ ${lambda.toExponential()}: out-of-fold PR-AUC ${averagePrecision.toFixed(4)}`,
    ),
    ...summaryLines('Out of fold, grouped', report.grouped),
    ...summaryLines('Leave one source out', report.leaveOneSourceOut),
    `Strongest for an attack: ${termsOf(report.features.attack)}`,
    `Strongest against: ${termsOf(report.features.benign)}`,
  ];
}

async function train(args: TrainArguments, io: Io): Promise<void> {
  const { trainClassifier } = await import('@pab/detect/classifier');
  const { printable } = await import('@pab/model');
  const folder = args.data ?? io.env['PAB_SHARED_DATA'] ?? '../shared/data';
  const say = (words: string) => {
    if (!args.quiet) io.stderr.write(`${words}\n`);
  };
  say('reading the development sets');
  const { texts, digests } = await readTrainingSets(folder, io.cwd);
  const { model, report } = trainClassifier(texts, { digests, progress: say });
  if (args.out !== undefined) {
    await writeWholeFile(args.out, `${JSON.stringify(model, null, 1)}\n`, io.cwd);
    say(`wrote ${args.out}`);
  }
  const { idf: _idf, weights: _weights, ...record } = model;
  const json = `${JSON.stringify({ model: record, report }, null, 2)}\n`;
  if (args.report !== undefined) await writeWholeFile(args.report, json, io.cwd);
  io.stdout.write(args.json ? json : `${reportLines(report).map(printable).join('\n')}\n`);
}

/** `pab train`: re-makes the classifier's model from the development sets, bit for bit. */
export function trainCommand(io: Io): CommandModule<object, TrainArguments> {
  return {
    command: 'train',
    describe: 'Re-makes the model of the classifier from the development sets',
    builder: (argv) =>
      argv
        .option('data', {
          type: 'string',
          requiresArg: true,
          describe: 'Folder of the sets; default PAB_SHARED_DATA, then ../shared/data',
        })
        .option('out', {
          type: 'string',
          requiresArg: true,
          describe: 'Write the model to this file',
        })
        .option('report', {
          type: 'string',
          requiresArg: true,
          describe: 'Write the report as JSON',
        })
        .option('json', { type: 'boolean', default: false, describe: 'The report as JSON' })
        .option('quiet', { type: 'boolean', default: false, describe: 'No words on stderr' })
        .example('$0 train --out pb-ml.json', ''),
    handler: (args) => train(args, io),
  };
}
