import { describePlace, HarvestError, type RejectedRow } from '@pab/harvest';
import { type ReadRunsOptions, type RecordedTrial, readRuns } from '@pab/harvest/runs';
import { printable } from '@pab/model';
import { createRecordedSummary, type RecordedJudgement, type RecordedSummary } from '@pab/score';
import { once, wholeNumber } from '../commands/flags.js';
import type { ScoreArguments } from '../commands/score.js';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { emit } from '../output/emit.js';
import { ChatJudge, isChat } from './judge-chats.js';
import { scoreText } from './score-text.js';
import { openSources } from './sources.js';

/** Rejects that are shown in words and in the JSON document; all of them go to `--rejects`. */
const MOST_SHOWN = 20;
const MOST_IN_JSON = 1000;

/** `pab score --json`. */
export interface ScoreDocument extends RecordedSummary {
  /** Files from which a row came, those inside archives counted one by one. */
  readonly files: number;
  readonly rejected: number;
  readonly rejects: readonly { readonly place: string; readonly reason: string }[];
}

interface Reading {
  files: number;
  rejected: number;
  readonly rejects: RejectedRow[];
  readonly rejectLines: string[];
  readonly trialLines: string[];
}

function readOptions(args: ScoreArguments, reading: Reading): ReadRunsOptions {
  const { format, pipeline, spikee, threshold } = args;
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1)) {
    throw new CliError(`--threshold is a number from 0 to 1, not ${String(threshold)}`);
  }
  return {
    ...(format === undefined ? {} : { format }),
    ...(pipeline === undefined ? {} : { pipeline }),
    ...(spikee === undefined ? {} : { spikee }),
    ...(threshold === undefined ? {} : { threshold }),
    onFile: () => {
      reading.files += 1;
    },
  };
}

function trialLine(trial: RecordedTrial, judgement: RecordedJudgement): string {
  // Not the conversation: it is made when asked for, and is a function here.
  const { messages: _, kind: __, ...facts } = trial;
  return JSON.stringify({ ...facts, ...judgement });
}

function nothingRead({ rejects, rejected, files }: Reading, named: readonly string[]): CliError {
  // A file of another kind is refused row by row for the same reason, which is worth saying once.
  const reasons = new Map<string, string>();
  for (const { place, reason } of rejects) {
    const key = `${place.file}\n${reason}`;
    if (!reasons.has(key)) reasons.set(key, `  ${describePlace(place)}: ${reason}`);
  }
  const shown = [...reasons.values()].slice(0, 5).join('\n');
  const what =
    rejected > 0
      ? `none of ${rejected} row(s) in ${files} file(s) is a trial:\n${shown}`
      : `${named.join(', ') || 'standard input'}: no file with recorded runs was found`;
  return new CliError(`there are no trials, so there is no rate; ${what}`);
}

/** Reads, judges and sums up; prints what came of it. Exit 2 without any trial, 3 when rows were rejected. */
export async function score(args: ScoreArguments, io: Io): Promise<void> {
  if (args.json && args.jsonl) {
    throw new CliError('--json and --jsonl both write to stdout; choose one');
  }
  const seed = wholeNumber('seed', args.seed, 0, 0x7fffffff);
  const summary = createRecordedSummary({
    seed,
    resamples: wholeNumber('resamples', args.resamples, 100, 1_000_000),
  });
  const reading: Reading = { files: 0, rejected: 0, rejects: [], rejectLines: [], trialLines: [] };
  const rejectsFile = once('rejects', args.rejects);
  const options = readOptions(args, reading);
  const chats = new ChatJudge(args, io);
  let trials = 0;
  try {
    for await (const source of openSources(args.files, io)) {
      for await (const item of readRuns(source, options)) {
        if (io.signal?.aborted === true) {
          io.setExit(130);
          return;
        }
        if (item.kind === 'reject') {
          reading.rejected += 1;
          if (reading.rejects.length < MOST_IN_JSON) reading.rejects.push(item);
          if (rejectsFile !== undefined) reading.rejectLines.push(JSON.stringify(item));
          continue;
        }
        trials += 1;
        const trial = isChat(item) ? await chats.judged(item) : item;
        const judgement = summary.add(trial);
        if (!args.jsonl) continue;
        const line = trialLine(trial, judgement);
        // Written as they come unless they go to a file, which is written whole.
        if (args.output === undefined) io.stdout.write(`${line}\n`);
        else reading.trialLines.push(line);
      }
    }
  } catch (error) {
    if (HarvestError.is(error)) throw new CliError(error.message, { cause: error });
    throw error;
  }
  if (rejectsFile !== undefined) await emit(io, reading.rejectLines.join('\n'), rejectsFile);
  if (trials === 0) throw nothingRead(reading, args.files);
  if (chats.unnamed > 0) {
    throw new CliError(
      `${chats.unnamed} chat(s) have no verdict and name no scenario to judge them by: add --scenario ID, or "scenario" to each chat; \`pab list\` shows the scenarios`,
    );
  }
  await print(args, io, summary.finish(), reading);
}

async function print(
  args: ScoreArguments,
  io: Io,
  summary: RecordedSummary,
  reading: Reading,
): Promise<void> {
  const document: ScoreDocument = {
    ...summary,
    files: reading.files,
    rejected: reading.rejected,
    rejects: reading.rejects.map(({ place, reason }) => ({ place: describePlace(place), reason })),
  };
  if (args.json) await emit(io, JSON.stringify(document, null, 2), args.output);
  else if (args.jsonl) {
    if (args.output !== undefined) await emit(io, reading.trialLines.join('\n'), args.output);
  } else {
    const text = scoreText(document).split('\n').map(printable).join('\n');
    await emit(io, text, args.output);
  }
  if (reading.rejected === 0) return;
  io.setExit(3);
  if (args.quiet) return;
  io.stderr.write(`pab: ${reading.rejected} row(s) could not be read\n`);
  for (const { place, reason } of reading.rejects.slice(0, MOST_SHOWN)) {
    io.stderr.write(`  ${printable(`${describePlace(place)}: ${reason}`)}\n`);
  }
}
