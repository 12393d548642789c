import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HarvestError } from '../errors.js';
import type { HubOptions } from './hub-options.js';

const REVISION = 'refs/convert/parquet';

function root({ cache, env }: HubOptions): string {
  if (cache !== undefined) return cache;
  if (env['HF_HUB_CACHE']) return env['HF_HUB_CACHE'];
  if (env['HF_HOME']) return join(env['HF_HOME'], 'hub');
  const base = env['XDG_CACHE_HOME'] ?? (env['HOME'] ? join(env['HOME'], '.cache') : undefined);
  if (base === undefined) {
    throw new HarvestError('bad-option', 'there is no cache folder: set HF_HOME or HOME');
  }
  return join(base, 'huggingface', 'hub');
}

/** A step of a path that a server named: letters, digits, `_`, `-`, `.`, and never a way out of the folder. */
export function safeStep(step: string): string {
  return /^[\w-][\w.-]{0,120}$/u.test(step)
    ? step
    : createHash('sha256').update(step).digest('hex').slice(0, 24);
}

/** The cache of one data set, in the layout of `huggingface_hub`. */
export class HubCache {
  readonly #folder: string;

  constructor(options: HubOptions) {
    this.#folder = join(
      root(options),
      `datasets--${options.dataset.split('/').map(safeStep).join('--')}`,
    );
  }

  /** Where a file grows while it is fetched. */
  incomplete(name: string): string {
    return join(this.#folder, 'blobs', `pab-${safeStep(name.replaceAll('/', '--'))}.incomplete`);
  }

  snapshot(commit: string, path: string): string {
    return join(this.#folder, 'snapshots', safeStep(commit), ...path.split('/').map(safeStep));
  }

  /** Notes which commit the Parquet branch had. */
  async remember(commit: string): Promise<void> {
    const path = join(this.#folder, 'refs', ...REVISION.split('/'));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.part`, commit);
    await rename(`${path}.part`, path);
  }

  /** The Parquet files at hand: those of the branch last seen, or of the main branch. */
  async files(): Promise<{ commit: string; files: { path: string; file: string }[] } | null> {
    for (const revision of [REVISION, 'main']) {
      const commit = await readFile(
        join(this.#folder, 'refs', ...revision.split('/')),
        'utf8',
      ).catch(() => null);
      if (commit === null) continue;
      const base = join(this.#folder, 'snapshots', safeStep(commit.trim()));
      const names = await readdir(base, { recursive: true }).catch(() => []);
      const files = names
        .filter((name) => name.endsWith('.parquet'))
        .toSorted()
        .map((name) => ({ path: name.replaceAll('\\', '/'), file: join(base, name) }));
      if (files.length > 0) return { commit: commit.trim(), files };
    }
    return null;
  }
}

export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
