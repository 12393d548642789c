import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonValue } from '@pab/model';
import { type RunManifest } from '../../src/run/index.js';
import { manifestDigest } from '../../src/run/manifest.js';
import { pab, temporaryFolder } from '../surroundings.js';

/** The files of a run, as a forger would hold them. */
export interface RunFiles {
  manifest: { result: { trialsSha256: string; manifestSha256: string } } & Record<string, unknown>;
  summary: Record<string, unknown>;
  trials: string[];
  transcripts: string[];
}

const lines = (text: string): string[] => text.split('\n').slice(0, -1);
const joined = (text: readonly string[]): string => text.map((line) => `${line}\n`).join('');

export async function readRun(folder: string): Promise<RunFiles> {
  const [manifest = '', summary = '', trials = '', transcripts = ''] = await Promise.all(
    ['manifest.json', 'summary.json', 'trials.jsonl', 'transcripts/00000.jsonl'].map((name) =>
      readFile(join(folder, name), 'utf8'),
    ),
  );
  return {
    manifest: JSON.parse(manifest) as RunFiles['manifest'],
    summary: JSON.parse(summary) as RunFiles['summary'],
    trials: lines(trials),
    transcripts: lines(transcripts),
  };
}

async function writeRun(folder: string, files: RunFiles): Promise<void> {
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(files.manifest, null, 2)}\n`);
  await writeFile(join(folder, 'summary.json'), `${JSON.stringify(files.summary, null, 2)}\n`);
  await writeFile(join(folder, 'trials.jsonl'), joined(files.trials));
  await writeFile(join(folder, 'transcripts/00000.jsonl'), joined(files.transcripts));
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Makes the digests of a forged run fit again: what a careful forger would do. */
export function reseal(files: RunFiles): void {
  files.trials = files.trials.map((line, index) => {
    const transcript = (JSON.parse(files.transcripts[index] ?? '{}') as { transcript?: JsonValue })
      .transcript;
    return JSON.stringify({
      ...(JSON.parse(line) as object),
      transcript: sha256(JSON.stringify(transcript)),
    });
  });
  files.manifest.result.trialsSha256 = sha256(joined(files.trials));
  files.manifest.result.manifestSha256 = manifestDigest(files.manifest as unknown as RunManifest);
}

/** One line of JSON, changed. */
export function edit(held: string[], index: number, change: (line: string) => string): void {
  const line = held[index] ?? '';
  const changed = change(line);
  if (changed === line) throw new Error('the tampering changed nothing');
  held[index] = changed;
}

/** Verifies a copy of a run in which `tamper` was let loose. */
export async function verifyTampered(run: string, tamper: (files: RunFiles) => void) {
  const folder = join(await temporaryFolder(), 'run');
  await cp(run, folder, { recursive: true });
  const files = await readRun(folder);
  tamper(files);
  await writeRun(folder, files);
  return verify(folder);
}

export interface VerifyJson {
  readonly verified: boolean;
  readonly official: boolean;
  readonly checks: Record<string, boolean | null>;
  readonly differences: readonly {
    readonly check: string;
    readonly file: string;
    readonly line?: number;
    readonly byte?: number;
    readonly field?: string;
    readonly message: string;
  }[];
}

export async function verify(folder: string, ...more: readonly string[]) {
  const { status, stdout, stderr } = await pab(['verify', folder, '--json', ...more]);
  const report = stdout === '' ? undefined : (JSON.parse(stdout) as VerifyJson);
  return { status, stderr, report, first: report?.differences[0] };
}
