import { lstat, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeWholeFile } from '../../src/detector/write-whole-file.js';
import { temporaryFolder } from './surroundings.js';

describe('writeWholeFile', () => {
  it('follows a link and leaves it a link', async () => {
    const folder = temporaryFolder();
    const [target, link] = [join(folder, 'target'), join(folder, 'link')];
    await writeFile(target, 'old');
    await symlink('target', link);
    await writeWholeFile('link', 'new', folder);
    expect(await readFile(target, 'utf8')).toBe('new');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  it('makes the folders that are missing', async () => {
    const folder = temporaryFolder();
    await writeWholeFile('a/b/c.txt', 'text', folder);
    expect(await readFile(join(folder, 'a', 'b', 'c.txt'), 'utf8')).toBe('text');
  });
});
