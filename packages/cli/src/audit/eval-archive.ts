import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { ArchiveFile } from '@pab/score';
import { Zip, ZipDeflate } from 'fflate';

const encoder = new TextEncoder();
/** The same moment for every entry, so that the same run gives the same archive. */
const MOMENT = new Date(2000, 0, 1);

/** A zip file that is written entry by entry, and stands in its place only when it is whole. */
export class EvalArchive {
  private readonly file: string;
  private readonly handle: FileHandle;
  private readonly zip: Zip;
  private pending: Uint8Array[] = [];
  private failure: Error | undefined;

  private constructor(file: string, handle: FileHandle) {
    this.file = file;
    this.handle = handle;
    this.zip = new Zip((error, data) => {
      if (error === null) this.pending.push(data);
      else this.failure ??= error;
    });
  }

  static async create(file: string): Promise<EvalArchive> {
    return new EvalArchive(file, await open(`${file}.part`, 'w'));
  }

  async add({ path, text }: ArchiveFile): Promise<void> {
    const entry = new ZipDeflate(path, { level: 6 });
    entry.mtime = MOMENT;
    this.zip.add(entry);
    entry.push(encoder.encode(text), true);
    await this.flush();
  }

  private async flush(): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    const held = this.pending;
    this.pending = [];
    for (const bytes of held) await this.handle.write(bytes);
  }

  async finish(): Promise<void> {
    this.zip.end();
    await this.flush();
    await this.handle.close();
    await rename(`${this.file}.part`, this.file);
  }

  /** Leaves nothing behind. */
  async abandon(): Promise<void> {
    this.zip.terminate();
    await this.handle.close().catch(() => undefined);
    await rm(`${this.file}.part`, { force: true });
  }
}
