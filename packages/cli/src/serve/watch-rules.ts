import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

async function* entriesOf(path: string): AsyncGenerator<string> {
  const found = await stat(path);
  if (!found.isDirectory()) {
    yield `${path} ${found.size.toString()} ${found.mtimeMs.toString()}`;
    return;
  }
  for (const name of (await readdir(path)).toSorted()) yield* entriesOf(join(path, name));
}

/** Names, sizes and times of all files at a path, and nothing where there is none. */
export async function stateOfRules(path: string): Promise<string> {
  try {
    const entries: string[] = [];
    for await (const entry of entriesOf(path)) entries.push(entry);
    return entries.join('\n');
  } catch {
    return '';
  }
}

/** Waits; false when the signal ended it. */
function waited(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve(!signal.aborted);
    };
    const timer = setTimeout(end, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Milliseconds between two looks. */
  readonly interval?: number;
  /** The state before the rules in force were read, so that no change after it is missed; by default the present one. */
  readonly since?: string | undefined;
}

/**
 * Calls `changed` whenever files at a path have changed and have then stayed as they are from one look to the next, so
 * that half-written files are not read. It looks at names, sizes and times instead of asking the system for events,
 * which do not come from network and container mounts. Ends with the signal.
 */
export async function watchRules(
  path: string,
  changed: () => Promise<void>,
  { signal, interval = 1_000, since }: WatchOptions,
): Promise<void> {
  let known = since ?? (await stateOfRules(path));
  let last = known;
  while (await waited(interval, signal)) {
    const now = await stateOfRules(path);
    if (now !== known && now === last && now !== '') {
      known = now;
      await changed();
    }
    last = now;
  }
}
