import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../errors.js';

/** Releases a folder for the next process. */
export type Release = () => Promise<void>;

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be signalled, but it runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Takes a run folder for this process: two that write one folder would mix their trials. What a killed process left behind is
 * taken over.
 *
 * @throws CliError when another process is writing there
 */
export async function lockFolder(folder: string): Promise<Release> {
  const file = join(folder, 'lock');
  for (let attempt = 0; ; attempt += 1) {
    const handle: FileHandle | undefined = await open(file, 'wx').catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return undefined;
        throw new CliError(`${folder} cannot be written: ${error.message}`, { cause: error });
      },
    );
    if (handle !== undefined) {
      await handle.writeFile(String(process.pid));
      await handle.close();
      return () => rm(file, { force: true });
    }
    const holder = Number(await readFile(file, 'utf8').catch(() => ''));
    if (attempt > 0 || (Number.isSafeInteger(holder) && holder > 0 && runs(holder))) {
      throw new CliError(
        `another process${holder > 0 ? ` (${holder})` : ''} is writing ${folder}; wait for it, or remove ${file} when it does not run any more`,
      );
    }
    await rm(file, { force: true });
  }
}
