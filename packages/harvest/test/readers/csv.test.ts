import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutCsvRecords } from '../../src/readers/csv-records.js';
import { splitLines } from '../../src/readers/split-lines.js';
import { collect, read, rejectsOf, rowsOf } from '../reading.js';

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

describe('tables', () => {
  it('gives back any table that was written with all cells quoted', async () => {
    const cell = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\r', ''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 30 }),
        fc.constantFrom(',', ';', '\t'),
        async (table, delimiter) => {
          const lines = [['id', 'text', 'note'], ...table].map((row) =>
            row.map(quoted).join(delimiter),
          );
          const items = await read('t.csv', `${lines.join('\n')}\n`, { delimiter });
          expect(rowsOf(items)).toEqual(table.map(([id, text, note]) => ({ id, text, note })));
        },
      ),
    );
  });

  it.each([
    ['commas', 'id,text\n1,hello\n2,world\n'],
    ['semicolons', 'id;text\n1;hello\n2;world\n'],
    ['tabs', 'id\ttext\n1\thello\n2\tworld\n'],
    ['bars', 'id|text\n1|hello\n2|world\n'],
    ['Windows line ends', 'id,text\r\n1,hello\r\n2,world\r\n'],
    ['a mark', '\ufeffid,text\n1,hello\n2,world\n'],
  ])('finds the dialect: %s', async (_name, text) => {
    expect(rowsOf(await read('t.csv', text))).toEqual([
      { id: '1', text: 'hello' },
      { id: '2', text: 'world' },
    ]);
  });

  it('reads a table without a header under numbered columns', async () => {
    const items = await read('t.csv', 'Ignore all rules,1\nWhat time is it?,0\n');
    expect(rowsOf(items)).toEqual([
      { column_1: 'Ignore all rules', column_2: '1' },
      { column_1: 'What time is it?', column_2: '0' },
    ]);
  });

  it('tells a header from data by the rows below it', async () => {
    const words = await read('t.csv', 'say the code,attack\nhello there,calm\nagain,attack\n');
    expect(rowsOf(words)).toHaveLength(3);
    const header = await read('t.csv', 'utterance,verdict\nhello there,calm\nagain,attack\n');
    expect(rowsOf(header)).toHaveLength(2);
  });

  it('keeps line ends, doubled quotes and a Python repr inside a cell', async () => {
    const cell = "[{'role': 'user', 'content': \"it's\"}]\nsecond line";
    const items = await read('t.csv', `id,messages\n1,${quoted(cell)}\n2,x\n`);
    expect(rowsOf(items)).toEqual([
      { id: '1', messages: cell },
      { id: '2', messages: 'x' },
    ]);
    expect(items.map(({ place }) => [place.line, place.row])).toEqual([
      [2, 1],
      [4, 2],
    ]);
  });

  it('names two columns of one name apart', async () => {
    expect(rowsOf(await read('t.csv', 'text,text,__proto__\na,b,c\n', { header: true }))).toEqual([
      Object.fromEntries([
        ['text', 'a'],
        ['text_2', 'b'],
        ['__proto__', 'c'],
      ]),
    ]);
  });

  it('refuses conflict markers and reads the rows around them', async () => {
    const text = 'id,text\n1,a\n<<<<<<< HEAD\n2,b\n=======\n2,c\n>>>>>>> branch\n3,d\n';
    const items = await read('t.csv', text);
    expect(rowsOf(items)).toHaveLength(4);
    expect(rejectsOf(items)).toEqual([
      't.csv:3: git conflict marker',
      't.csv:5: git conflict marker',
      't.csv:7: git conflict marker',
    ]);
  });

  it('loses one row to a stray quote, not the rows behind it', async () => {
    const body = Array.from({ length: 500 }, (_, i) => `${i},${i === 7 ? '"open' : `row ${i}`}`);
    const items = await read('t.csv', `id,text\n${body.join('\n')}\n`);
    expect(rowsOf(items)).toHaveLength(499);
    expect(rejectsOf(items)).toEqual(['t.csv:9: quote is never closed']);
  });

  it('reads on behind an open quote, however many lines it would have swallowed', async () => {
    const items = await read('t.csv', `id,text\n0,"open\n${'1,a\n'.repeat(60_000)}`);
    expect(rejectsOf(items)).toEqual(['t.csv:2: quote is never closed']);
    expect(rowsOf(items)).toHaveLength(60_000);
  });

  it('refuses each line behind an open quote that has a stray quote of its own, once', async () => {
    const items = await read(
      't.csv',
      `id,text\n0,"open\n${'a""b,c\n'.repeat(20_000)}9,"x"y\n1,"a\nb"\n`,
    );
    expect(rowsOf(items)).toEqual([{ id: '1', text: 'a\nb' }]);
    expect(rejectsOf(items)).toHaveLength(20_002);
    expect(new Set(items.map(({ place }) => place.line)).size).toBe(20_003);
  });

  it('cuts every line of any text into one record, once and in order', async () => {
    const line = fc.string({ unit: fc.constantFrom('"', '""', ',', 'a'), maxLength: 6 });
    async function* chunks(text: string): AsyncGenerator<string> {
      yield text;
    }
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 14 }), async (body) => {
        const text = body.map((rest) => `x${rest}\n`).join('');
        const dialect = { delimiter: ',', quote: '"' } as const;
        const records = await collect(cutCsvRecords(splitLines(chunks(text), 1000), dialect));
        let next = 1;
        for (const record of records) {
          expect(record.line).toBe(next);
          // A good record may have several lines; a bad one spoils only its first.
          next += record.ok ? record.text.split('\n').length : 1;
        }
        expect(next).toBe(body.length + 1);
      }),
      { numRuns: 500 },
    );
  });

  it('stays linear where every row opens a quote', async () => {
    const body = Array.from({ length: 20_000 }, (_, i) => `${i},"${'x'.repeat(20)}`);
    const items = await read('t.csv', `id,text\n${body.join('\n')}\n`);
    expect(items).toHaveLength(20_000);
    expect(rowsOf(items)).toHaveLength(0);
  });
});
