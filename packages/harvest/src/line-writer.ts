import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

const FLUSH_AT = 256 * 1024;

/** Writes lines to a file in large pieces, and knows how many there are and the digest of the whole. */
export class LineWriter {
  readonly #handle: FileHandle;
  readonly #hash: Hash = createHash('sha256');
  #pending: string[] = [];
  #held = 0;
  #lines = 0;
  #bytes = 0;
  #last: Promise<void> = Promise.resolve();

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create(path: string): Promise<LineWriter> {
    return new LineWriter(await open(path, 'wx'));
  }

  get lines(): number {
    return this.#lines;
  }

  /** Adds a line. The promise is there only when the disk has to be waited for. */
  write(line: string): Promise<void> | undefined {
    this.#pending.push(line, '\n');
    this.#held += line.length + 1;
    this.#lines += 1;
    return this.#held < FLUSH_AT ? undefined : this.#flush();
  }

  /** Pieces are written one after the other, whether or not the caller waits. */
  #flush(): Promise<void> {
    const bytes = Buffer.from(this.#pending.join(''), 'utf8');
    this.#pending = [];
    this.#held = 0;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    const written = this.#last.then(() => this.#handle.writeFile(bytes));
    // A failure is reported by whoever waits next, at the latest by `close`.
    written.catch(() => undefined);
    this.#last = written;
    return written;
  }

  async close(): Promise<WrittenFile> {
    try {
      if (this.#held > 0) void this.#flush();
      await this.#last;
    } finally {
      await this.#handle.close();
    }
    return { lines: this.#lines, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

export interface WrittenFile {
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}
