import { agentdojoRuns } from './agentdojo.js';
import type { RunFormat } from './recorded-trial.js';
import type { RunReader } from './run-reader.js';

/** In the order in which they are asked about a row. */
export const RUN_READERS: readonly RunReader[] = [agentdojoRuns];

export function readerFor(format: RunFormat): RunReader {
  const found = RUN_READERS.find((reader) => reader.format === format);
  if (found === undefined) throw new RangeError(`there is no reader for ${format}`);
  return found;
}

/** What a row that does not fit is, in words; null where nothing is known of it. */
export function looksLike(value: unknown): string | null {
  return RUN_READERS.find((reader) => reader.recognises(value))?.title ?? null;
}
