import { closeSync, constants, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';

/** What is read, and whether its end is up to somebody else. */
export interface OpenFile {
  readonly bytes: Readable;
  readonly waits: boolean;
}

/**
 * Opens what is at a path for reading. A named pipe and a terminal are opened so that waiting for them holds no thread: one
 * that waits for a writer cannot be called off, and keeps the process alive after a Ctrl-C.
 */
export async function openFile(path: string): Promise<OpenFile> {
  const kind = await stat(path);
  if (kind.isFIFO()) {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { bytes: new Socket({ fd, readable: true, writable: false }), waits: true };
  }
  if (kind.isCharacterDevice()) {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (isatty(fd)) return { bytes: new ReadStream(fd), waits: true };
    closeSync(fd);
  }
  return { bytes: createReadStream(path, { highWaterMark: 1 << 18 }), waits: false };
}
