import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const PACKAGES = ['model', 'score', 'detect', 'defenses', 'adapters', 'corpus'] as const;

/** Versions of our packages as they are installed here, for a manifest. */
export async function packageVersions(): Promise<Record<string, string>> {
  const { resolve } = createRequire(import.meta.url);
  const versions: Record<string, string> = {};
  for (const name of PACKAGES) {
    const text = await readFile(resolve(`@pab/${name}/package.json`), 'utf8').catch(() => '{}');
    const { version } = JSON.parse(text) as { version?: unknown };
    versions[`@pab/${name}`] = typeof version === 'string' ? version : '?';
  }
  return versions;
}
