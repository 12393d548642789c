import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { model } from '@pab/detect/model';
import { describe, expect, it } from 'vitest';
import { ownSamples } from '../../src/detector/own-samples.js';
import { readTrainingSets } from '../../src/detector/training-sets.js';
import { temporaryFolder } from './surroundings.js';

const DATA =
  process.env['PAB_SHARED_DATA'] ??
  fileURLToPath(new URL('../../../../../shared/data', import.meta.url));

describe('ownSamples', () => {
  it('holds enough of both classes, half of the benign hard, and no text twice', async () => {
    const samples = await ownSamples();
    const attacks = samples.filter(({ attack }) => attack);
    expect(attacks.length).toBeGreaterThanOrEqual(150);
    expect(samples.length - attacks.length).toBeGreaterThanOrEqual(150);
    expect(new Set(samples.map(({ text }) => text)).size).toBe(samples.length);
    expect(new Set(samples.map(({ id }) => id)).size).toBe(samples.length);
    expect(new Set(samples.map(({ scope }) => scope))).toEqual(
      new Set(['input', 'context', 'output', 'tool']),
    );
  });
});

describe('readTrainingSets', () => {
  it.skipIf(!existsSync(DATA))('reads the very rows that the model was trained on', async () => {
    const { texts, digests } = await readTrainingSets(DATA, '.');
    const found = [...digests].map(([name, sha256]) => {
      const rows = texts.filter(({ source }) => source === name);
      const attacks = rows.filter(({ attack }) => attack).length;
      return { name, attacks, benign: rows.length - attacks, sha256 };
    });
    expect(found).toEqual(model.sources);
  });

  it('says which file is missing', async () => {
    await expect(readTrainingSets('nowhere', '.')).rejects.toThrow(
      'there is no folder nowhere with the development sets; name it with --data or PAB_SHARED_DATA',
    );
    await expect(readTrainingSets('.', temporaryFolder())).rejects.toThrow(
      /there is no file deepset-train/,
    );
  });
});
