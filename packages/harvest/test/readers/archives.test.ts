import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { collect, read, rejectsOf, rowsOf } from '../reading.js';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

async function tar(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  return Buffer.concat(await collect(archive as AsyncIterable<Uint8Array>));
}

describe('containers', () => {
  it('reads through gzip, told by content and not by name', async () => {
    const bytes = gzipSync('{"a":1}\n{"a":2}\n');
    expect(rowsOf(await read('x.jsonl', bytes))).toEqual([{ a: 1 }, { a: 2 }]);
    const [item] = await read('x.jsonl.gz', bytes);
    expect(item?.place).toEqual({ file: 'x.jsonl', line: 1 });
  });

  it('reads every data file of a zip, and tells what it passed over', async () => {
    const zip = zipSync({
      'a.jsonl': text('{"a":1}\n'),
      'deep/b.csv': text('id,text\n1,x\n'),
      'README.md': text('words'),
      '__MACOSX/._a.jsonl': text('junk'),
    });
    const skipped: string[] = [];
    const items = await read('set.zip', zip, { onSkip: (name) => skipped.push(name) });
    expect(items.map(({ place }) => place.file)).toEqual(['set.zip!a.jsonl', 'set.zip!deep/b.csv']);
    expect(rowsOf(items)).toEqual([{ a: 1 }, { id: '1', text: 'x' }]);
    expect(skipped).toEqual(['set.zip!README.md', 'set.zip!__MACOSX/._a.jsonl']);
  });

  it('reads every data file of a compressed tar, also behind a member that it refuses', async () => {
    const bytes = await tar({
      'a.json': '[1,2',
      'empty.json': '',
      'b.txt': 'one\n\ntwo\n',
      LICENSE: 'x',
    });
    const items = await read('set.tar.gz', gzipSync(bytes));
    expect(rowsOf(items)).toEqual([1, 2, 'one', 'two']);
    expect(rejectsOf(items)).toEqual([
      'set.tar!a.json:1: not a JSON list: the document breaks off',
      'set.tar!empty.json: the file is empty',
    ]);
  });

  it('reads a gzip inside a zip inside a tar, and stops there', async () => {
    const inner = zipSync({ 'a.jsonl.gz': gzipSync('{"a":1}\n') });
    const archive = pack();
    archive.entry({ name: 'in.zip' }, Buffer.from(inner));
    archive.finalize();
    const bytes = Buffer.concat(await collect(archive as AsyncIterable<Uint8Array>));
    expect(rowsOf(await read('out.tar', bytes))).toEqual([{ a: 1 }]);
    const items = await read('out.tar', bytes, { limits: { nesting: 2 } });
    expect(rejectsOf(items)).toEqual([
      'out.tar!in.zip!a.jsonl.gz: containers nested deeper than 2',
    ]);
  });

  it('stops a bomb at the limits, and keeps the rows before it', async () => {
    const row = `${JSON.stringify({ a: 'x'.repeat(1000) })}\n`;
    const bomb = gzipSync(row.repeat(3000));
    const byRatio = await read('bomb.jsonl', bomb, { limits: { expanded: 2_000_000, ratio: 50 } });
    expect(rejectsOf(byRatio)).toEqual(['bomb.jsonl: expands more than 50 times']);
    expect(rowsOf(byRatio).length).toBeGreaterThan(0);
    const bySize = await read('bomb.zip', zipSync({ 'a.jsonl': text(row.repeat(3000)) }), {
      limits: { expanded: 1_000_000, ratio: 1_000_000 },
    });
    expect(rejectsOf(bySize)).toEqual(['bomb.zip!a.jsonl: expands to more than 1000000 bytes']);
  });

  it('names a limit of members', async () => {
    const bytes = await tar({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    const items = await read('set.tar', bytes, { limits: { members: 2 } });
    expect(rowsOf(items)).toEqual(['a', 'b']);
    expect(rejectsOf(items)).toEqual(['set.tar: has more than 2 members']);
  });

  it.each([
    ['x.jsonl.gz', gzipSync('{"a":1}\n'.repeat(1000)).subarray(0, -12)],
    ['x.zip', zipSync({ 'a.jsonl': text('{"a":1}\n') }).subarray(0, 40)],
    ['x.gz', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3])],
  ])('refuses a broken %s in words', async (name, bytes) => {
    const items = await read(name, bytes);
    expect(rejectsOf(items).at(-1)).toMatch(/(?:is broken|breaks off)/u);
  });

  it('refuses a member of a zip that points outside or is a link, and reads the others', async () => {
    const zip = zipSync({
      '../up.jsonl': text('{"a":0}\n'),
      'link.jsonl': [text('/elsewhere'), { os: 3, attrs: 0o120_777 * 65_536 }],
      'a.jsonl': text('{"a":1}\n'),
      'größe.jsonl': text('{"a":2}\n'),
    });
    const items = await read('set.zip', zip);
    expect(rowsOf(items)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(items.at(-1)?.place.file).toBe('set.zip!größe.jsonl');
    expect(rejectsOf(items)).toEqual([
      'set.zip!../up.jsonl: its name points outside the archive, so it is not read',
      'set.zip!link.jsonl: a link, which is not followed',
    ]);
  });

  it('refuses a member of a tar that points outside or is a link, and reads the others', async () => {
    const archive = pack();
    archive.entry({ name: 'link.jsonl', type: 'symlink', linkname: '/elsewhere' });
    archive.entry({ name: '../up.jsonl' }, '{"a":0}\n');
    archive.entry({ name: 'a.jsonl' }, '{"a":1}\n');
    archive.finalize();
    const bytes = Buffer.concat(await collect(archive as AsyncIterable<Uint8Array>));
    const items = await read('set.tar', bytes);
    expect(rowsOf(items)).toEqual([{ a: 1 }]);
    expect(rejectsOf(items)).toEqual([
      'set.tar!link.jsonl: a link, which is not followed',
      'set.tar!../up.jsonl: its name points outside the archive, so it is not read',
    ]);
  });

  it('refuses TOML by name', async () => {
    expect(rejectsOf(await read('a.toml', 'text = "x"\n'))).toEqual([
      'a.toml: TOML is not read; make JSON, YAML or CSV of it',
    ]);
  });
});
