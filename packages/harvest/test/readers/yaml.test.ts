import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileSource, readRows } from '../../src/index.js';
import { collect, read, rejectsOf, rowsOf } from '../reading.js';

describe('YAML', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pab-yaml-'));
    await mkdir(join(folder, 'set', 'include'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = (path: string, content: string): Promise<void> =>
    writeFile(join(folder, path), content);
  const readFile = async (path: string) => collect(readRows(await fileSource(join(folder, path))));

  it('gives each document, and each item of a list, as a row', async () => {
    const items = await read('a.yaml', '- one\n- two: 2\n---\nkey: value\n');
    expect(items.map(({ place }) => place.path)).toEqual(['$0[0]', '$0[1]', '$1']);
    expect(rowsOf(items)).toEqual(['one', { two: 2 }, { key: 'value' }]);
  });

  it('includes a file below its folder, also under a flat name', async () => {
    await put('set/main.yaml', 'inbox: !include include/inbox.yaml\n');
    await put('set/include/inbox.yaml', '- hello\n');
    await put('set/suites__x__main.yaml', 'inbox: !include include/box.yaml\n');
    await put('set/suites__x__include__box.yaml', '- flat\n');
    expect(rowsOf(await readFile('set/main.yaml'))).toEqual([{ inbox: ['hello'] }]);
    expect(rowsOf(await readFile('set/suites__x__main.yaml'))).toEqual([{ inbox: ['flat'] }]);
  });

  it.each([
    '../secret.yaml',
    '/etc/hostname',
    'include/../../secret.yaml',
    'c:secret.yaml',
    String.raw`..\secret.yaml`,
  ])('never includes %s, which leaves the folder', async (path) => {
    await put('secret.yaml', 'token: hidden\n');
    await put('set/main.yaml', `a: !include ${path}\n`);
    const items = await readFile('set/main.yaml');
    expect(rowsOf(items)).toEqual([]);
    expect(rejectsOf(items)[0]).toContain('leaves the folder of the file');
  });

  it('never includes through a link that leaves the folder', async () => {
    await put('secret.yaml', 'token: hidden\n');
    await symlink(join(folder, 'secret.yaml'), join(folder, 'set', 'link.yaml'));
    await put('set/main.yaml', 'a: !include link.yaml\n');
    expect(rejectsOf(await readFile('set/main.yaml'))[0]).toContain('no such file beside this one');
  });

  it('ends a file that includes itself', async () => {
    await put('set/main.yaml', 'a: !include main.yaml\n');
    expect(rejectsOf(await readFile('set/main.yaml'))[0]).toContain('too many includes');
  });

  it('refuses anchors that multiply each other, and says the line of a mistake', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, i) => {
        const before = 'abcdefgh'[i] ?? 'a';
        return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(',')}]`;
      }),
    ].join('\n');
    expect(rejectsOf(await read('bomb.yaml', bomb))).toEqual([
      'bomb.yaml:1: not YAML: too many aliases',
    ]);
    expect(rejectsOf(await read('a.yaml', 'a: 1\nb: [1,\nc: 2\n'))[0]).toMatch(
      /^a\.yaml:\d: not YAML: /u,
    );
  });
});
