import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { replay } from '@pab/adapters';
import type { Target, Transcript } from '@pab/model';
import { CliError } from '../errors.js';
import { readTranscripts } from './run-folder.js';

/** `replay:RUN`: what the target of a recorded run proposed, proposed again. Takes the run's folder, or a file in it. */
export async function replayTarget(path: string | undefined, cwd: string): Promise<Target> {
  if (path === undefined) throw new CliError('name the run to replay: replay:runs/NAME');
  const full = resolve(cwd, path);
  const found = await stat(full).catch(() => undefined);
  if (found === undefined)
    throw new CliError(`there is no ${path} to replay; name the folder of a run`);
  const transcripts = new Map<string, Transcript>();
  for await (const line of readTranscripts(found.isDirectory() ? full : dirname(full))) {
    transcripts.set(`${line.scenario}\n${line.variant}\n${line.trial}`, line.transcript);
  }
  if (transcripts.size === 0) throw new CliError(`${path} holds no transcripts to replay`);
  return replay((wanted) =>
    Promise.resolve(transcripts.get(`${wanted.scenario.id}\n${wanted.variant}\n${wanted.trial}`)),
  );
}
