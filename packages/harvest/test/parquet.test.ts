import { describe, expect, it } from 'vitest';
import { bytesSource, fileSource, readRows } from '../src/index.js';
import { parquetReader } from '../src/parquet.js';
import { collect, read, rejectsOf, rowsOf } from './reading.js';
import { hasSharedData, sharedFile, withoutSharedData } from './shared-data.js';

const DEEPSET = 'deepset-train/train-00000-of-00001-9564e8b05b4757ab.parquet';

describe('Parquet', () => {
  it.skipIf(!hasSharedData)(
    `reads every row, with numbers as numbers${withoutSharedData}`,
    async () => {
      const source = await fileSource(sharedFile(DEEPSET));
      const items = await collect(readRows(source, { parquet: parquetReader }));
      expect(items).toHaveLength(546);
      expect(items.at(-1)?.place).toEqual({ file: source.name, row: 546 });
      const labels = rowsOf(items).map((row) => (row as { label: unknown }).label);
      expect(labels.filter((label) => label === 1)).toHaveLength(203);
      expect(labels.filter((label) => label === 0)).toHaveLength(343);
    },
  );

  it('says that no reader was given', async () => {
    expect(rejectsOf(await read('a.parquet', 'PAR1xxxxPAR1'))).toEqual([
      'a.parquet: a Parquet file, and no Parquet reader was given',
    ]);
  });

  it('refuses what only begins like a Parquet file', async () => {
    const items = await collect(
      readRows(bytesSource('a.parquet', `PAR1${'x'.repeat(100)}PAR1`), { parquet: parquetReader }),
    );
    expect(rejectsOf(items)[0]).toMatch(
      /^a\.parquet: the footer of this Parquet file is broken \(/u,
    );
  });

  it('says that a file was cut off', async () => {
    const source = bytesSource('a.parquet', `PAR1${'x'.repeat(100)}`);
    expect(rejectsOf(await collect(readRows(source, { parquet: parquetReader })))).toEqual([
      'a.parquet: not a whole Parquet file: it does not end with PAR1, as one that was cut off does not',
    ]);
  });
});
