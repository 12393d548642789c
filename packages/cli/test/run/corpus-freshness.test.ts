import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile } from '@pab/model';
import { expect, it } from 'vitest';
import { bundledCorpusFile, loadSoundCorpus } from '../../src/run/index.js';

const corpus = join(import.meta.dirname, '../../../../corpus');

it('ships a compiled corpus that is what its sources compile to', async () => {
  const { version } = JSON.parse(await readFile(join(corpus, 'package.json'), 'utf8')) as {
    version: string;
  };
  const { scenarios, worlds } = await loadSoundCorpus([corpus], corpus);
  const { text, manifest } = compile({ name: 'pab-core', version, scenarios, worlds });
  expect(text === (await readFile(bundledCorpusFile(), 'utf8')), 'run `npm run corpus`').toBe(true);
  expect(JSON.parse(await readFile(join(corpus, 'dist/manifest.json'), 'utf8'))).toEqual(manifest);
});
