import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { type Entry, fromBuffer, validateFileName, type ZipFile } from 'yauzl';
import type { ReadLimits } from '../limits.js';

/** One file of an archive. Its bytes must be read, or left, before the next member is asked for. */
export interface Member {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** A member that is not opened, and why. */
export interface RefusedMember {
  readonly name: string;
  readonly refused: string;
}

/** Nothing is ever written where a name points; but a name that points elsewhere is no honest data file. */
function refusedName(name: string): string | null {
  return validateFileName(name.replaceAll('\\', '/')) === null
    ? null
    : 'its name points outside the archive, so it is not read';
}

/** A container that grows beyond the limits, or is not what its first bytes say. */
export class ContainerProblem extends Error {
  override readonly name = 'ContainerProblem';
}

const GROWTH_IS_WATCHED_FROM = 64 * 1024 * 1024;

/** Stops a stream that grows beyond the limits. `taken` counts what went in. */
async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  limits: ReadLimits,
  counter: { out: number; taken: () => number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    counter.out += chunk.length;
    if (counter.out > limits.expanded) {
      throw new ContainerProblem(`expands to more than ${limits.expanded} bytes`);
    }
    const watched = Math.min(GROWTH_IS_WATCHED_FROM, limits.expanded / 2);
    if (counter.out > watched && counter.out > counter.taken() * limits.ratio) {
      throw new ContainerProblem(`expands more than ${limits.ratio} times`);
    }
    yield chunk;
  }
}

function asProblem(error: unknown, what: string): Error {
  if (error instanceof ContainerProblem) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new ContainerProblem(`${what} is broken${code === '' ? '' : ` (${code})`}`, {
    cause: error,
  });
}

export async function* gunzip(
  chunks: AsyncIterable<Uint8Array>,
  limits: ReadLimits,
): AsyncGenerator<Uint8Array> {
  let taken = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      taken += chunk.length;
      yield chunk;
    }
  }
  const input = Readable.from(counted(), { objectMode: false });
  const output = createGunzip({ chunkSize: 65_536 });
  input.on('error', (error) => output.destroy(error));
  try {
    yield* bounded(input.pipe(output), limits, { out: 0, taken: () => taken });
  } catch (error) {
    throw asProblem(error, 'gzip stream');
  } finally {
    output.destroy();
    input.destroy();
  }
}

/** The stream's chunks; leaving early does not destroy it, which would end the whole archive. */
async function* undestroyed(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const iterator = stream[Symbol.asyncIterator]();
  for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) {
    if (step.value instanceof Uint8Array) yield step.value;
  }
}

export async function* tarMembers(
  chunks: AsyncIterable<Uint8Array>,
  limits: ReadLimits,
): AsyncGenerator<Member | RefusedMember> {
  const unpack = extract();
  const input = Readable.from(chunks, { objectMode: false });
  input.on('error', (error) => unpack.destroy(error));
  input.pipe(unpack);
  let members = 0;
  try {
    for await (const entry of unpack) {
      members += 1;
      if (members > limits.members) {
        throw new ContainerProblem(`has more than ${limits.members} members`);
      }
      const { name, type } = entry.header;
      const refused =
        type === 'symlink' || type === 'link' ? 'a link, which is not followed' : refusedName(name);
      if (refused !== null) yield { name, refused };
      else if (type === 'file') yield { name, chunks: undestroyed(entry) };
      entry.resume();
    }
  } catch (error) {
    throw asProblem(error, 'tar archive');
  } finally {
    unpack.destroy();
    input.destroy();
  }
}

// With names decoded by the library, one bad name would end the whole archive.
const ZIP_OPTIONS = { lazyEntries: true, validateEntrySizes: true, decodeStrings: false };
const LINK_MODE = 0o120_000;
const KIND_OF_MODE = 0o170_000;

function nameOf(entry: Entry): string {
  const name: unknown = entry.fileName;
  return name instanceof Uint8Array ? new TextDecoder().decode(name) : entry.fileName;
}

function isLink(entry: Entry): boolean {
  return ((entry.externalFileAttributes >>> 16) & KIND_OF_MODE) === LINK_MODE;
}

function openZip(bytes: Uint8Array): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    fromBuffer(view, ZIP_OPTIONS, (error, zip) => {
      if (error === null) resolve(zip);
      else reject(error);
    });
  });
}

function nextEntry(zip: ZipFile): Promise<Entry | null> {
  return new Promise((resolve, reject) => {
    const clear = (): void => {
      zip.removeAllListeners('entry');
      zip.removeAllListeners('end');
      zip.removeAllListeners('error');
    };
    zip.once('entry', (entry: Entry) => {
      clear();
      resolve(entry);
    });
    zip.once('end', () => {
      clear();
      resolve(null);
    });
    zip.once('error', (error: Error) => {
      clear();
      reject(error);
    });
    zip.readEntry();
  });
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error === null) resolve(stream);
      else reject(error);
    });
  });
}

export async function* zipMembers(
  bytes: Uint8Array,
  limits: ReadLimits,
): AsyncGenerator<Member | RefusedMember> {
  const counter = { out: 0, taken: () => bytes.length };
  async function* content(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
    let stream: Readable | null = null;
    try {
      stream = await openEntry(zip, entry);
      yield* bounded(stream, limits, counter);
    } catch (error) {
      throw asProblem(error, 'zip member');
    } finally {
      stream?.destroy();
    }
  }
  try {
    const zip = await openZip(bytes);
    if (zip.entryCount > limits.members) {
      throw new ContainerProblem(`has more than ${limits.members} members`);
    }
    for (let entry = await nextEntry(zip); entry !== null; entry = await nextEntry(zip)) {
      const name = nameOf(entry);
      const refused = isLink(entry) ? 'a link, which is not followed' : refusedName(name);
      if (refused !== null) yield { name, refused };
      else if (!name.endsWith('/')) yield { name, chunks: content(zip, entry) };
    }
  } catch (error) {
    throw asProblem(error, 'zip archive');
  }
}
