import { open } from 'node:fs/promises';

/** One line of a file, as bytes without its end. */
export interface StrictLine {
  /** From 1. */
  readonly number: number;
  /** Where it begins in the file, in bytes from 0. */
  readonly offset: number;
  readonly bytes: Buffer;
  /** False for a last line that has no line end: the file was cut off. */
  readonly ended: boolean;
}

/** Longest line that is read. A trial of a hundred steps with long documents is well under a tenth of it. */
export const LONGEST_LINE = 64 * 1024 * 1024;

/** A line was longer than anything that a run writes. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  readonly line: number;
  readonly offset: number;

  constructor(line: number, offset: number) {
    super(`line ${line} has more than ${LONGEST_LINE} bytes`);
    this.line = line;
    this.offset = offset;
  }
}

/** Lines of a file with their places, one at a time; nothing is repaired. `onBytes` sees every byte, for a digest. */
export async function* strictLines(
  file: string,
  onBytes?: (bytes: Uint8Array) => void,
): AsyncGenerator<StrictLine> {
  const handle = await open(file, 'r');
  try {
    let number = 1;
    let offset = 0;
    let held: Buffer[] = [];
    let heldLength = 0;
    for (;;) {
      const buffer = Buffer.allocUnsafe(1 << 18);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      onBytes?.(chunk);
      let from = 0;
      for (;;) {
        const at = chunk.indexOf(10, from);
        if (at === -1) break;
        const rest = chunk.subarray(from, at);
        const bytes = held.length === 0 ? rest : Buffer.concat([...held, rest]);
        yield { number, offset, bytes, ended: true };
        number += 1;
        offset += bytes.length + 1;
        held = [];
        heldLength = 0;
        from = at + 1;
      }
      if (from < bytesRead) {
        held.push(chunk.subarray(from));
        heldLength += bytesRead - from;
        if (heldLength > LONGEST_LINE) throw new LineTooLong(number, offset);
      }
    }
    if (heldLength > 0) yield { number, offset, bytes: Buffer.concat(held), ended: false };
  } finally {
    await handle.close();
  }
}
