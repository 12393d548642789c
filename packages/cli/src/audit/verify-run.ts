import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { JsonValue } from '@pab/model';
import { JUDGE_VERSION, type Summary } from '@pab/score';
import { CliError } from '../errors.js';
import type { Corpus } from '../run/corpus.js';
import { manifestDigest } from '../run/manifest.js';
import { corpusCounts } from '../run/run-benchmark.js';
import { manifestFile, summaryFile, trialsFile } from '../run/run-folder.js';
import { countTrials, select } from '../run/selection.js';
import {
  type Check,
  type Difference,
  type FieldDifference,
  fieldName,
  firstByte,
  firstDifference,
  foundNot,
  withField,
} from './difference.js';
import { Findings } from './findings.js';
import { officialProblems } from './official.js';
import { type FinishedManifest, parseManifest } from './parse-manifest.js';
import { strayFiles } from './stray-files.js';
import { LineTooLong } from './strict-lines.js';
import { type CheckedTrials, checkTrials } from './verify-trials.js';

/** What `verify` says of a run. */
export interface VerifyReport {
  readonly schema: 1;
  readonly run: string;
  readonly verified: boolean;
  /** The run says that it is official, and everything that this takes was found to hold. */
  readonly official: boolean;
  readonly corpus: { readonly name: string; readonly version: string; readonly sha256: string };
  readonly target: string;
  readonly defense: string;
  readonly judge: string;
  readonly trials: number;
  /** Tool results that were replayed. */
  readonly results: number;
  /** Each check: whether it held, or null when something before it made it impossible. */
  readonly checks: Readonly<Record<Check, boolean | null>>;
  /** In the order in which they were found; the first is the one to read. At most 20 are kept. */
  readonly differences: readonly Difference[];
  /** How many there were. */
  readonly differing: number;
  /** What this proves, and what it does not. */
  readonly scope: string;
}

export interface Verified {
  readonly report: VerifyReport;
  /** Only when the run verifies. */
  readonly summary?: Summary;
  readonly manifest?: FinishedManifest;
}

export interface VerifyOptions {
  /** The corpus that the run is held against; asked for once the manifest is read. */
  readonly corpus: (manifest: FinishedManifest) => Promise<Corpus>;
  readonly signal?: AbortSignal | undefined;
}

export const SCOPE =
  'This proves that the run is consistent with its corpus and judge version: the world and the judge were replayed. It does not prove who made it, what a target really said, or what a defense of somebody else does.';

/** No manifest or summary of ours comes near it. */
const MOST_BYTES = 16 * 1024 * 1024;

interface JsonFile {
  readonly bytes: Buffer;
  readonly value: JsonValue | undefined;
  readonly problem?: string;
}

async function readJson(file: string): Promise<JsonFile | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || !found.isFile()) return undefined;
  if (found.size > MOST_BYTES) {
    return { bytes: Buffer.alloc(0), value: undefined, problem: `it has ${found.size} bytes` };
  }
  const bytes = await readFile(file);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { bytes, value: JSON.parse(text) as JsonValue };
  } catch {
    return { bytes, value: undefined, problem: 'it is not JSON; it may have been cut off' };
  }
}

const pretty = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** A difference in a JSON file, with the byte at which it shows. */
function inFile(
  check: Check,
  file: string,
  { bytes, value }: JsonFile,
  { path, expected, found }: FieldDifference,
  why = '',
): Difference {
  const right = pretty(withField(value ?? null, path, expected));
  const field = fieldName(path);
  const byte = firstByte(right, bytes);
  return {
    check,
    file,
    field,
    ...(byte === undefined ? {} : { byte }),
    message: `${field}: ${foundNot(found, expected)}${why === '' ? '' : `: ${why}`}`,
  };
}

/** Everything of the manifest that can be worked out again. */
function checkManifest(
  file: JsonFile,
  manifest: FinishedManifest,
  corpus: Corpus,
  trials: CheckedTrials,
  findings: Findings,
): void {
  const { result, shard } = manifest;
  const { selection } = manifest;
  const scenarios = select(corpus.scenarios, selection);
  const whole = countTrials(scenarios, {
    trials: manifest.trials,
    twins: selection['twins'] !== false,
  });
  const planned = shard === null ? whole : Math.floor((whole - shard.index) / shard.of) + 1;
  const wanted: FinishedManifest['result'] = {
    ...result,
    planned,
    done: trials.count,
    errors: trials.errors,
    modelIds: trials.modelIds,
  };
  const right = {
    ...manifest,
    corpus: corpusCounts(corpus),
    versions: { ...manifest.versions, judge: JUDGE_VERSION },
    result: wanted,
  };
  const difference = firstDifference(right, file.value);
  findings.done.add('manifest');
  if (difference !== undefined) {
    findings.add(inFile('manifest', 'manifest.json', file, difference));
  }
  if (Date.parse(result.ended) < Date.parse(result.started)) {
    findings.add({
      check: 'manifest',
      file: 'manifest.json',
      field: 'result.ended',
      message: `result.ended: the run ended (${result.ended}) before it began (${result.started})`,
    });
  }
}

function checkDigests(
  file: JsonFile,
  manifest: FinishedManifest,
  trials: CheckedTrials,
  findings: Findings,
): void {
  const { trialsSha256, manifestSha256 } = manifest.result;
  findings.done.add('digests');
  const compare = (field: string, expected: string, found: string, why: string): void => {
    if (expected === found) return;
    findings.add(
      inFile('digests', 'manifest.json', file, { path: ['result', field], expected, found }, why),
    );
  };
  compare(
    'trialsSha256',
    trials.sha256,
    trialsSha256,
    'trials.jsonl is not the file that was written',
  );
  compare(
    'manifestSha256',
    manifestDigest(manifest),
    manifestSha256,
    'the manifest is not the one that was written',
  );
}

const measured = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 ? value : null;

async function checkSummary(
  folder: string,
  manifest: FinishedManifest,
  trials: CheckedTrials,
  findings: Findings,
): Promise<Summary | undefined> {
  const file = await readJson(summaryFile(folder));
  if (file?.value === undefined) {
    findings.add({
      check: 'summary',
      file: 'summary.json',
      message: file === undefined ? 'the file is missing' : (file.problem ?? 'it is not JSON'),
    });
    return undefined;
  }
  const usage = (file.value as { usage?: { cost_usd?: unknown; wall_s?: unknown } } | null)?.usage;
  const { planned, done } = manifest.result;
  const right = trials.summary.finish({
    // Time and money are measured, not derived; they are taken as they stand.
    wallSeconds: measured(usage?.wall_s),
    costUsd: measured(usage?.cost_usd),
    stopped: done < planned ? `${done} of ${planned} trials were run` : undefined,
  });
  findings.done.add('summary');
  const difference = firstDifference(right as unknown as JsonValue, file.value);
  if (difference !== undefined) {
    findings.add(
      inFile('summary', 'summary.json', file, difference, 'the trials give another value'),
    );
    return undefined;
  }
  const byte = firstByte(pretty(right), file.bytes);
  if (byte !== undefined) {
    findings.add({
      check: 'summary',
      file: 'summary.json',
      byte,
      message: 'the file does not stand as it was written',
    });
  }
  return right;
}

function report(
  run: string,
  manifest: FinishedManifest | undefined,
  trials: CheckedTrials | undefined,
  findings: Findings,
): VerifyReport {
  const { name = '?', version = '?', sha256 = '?' } = manifest?.corpus ?? {};
  const verified = findings.count === 0;
  return {
    schema: 1,
    run,
    verified,
    official: verified && manifest?.official === true,
    corpus: { name, version, sha256 },
    target: manifest?.target.name ?? '?',
    defense: manifest?.defense.name ?? '?',
    judge: JUDGE_VERSION,
    trials: trials?.count ?? 0,
    results: trials?.results ?? 0,
    checks: findings.result(),
    differences: findings.kept,
    differing: findings.count,
    scope: SCOPE,
  };
}

/**
 * Checks a run from its transcripts: every digest, every tool result, every judgement, every rate.
 *
 * @throws CliError when there is no run to check
 */
export async function verifyRun(folder: string, options: VerifyOptions): Promise<Verified> {
  const run = basename(folder);
  const findings = new Findings();
  const file = await readJson(manifestFile(folder));
  if (file === undefined) {
    throw new CliError(`there is no manifest.json in ${folder}; is this the folder of a run?`);
  }
  if (file.value === undefined) {
    findings.add({ check: 'manifest', file: 'manifest.json', message: file.problem ?? '' });
    return { report: report(run, undefined, undefined, findings) };
  }
  const parsed = parseManifest(file.value);
  if (!parsed.ok) {
    const { field, wanted } = parsed.problem;
    findings.add({
      check: 'manifest',
      file: 'manifest.json',
      field,
      message: `${field} is not ${wanted}`,
    });
    return { report: report(run, undefined, undefined, findings) };
  }
  const { manifest } = parsed;
  const corpus = await options.corpus(manifest);
  findings.done.add('corpus');
  if (corpus.sha256 !== manifest.corpus.sha256) {
    findings.add({
      ...inFile('corpus', 'manifest.json', file, {
        path: ['corpus', 'sha256'],
        expected: corpus.sha256,
        found: manifest.corpus.sha256,
      }),
      message: `corpus.sha256: the run is of ${manifest.corpus.name} ${manifest.corpus.version} (${manifest.corpus.sha256.slice(0, 12)}), and this is ${corpus.name} ${corpus.version} (${corpus.sha256.slice(0, 12)}); it can be checked only against its own corpus`,
    });
    return { report: report(run, manifest, undefined, findings) };
  }
  if (manifest.versions.judge !== JUDGE_VERSION) {
    findings.add(
      inFile(
        'judgements',
        'manifest.json',
        file,
        { path: ['versions', 'judge'], expected: JUDGE_VERSION, found: manifest.versions.judge },
        'it can be checked only by the version that judged it',
      ),
    );
    return { report: report(run, manifest, undefined, findings) };
  }
  try {
    select(corpus.scenarios, manifest.selection);
  } catch (error) {
    if (!CliError.is(error)) throw error;
    findings.add({
      check: 'manifest',
      file: 'manifest.json',
      field: 'selection',
      message: `selection: ${error.message}`,
    });
    return { report: report(run, manifest, undefined, findings) };
  }
  await strayFiles(folder, findings);
  const trials = await checkTrials(folder, manifest, corpus, findings, options.signal).catch(
    (error: unknown) => {
      if (!(error instanceof LineTooLong)) throw error;
      findings.add({
        check: 'plan',
        file: basename(trialsFile(folder)),
        line: error.line,
        byte: error.offset,
        message: error.message,
      });
      return undefined;
    },
  );
  if (trials === undefined) return { report: report(run, manifest, undefined, findings) };
  let summary: Summary | undefined;
  if (trials.whole) {
    checkManifest(file, manifest, corpus, trials, findings);
    if (trials.count > 0) summary = await checkSummary(folder, manifest, trials, findings);
    else
      findings.add({
        check: 'plan',
        file: 'trials.jsonl',
        message: 'the run has no trials; zero cases prove nothing',
      });
  }
  checkDigests(file, manifest, trials, findings);
  findings.done.add('official');
  if (manifest.official) {
    const { done, planned } = manifest.result;
    const problems = officialProblems(manifest, corpus.bundled);
    if (manifest.shard !== null) problems.push('it is one shard; join the shards with pab merge');
    if (done < planned) problems.push(`${done} of ${planned} trials were run`);
    for (const problem of problems) {
      findings.add({
        check: 'official',
        file: 'manifest.json',
        field: 'official',
        message: `official: the run says that it is official, and ${problem}`,
      });
    }
  }
  const said = report(run, manifest, trials, findings);
  return {
    report: said,
    ...(said.verified && summary !== undefined ? { summary, manifest } : {}),
  };
}
