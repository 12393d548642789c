import { readFile } from 'node:fs/promises';

/** Version of `@pab/cli`, from its own manifest. */
export async function packageVersion(): Promise<string> {
  // dist/ and src/ lie beside the manifest alike; a chunk may lie one folder deeper.
  for (const relative of ['../package.json', '../../package.json']) {
    try {
      const text = await readFile(new URL(relative, import.meta.url), 'utf8');
      const manifest = JSON.parse(text) as { name?: unknown; version?: unknown };
      if (manifest.name === '@pab/cli' && typeof manifest.version === 'string')
        return manifest.version;
    } catch {
      // Not there: try the next folder.
    }
  }
  return '0.0.0';
}
