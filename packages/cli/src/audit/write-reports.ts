import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue, Transcript } from '@pab/model';
import {
  agentDojoLog,
  faultOf,
  htmlReport,
  inspectHeader,
  inspectSample,
  inspectSummary,
  junitXml,
  MOST_TRANSCRIPTS,
  markdownReport,
  type ReportRun,
  type ShownTranscript,
  sarifLog,
  type Trial,
} from '@pab/score';
import { CliError } from '../errors.js';
import { readTranscripts, writeWhole } from '../run/run-folder.js';
import { EvalArchive } from './eval-archive.js';
import { type OpenRun, openRun, summaryOf } from './open-run.js';
import { reportRun } from './report-run.js';
import { transcriptProblem } from './transcript-shape.js';

export const FORMATS = ['html', 'junit', 'sarif', 'markdown', 'eval', 'agentdojo'] as const;
export type Format = (typeof FORMATS)[number];

/** Where each report that is wanted goes: a file, or for `agentdojo` a folder. */
export type ReportPlaces = Readonly<Partial<Record<Format, string>>>;

/** Trials of a run with their transcripts, which must be those of the trials. */
async function* withTranscripts(
  run: OpenRun,
): AsyncGenerator<{ readonly trial: Trial; readonly transcript: Transcript }> {
  const transcripts = readTranscripts(run.folder);
  try {
    for await (const trial of run.trials()) {
      const step = await transcripts.next();
      const { scenario, judgement, trial: number } = trial;
      const line = step.done === true ? undefined : step.value;
      const problem = transcriptProblem(line?.transcript as JsonValue | undefined);
      if (
        line === undefined ||
        problem !== undefined ||
        line.scenario !== scenario ||
        line.variant !== judgement.variant ||
        line.trial !== number
      ) {
        throw new CliError(
          `${run.folder}: the transcript of ${scenario}, ${judgement.variant}, trial ${number} is missing or damaged; \`pab verify\` names the place`,
        );
      }
      yield { trial, transcript: line.transcript };
    }
  } finally {
    await transcripts.return(undefined);
  }
}

/** Successes first, then benign tasks refused, then what broke off. */
const RANK = { compromised: 0, over_refused: 1, error: 2 } as const;

const rankOf = ({ trial }: ShownTranscript): number => RANK[faultOf(trial) ?? 'error'];

/** Keeps the transcripts that a page shows: no more than it holds of each kind of fault. */
class Faults {
  private readonly kept: ShownTranscript[] = [];
  private readonly counts = new Map<string, number>();

  add(shown: ShownTranscript): void {
    const fault = faultOf(shown.trial);
    if (fault === undefined) return;
    const count = this.counts.get(fault) ?? 0;
    if (count >= MOST_TRANSCRIPTS) return;
    this.counts.set(fault, count + 1);
    this.kept.push(shown);
  }

  list(): ShownTranscript[] {
    return this.kept.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

async function writeText(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeWhole(file, text);
}

const pretty = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The page of a run, for `view` and for a file. */
export async function reportPage(run: OpenRun): Promise<string> {
  const summary = await summaryOf(run);
  const trials: Trial[] = [];
  const faults = new Faults();
  for await (const shown of withTranscripts(run)) {
    trials.push(shown.trial);
    faults.add(shown);
  }
  return htmlReport(reportRun(run.name, run.manifest, summary), {
    trials,
    transcripts: faults.list(),
  });
}

/** Writes reports of a run; each stands whole in its place or not at all. */
export async function writeReports(folder: string, places: ReportPlaces): Promise<ReportRun> {
  const run = await openRun(folder);
  const trials: Trial[] = [];
  const summary = await summaryOf(run, (trial) => {
    trials.push(trial);
  });
  const described = reportRun(run.name, run.manifest, summary);
  const { html, junit, sarif, markdown, eval: archive, agentdojo } = places;
  if (junit !== undefined) await writeText(junit, junitXml(described, trials));
  if (sarif !== undefined) await writeText(sarif, pretty(sarifLog(described, trials)));
  if (markdown !== undefined) await writeText(markdown, markdownReport(described, trials));
  if (html !== undefined) await writeText(html, await reportPage(run));
  if (archive !== undefined) await writeArchive(run, described, trials.length, archive);
  if (agentdojo !== undefined) {
    for await (const { trial, transcript } of withTranscripts(run)) {
      const { path, text } = agentDojoLog(described, trial, transcript);
      const file = join(agentdojo, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  return described;
}

async function writeArchive(
  run: OpenRun,
  described: ReportRun,
  count: number,
  file: string,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const archive = await EvalArchive.create(file);
  try {
    const [start, header] = inspectHeader(described, count);
    if (start !== undefined) await archive.add(start);
    const summaries: JsonObject[] = [];
    for await (const { trial, transcript } of withTranscripts(run)) {
      await archive.add(inspectSample(trial, transcript));
      summaries.push(inspectSummary(trial, transcript));
    }
    await archive.add({ path: 'summaries.json', text: JSON.stringify(summaries) });
    if (header !== undefined) await archive.add(header);
    await archive.finish();
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

/** What each report is called in a folder of reports. */
export function placesIn(out: string, formats: readonly Format[]): ReportPlaces {
  const names: Readonly<Record<Format, string>> = {
    html: 'report.html',
    junit: 'junit.xml',
    sarif: 'pab.sarif',
    markdown: 'report.md',
    eval: 'pab.eval',
    agentdojo: 'agentdojo',
  };
  return Object.fromEntries(formats.map((format) => [format, join(out, names[format])]));
}
