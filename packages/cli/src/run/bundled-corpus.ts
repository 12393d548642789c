import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Scenario } from '@pab/model';

export function bundledCorpusFile(): string {
  return createRequire(import.meta.url).resolve('@pab/corpus/dist/pab-core.jsonl');
}

/**
 * Scenarios of the bundled corpus as they stand in its file, in order, for those who only show them. They are not validated: that was
 * done when they were compiled, and costs more than all else that a listing does.
 */
export async function readBundledScenarios(): Promise<readonly Scenario[]> {
  const text = await readFile(bundledCorpusFile(), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.includes('"scenario"'))
    .flatMap((line) => (JSON.parse(line) as { readonly scenario?: Scenario }).scenario ?? []);
}
