import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitJsonElements } from '../../src/readers/json-elements.js';
import { parseJson } from '../../src/readers/parse-json.js';
import { collect, read, rejectsOf, rowsOf } from '../reading.js';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

describe('JSON documents', () => {
  it('splits any list into the elements that a parser sees, however it arrives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (values, size, pretty) => {
          const text = JSON.stringify(values, null, pretty ? 2 : 0);
          const pieces = await collect(splitJsonElements(inPieces(text, size), 'array', 10_000));
          const elements = pieces.flatMap((piece) => ('end' in piece ? [] : [piece]));
          expect(elements.map((element) => JSON.parse(element.text) as unknown)).toEqual(
            JSON.parse(text),
          );
          expect(pieces.at(-1)).toMatchObject({ end: true, problem: null });
        },
      ),
    );
  });

  it('reads an object entry by entry where that is asked for', async () => {
    const text = '{\n "one": {"n": 1},\n "t\\"wo": [2]\n}';
    const items = await read('map.json', text, { entries: true });
    expect(items).toEqual([
      {
        kind: 'row',
        value: { key: 'one', value: { n: 1 } },
        place: { file: 'map.json', line: 2, path: '$["one"]' },
      },
      {
        kind: 'row',
        value: { key: 't"wo', value: [2] },
        place: { file: 'map.json', line: 3, path: '$["t\\"wo"]' },
      },
    ]);
  });

  it('refuses a broken element with its path and reads the ones behind it', async () => {
    const items = await read('list.json', '[\n{"a": 1},\n{"a": oops},\n,\n{"a": 4}\n]');
    expect(rowsOf(items)).toEqual([{ a: 1 }, { a: 4 }]);
    expect(rejectsOf(items).map((reject) => reject.split(':').slice(0, 2).join(':'))).toEqual([
      'list.json:3',
      'list.json:4',
    ]);
  });

  it.each([
    ['[{"a":1},{"a":2}', 2, 'not a JSON list: the document breaks off'],
    ['[{"a":1}] extra', 1, 'not a JSON list: text after the closing ]'],
    ['[{"a":1}}', 1, 'not a JSON list: } where ] was expected'],
  ])('says what is wrong with %s', async (text, rows, reason) => {
    const items = await read('list.json', text);
    expect(rowsOf(items)).toHaveLength(rows);
    expect(rejectsOf(items)).toEqual([`list.json:1: ${reason}`]);
  });

  it('refuses values that are nested too deeply instead of running out of stack', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(parseJson(deep)).toEqual({ ok: false, reason: 'nested deeper than 256' });
    expect(parseJson(`"${'['.repeat(1000)}"`)).toMatchObject({ ok: true });
    expect(parseJson(JSON.stringify(Array.from({ length: 1000 }, () => [1])))).toMatchObject({
      ok: true,
    });
  });

  it('keeps a key __proto__ as data', async () => {
    const [value] = rowsOf(await read('x.jsonl', '{"__proto__": {"polluted": "\\ud800"}}\n1\n'));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('passes over comments and blank lines of JSON Lines, and counts lines from one', async () => {
    const items = await read('a.jsonl', '# a comment\n\n{"a":1}\n   \n{"a":2}');
    expect(items.map(({ place }) => place.line)).toEqual([3, 5]);
  });

  it('refuses conflict markers of git by name', async () => {
    const items = await read(
      'a.jsonl',
      '{"a":1}\n<<<<<<< HEAD\n{"a":2}\n=======\n{"a":3}\n>>>>>>> other\n',
    );
    expect(rowsOf(items)).toHaveLength(3);
    expect(rejectsOf(items)).toEqual([
      'a.jsonl:2: git conflict marker',
      'a.jsonl:4: git conflict marker',
      'a.jsonl:6: git conflict marker',
    ]);
  });

  it('holds no more of a line than the limit, and reads on behind it', async () => {
    const items = await read('a.jsonl', `{"a":"${'x'.repeat(5000)}"}\n{"a":1}\n`, {
      limits: { row: 1000 },
    });
    expect(rejectsOf(items)).toEqual(['a.jsonl:1: line is longer than 1000 characters']);
    expect(rowsOf(items)).toEqual([{ a: 1 }]);
  });

  it('never throws, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('a.json', 'a.jsonl', 'a.csv', 'a.txt', 'a.yaml', 'a'),
        async (text, name) => {
          const items = await read(name, text);
          expect(items.every(({ place }) => place.file === name)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('shows no control character of the input in an excerpt', async () => {
    const [item] = await read('a.jsonl', '{"a": \u001b[31m\u0007 \u202e}\n');
    expect(item).toMatchObject({ kind: 'reject' });
    expect(item?.kind === 'reject' ? item.excerpt : '').not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
