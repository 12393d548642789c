import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateOfRules, watchRules } from '../../src/serve/watch-rules.js';
import { temporaryFolder } from '../surroundings.js';

describe('watchRules', () => {
  it('tells of files that are written, added, renamed and removed, and of nothing else', async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'below'));
    writeFileSync(join(folder, 'a.yaml'), 'a');
    const stop = new AbortController();
    let times = 0;
    const ended = watchRules(
      folder,
      () => {
        times += 1;
        return Promise.resolve();
      },
      { signal: stop.signal, interval: 5 },
    );
    // A look must have been taken before something changes.
    const settled = () => new Promise((resolve) => setTimeout(resolve, 60));
    const changes = [
      () => writeFileSync(join(folder, 'a.yaml'), 'changed'),
      () => writeFileSync(join(folder, 'below', 'b.yaml'), 'b'),
      () => renameSync(join(folder, 'a.yaml'), join(folder, 'c.yaml')),
      () => rmSync(join(folder, 'below'), { recursive: true }),
    ];
    await settled();
    expect(times).toBe(0);
    for (const [index, change] of changes.entries()) {
      change();
      await expect.poll(() => times).toBe(index + 1);
    }
    // While the folder is away the rules stay.
    rmSync(folder, { recursive: true });
    await settled();
    expect(times).toBe(changes.length);
    stop.abort();
    await ended;
  });

  it('tells of what changed after the rules were read and before the first look', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'a.yaml');
    writeFileSync(file, 'a');
    const since = await stateOfRules(folder);
    writeFileSync(file, 'changed');
    const stop = new AbortController();
    const told = new Promise<string>((resolve) => {
      const changed = () => {
        resolve('told');
        return Promise.resolve();
      };
      void watchRules(folder, changed, { signal: stop.signal, interval: 5, since });
    });
    expect(await told).toBe('told');
    stop.abort();
  });
});
