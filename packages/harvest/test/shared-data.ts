import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder =
  process.env['PAB_SHARED_DATA'] ??
  fileURLToPath(new URL('../../../../shared/data', import.meta.url));

/** Whether the public data are there, which the repository does not contain. */
export const hasSharedData = existsSync(folder);

export const withoutSharedData = hasSharedData
  ? ''
  : ' (skipped: the folder ../shared/data is absent)';

export function sharedFile(path: string): string {
  return `${folder}/${path}`;
}
