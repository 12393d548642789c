import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '../src');

const IMPORT = /^(?:import|export) (?!type\b)(?:[^;]*?)from '([^']+)'/gm;

/** Files that the command line loads before a command is chosen, followed from its entry. */
async function eager(file: string, seen: Map<string, string[]>): Promise<Map<string, string[]>> {
  if (seen.has(file)) return seen;
  const text = await readFile(file, 'utf8');
  const found = [...text.matchAll(IMPORT)].map((match) => match[1] ?? '');
  // An import of types alone is gone once it is compiled.
  const libraries = found.filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
  seen.set(file, libraries);
  for (const name of found.filter((item) => item.startsWith('.'))) {
    await eager(join(file, '..', name.replace(/\.js$/, '.ts')), seen);
  }
  return seen;
}

it('loads no library before a command line is to be parsed', async () => {
  const loaded = await eager(join(source, 'run.ts'), new Map());
  const libraries = new Set([...loaded.values()].flat());
  expect([...libraries]).toEqual([]);
  expect(loaded.size).toBeLessThan((await readdir(source, { recursive: true })).length / 2);
});
