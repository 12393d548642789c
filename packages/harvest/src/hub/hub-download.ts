import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HarvestError } from '../errors.js';
import { type HubCache, sizeOf } from './hub-cache.js';
import type { HubOptions } from './hub-options.js';
import { hubGet, type Linked } from './hub-request.js';

const ATTEMPTS = 5;

/** Checks a file against its hash: SHA-256 for large files, git's SHA-1 of a blob for small ones. Other marks say nothing. */
async function matches(path: string, etag: string, size: number): Promise<boolean> {
  const git = /^[0-9a-f]{40}$/u.test(etag);
  if (!git && !/^[0-9a-f]{64}$/u.test(etag)) return true;
  const digest = createHash(git ? 'sha1' : 'sha256');
  if (git) digest.update(`blob ${size}\0`);
  const chunks: AsyncIterable<Uint8Array> = createReadStream(path, { highWaterMark: 1024 * 1024 });
  for await (const chunk of chunks) digest.update(chunk);
  return digest.digest('hex') === etag;
}

interface Progress {
  readonly linked: Linked;
  readonly total: number | null;
  readonly received: number;
}

/** Appends what is missing to the incomplete file; throws where the connection breaks. */
async function receive(
  url: URL,
  path: string,
  name: string,
  options: HubOptions,
): Promise<Progress> {
  let have = await sizeOf(path);
  let { response, linked } = await hubGet(url, options, { range: have });
  if (response.status === 416) {
    // Nothing is left to send, or the part does not fit this file: the check afterwards tells which.
    await response.body?.cancel();
    return { linked, total: linked.size, received: have };
  }
  if (have > 0 && response.status !== 206) have = 0;
  const length = response.headers.get('content-length');
  const encoded = response.headers.get('content-encoding') !== null;
  const total = linked.size ?? (length === null || encoded ? null : have + Number(length));
  await mkdir(dirname(path), { recursive: true });
  const handle = await open(path, have > 0 ? 'a' : 'w');
  let received = have;
  try {
    const body: AsyncIterable<Uint8Array> | null = response.body;
    for await (const chunk of body ?? []) {
      await handle.writeFile(chunk);
      received += chunk.length;
      if (total !== null && received > total) break;
      options.onProgress?.(name, received, total);
    }
  } finally {
    await handle.close();
  }
  linked = {
    ...linked,
    etag: linked.etag ?? response.headers.get('etag')?.replace(/^W\/|"/gu, '') ?? null,
  };
  return { linked, total, received };
}

function isBreak(error: unknown): boolean {
  return HarvestError.is(error) ? error.code === 'offline' : true;
}

/**
 * Downloads a file into the cache. A connection that breaks is taken up where it broke, in this run or the next.
 *
 * @returns path of the whole, checked file and the commit that the hub named
 * @throws HarvestError `hash-mismatch` when size or hash is not what the hub said; the file is thrown away
 */
export async function download(
  url: URL,
  name: string,
  cache: HubCache,
  options: HubOptions,
): Promise<{ file: string; commit: string | null }> {
  const path = cache.incomplete(name);
  let progress: Progress | null = null;
  let broken: unknown = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    options.signal?.throwIfAborted();
    if (attempt > 0) await options.sleep?.(500 * 2 ** attempt);
    try {
      progress = await receive(url, path, name, options);
      if (progress.total === null || progress.received >= progress.total) break;
      broken = new HarvestError(
        'hub-failed',
        `${name}: the connection broke at ${progress.received} of ${progress.total} bytes`,
      );
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!isBreak(error)) throw error;
      broken = error;
    }
    progress = null;
  }
  if (progress === null) {
    if (HarvestError.is(broken)) throw broken;
    throw new HarvestError(
      'hub-failed',
      `${name}: the connection broke ${ATTEMPTS} times; run the command again to go on`,
      { cause: broken },
    );
  }
  const { linked, total } = progress;
  const size = await sizeOf(path);
  const wrongSize = total !== null && size !== total;
  if (wrongSize || (linked.etag !== null && !(await matches(path, linked.etag, size)))) {
    await rm(path, { force: true });
    const what = wrongSize
      ? `has ${size} bytes where the hub says ${total}`
      : 'does not have the hash that the hub says';
    throw new HarvestError(
      'hash-mismatch',
      `${name} ${what}; it was thrown away, run the command again`,
    );
  }
  const target = cache.snapshot(linked.commit ?? 'unknown', name);
  await mkdir(dirname(target), { recursive: true });
  await rename(path, target);
  return { file: target, commit: linked.commit };
}
