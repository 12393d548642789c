import { createReadStream } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { HarvestError } from './errors.js';
import { isConfined } from './readers/yaml.js';
import type { ByteSource } from './source.js';

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Below `folder` even after links are followed. */
async function staysInside(folder: string, path: string): Promise<boolean> {
  const root = await realpath(folder);
  return (await realpath(path)).startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * The file `relative` beside `path`: at that place, or under the flat name that `folder__file` copies have
 * (`suite__main.yaml` finds `include/x.yaml` as `suite__include__x.yaml`).
 */
async function findSibling(path: string, relative: string): Promise<string | null> {
  if (!isConfined(relative)) return null;
  const folder = dirname(path);
  const name = basename(path);
  const prefix = name.slice(0, name.lastIndexOf('__') + 2);
  const flat = relative.replaceAll('/', '__');
  const candidates = [relative, name.includes('__') ? prefix + flat : flat, flat];
  for (const candidate of candidates) {
    const full = join(folder, candidate);
    if ((await isFile(full)) && (await staysInside(folder, full))) return full;
  }
  return null;
}

/** A file on disk. `name` is how places and manifests call it: by default its last step, never the whole path. */
export async function fileSource(path: string, name = basename(path)): Promise<ByteSource> {
  let size: number;
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new HarvestError('unreadable', `${path} is not a file`);
    size = found.size;
  } catch (error) {
    if (HarvestError.is(error)) throw error;
    throw new HarvestError('missing-file', `cannot read ${path}`, { cause: error });
  }
  return {
    name,
    size,
    folder: basename(dirname(resolve(path))),
    open: () => createReadStream(path, { highWaterMark: 256 * 1024 }),
    slice: async (start, end) => {
      const handle = await open(path, 'r');
      try {
        const bytes = Buffer.alloc(Math.max(0, end - start));
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
        return bytes.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
    sibling: async (relative) => {
      const found = await findSibling(path, relative);
      return found === null ? null : fileSource(found);
    },
  };
}
