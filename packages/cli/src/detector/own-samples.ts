import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Scope } from '@pab/detect';
import type { LabelledText } from '@pab/detect/evaluation';

interface Sample {
  readonly id: string;
  readonly label: 'attack' | 'benign';
  readonly scope: Scope;
  readonly language: string;
  readonly text: string;
}

/** The sample file that `@pab/detect` ships. */
export function ownSamplesFile(): string {
  const manifest = createRequire(import.meta.url).resolve('@pab/detect/package.json');
  return join(dirname(manifest), 'samples', 'samples.jsonl');
}

/** Our own labelled texts: a regression gate, not a headline, since rules were written with them in sight. */
export async function ownSamples(): Promise<LabelledText[]> {
  const lines = (await readFile(ownSamplesFile(), 'utf8'))
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const { id, label, scope, language, text } = JSON.parse(line) as Sample;
    return { id, text, attack: label === 'attack', scope, language };
  });
}
