import { appendFileSync, closeSync, openSync } from 'node:fs';
import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { canonicalJson, type Transcript } from '@pab/model';
import type { Trial } from '@pab/score';
import { CliError } from '../errors.js';
import type { Executed } from './execute.js';
import { lockFolder, type Release } from './folder-lock.js';
import type { RunManifest } from './manifest.js';

/** Transcripts are kept in files of this many trials. */
export const TRANSCRIPTS_PER_FILE = 1000;

export const trialsFile = (folder: string): string => join(folder, 'trials.jsonl');
export const manifestFile = (folder: string): string => join(folder, 'manifest.json');
export const summaryFile = (folder: string): string => join(folder, 'summary.json');
export const timingsFile = (folder: string): string => join(folder, 'timings.jsonl');
export const transcriptFile = (folder: string, part: number): string =>
  join(folder, 'transcripts', `${String(part).padStart(5, '0')}.jsonl`);

/**
 * Makes a folder and those above it, one at a time: the recursive `mkdir` of Node 20 never returns on a file system that refuses new
 * folders with ENOENT, such as /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let at = folder; (await stat(at).catch(() => undefined)) === undefined; at = dirname(at)) {
    missing.push(at);
    if (dirname(at) === at) break;
  }
  try {
    for (const path of missing.toReversed()) {
      await mkdir(path).catch((error: NodeJS.ErrnoException) => {
        // Another process may have made it in between.
        if (error.code !== 'EEXIST') throw error;
      });
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(`${folder} cannot be made: ${why}; name another --out`, { cause });
  }
}

/** Writes a whole file or nothing: beside it first, then in its place. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const beside = `${file}.part`;
  await writeFile(beside, text);
  await rename(beside, file);
}

/** How many whole lines a file has, and how many bytes they take; a torn last line counts for nothing. */
async function wholeLines(
  file: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ lines: number; bytes: number }> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return { lines: 0, bytes: 0 };
  try {
    const buffer = Buffer.alloc(1 << 20);
    let lines = 0;
    let bytes = 0;
    let offset = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
      if (bytesRead === 0) return { lines, bytes };
      let from = 0;
      while (lines < most) {
        const at = buffer.subarray(0, bytesRead).indexOf(10, from);
        if (at === -1) break;
        lines += 1;
        bytes = offset + at + 1;
        from = at + 1;
      }
      if (lines >= most) return { lines, bytes };
      offset += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

interface TranscriptLine {
  readonly index: number;
  readonly scenario: string;
  readonly variant: string;
  readonly trial: number;
  readonly transcript: Transcript;
}

/**
 * A run on disk. Trials are appended in the order of the plan, a transcript before its trial, so what is whole in `trials.jsonl` is
 * whole everywhere, and a run that was interrupted goes on after its last whole line.
 */
export class RunFolder {
  private readonly folder: string;
  private readonly files = new Map<string, number>();
  /** Trials that were already there. */
  readonly done: number;
  private written: number;

  private readonly unlock: Release;

  private constructor(folder: string, done: number, unlock: Release) {
    this.folder = folder;
    this.done = done;
    this.written = done;
    this.unlock = unlock;
  }

  /** A new folder; one that already holds a run is refused, because a run is never overwritten. */
  static async create(folder: string, manifest: RunManifest): Promise<RunFolder> {
    await makeFolder(folder);
    const unlock = await lockFolder(folder);
    try {
      const held = await readdir(folder);
      if (held.includes(basename(manifestFile(folder)))) {
        throw new CliError(
          `${folder} already holds a run; add --resume to go on with it, or name another --out`,
        );
      }
      if (held.length > 1) {
        throw new CliError(
          `${folder} is not empty, and holds no run; name an empty or a new --out`,
        );
      }
      await makeFolder(join(folder, 'transcripts'));
      await writeWhole(manifestFile(folder), `${JSON.stringify(manifest, null, 2)}\n`);
      return new RunFolder(folder, 0, unlock);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** Goes on with a run; refused when it was started with something else. */
  static async resume(folder: string, manifest: RunManifest): Promise<RunFolder> {
    const text = await readFile(manifestFile(folder), 'utf8').catch(() => undefined);
    if (text === undefined) return RunFolder.create(folder, manifest);
    const unlock = await lockFolder(folder);
    try {
      return new RunFolder(folder, await RunFolder.cutToWhole(folder, text, manifest), unlock);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** Checks that a run may go on, and cuts its files to what is whole; gives the number of whole trials. */
  private static async cutToWhole(
    folder: string,
    text: string,
    manifest: RunManifest,
  ): Promise<number> {
    const held = JSON.parse(text) as RunManifest;
    const same = (key: keyof RunManifest): boolean =>
      canonicalJson(held[key] ?? null) === canonicalJson(manifest[key] ?? null);
    for (const key of [
      'corpus',
      'target',
      'defense',
      'seed',
      'trials',
      'maxSteps',
      'selection',
      'shard',
      'provenance',
    ] as const) {
      if (!same(key)) {
        throw new CliError(
          `${folder} was started with another ${key} (${canonicalJson(held[key] ?? null)}, not ${canonicalJson(manifest[key] ?? null)}); give the same flags, or name another --out`,
        );
      }
    }
    const trials = await wholeLines(trialsFile(folder));
    await truncate(trialsFile(folder), trials.bytes).catch(() => undefined);
    for (const file of [timingsFile(folder)]) {
      const { bytes } = await wholeLines(file, trials.lines);
      await truncate(file, bytes).catch(() => undefined);
    }
    const part = Math.floor(trials.lines / TRANSCRIPTS_PER_FILE);
    const kept = await wholeLines(
      transcriptFile(folder, part),
      trials.lines % TRANSCRIPTS_PER_FILE,
    );
    await truncate(transcriptFile(folder, part), kept.bytes).catch(() => undefined);
    await rm(transcriptFile(folder, part + 1), { force: true });
    return trials.lines;
  }

  // At once rather than through the thread pool: three small writes for each trial cost less than one hand-over to a thread, and a
  // trial is on its way to the disk before the next one is looked at.
  private append(file: string, line: string): void {
    let descriptor = this.files.get(file);
    if (descriptor === undefined) {
      descriptor = openSync(file, 'a');
      this.files.set(file, descriptor);
    }
    appendFileSync(descriptor, `${line}\n`);
  }

  /** Appends one trial; when it returns, what a crash leaves behind has it. */
  add({ index, trial, transcriptJson, ms }: Executed): void {
    const part = Math.floor(this.written / TRANSCRIPTS_PER_FILE);
    if (this.written > this.done && this.written % TRANSCRIPTS_PER_FILE === 0) {
      this.closeFile(transcriptFile(this.folder, part - 1));
    }
    const place: Omit<TranscriptLine, 'transcript'> = {
      index,
      scenario: trial.scenario,
      variant: trial.judgement.variant,
      trial: trial.trial,
    };
    // The transcript goes in as the text that was digested.
    const line = `${JSON.stringify(place).slice(0, -1)},"transcript":${transcriptJson}}`;
    this.append(transcriptFile(this.folder, part), line);
    const timing = { index, ms: Math.round(ms * 1000) / 1000 };
    this.append(timingsFile(this.folder), JSON.stringify(timing));
    this.append(trialsFile(this.folder), JSON.stringify(trial));
    this.written += 1;
  }

  /** Lets another process write here; the last thing that a run does. */
  async release(): Promise<void> {
    await this.unlock();
  }

  private closeFile(file: string): void {
    const descriptor = this.files.get(file);
    if (descriptor === undefined) return;
    this.files.delete(file);
    closeSync(descriptor);
  }

  close(): void {
    for (const file of this.files.keys()) this.closeFile(file);
  }
}

/** Trials of a run, one at a time; a torn last line is left out. */
export async function* readTrials(folder: string): AsyncGenerator<Trial> {
  for await (const value of readLines(trialsFile(folder))) yield value as Trial;
}

export async function* readTranscripts(folder: string): AsyncGenerator<TranscriptLine> {
  for (let part = 0; ; part += 1) {
    const file = transcriptFile(folder, part);
    if ((await stat(file).catch(() => undefined)) === undefined) return;
    for await (const value of readLines(file)) yield value as TranscriptLine;
  }
}

async function* readLines(file: string): AsyncGenerator {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) throw new CliError(`there is no ${file}; is this the folder of a run?`);
  let number = 0;
  let torn: { readonly number: number; readonly cause: unknown } | undefined;
  try {
    for await (const line of handle.readLines({ autoClose: false })) {
      number += 1;
      if (torn !== undefined) {
        throw new CliError(
          `${file}:${torn.number}: this line is not JSON, and it is not the last; the file is damaged`,
          { cause: torn.cause },
        );
      }
      if (line === '') continue;
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch (cause) {
        torn = { number, cause };
        continue;
      }
      yield value;
    }
  } finally {
    await handle.close();
  }
}
