import { readdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { pab, temporaryFolder } from '../surroundings.js';
import { readRun, reseal, verify } from './tamper.js';

const REST = ['--limit', '4', '--trials', '2', '--quiet'];
const RUN = ['--target', 'naive', ...REST];

describe('commands on runs', { timeout: 60_000 }, () => {
  let folder = '';
  let open = '';
  let guarded = '';
  let official = '';
  beforeAll(async () => {
    folder = await temporaryFolder();
    [open = '', guarded = '', official = ''] = ['open', 'guarded', 'board/official'].map((name) =>
      join(folder, name),
    );
    await pab(['run', ...RUN, '--out', open]);
    await pab(['run', '--target', 'diligent', ...REST, '--out', guarded]);
    await pab(['run', '--target', 'naive', '--official', '--out', official, '--quiet']);
  }, 120_000);

  describe('pab run --official', () => {
    it('writes a run that verifies as official, with a whole manifest', async () => {
      const { status, report } = await verify(official);
      expect(status).toBe(0);
      expect(report).toMatchObject({ verified: true, official: true });
      const { manifest } = await readRun(official);
      expect(manifest).toMatchObject({
        official: true,
        trials: 3,
        seed: 0,
        maxSteps: 15,
        corpusPaths: ['bundled'],
        shard: null,
      });
      expect(Object.keys(manifest['versions'] as { packages: object }['packages'])).toContain(
        'packages',
      );
      expect(manifest.result).toMatchObject({ errors: 0, started: '2027-01-01T00:00:00.000Z' });
    });

    it.each([
      [['--limit', '3'], 'it leaves scenarios or twins out (limit)'],
      [['--no-twins'], 'it leaves scenarios or twins out (twins)'],
      [['--trials', '2'], 'it has 2 trial(s) of each case, not at least 3'],
      [['--seed', '4'], 'its seed is 4, not 0'],
      [['--max-steps', '9'], 'its step limit is 9, not 15'],
      [['--provenance', 'message'], 'its provenance is "message", not "part"'],
      [
        ['--target', 'openai-compat:base_url=http://127.0.0.1:1/v1,model=m,temperature=0.7'],
        'its temperature is 0.7, not 0',
      ],
    ])('refuses %j before anything is run', async (flags, reason) => {
      const target = flags[0] === '--target' ? [] : ['--target', 'naive'];
      const { status, stderr, stdout } = await pab([
        'run',
        ...target,
        ...flags,
        '--official',
        '--out',
        join(folder, 'never'),
      ]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(reason);
    });

    it('is not believed of a run that only says so', async () => {
      const forged = join(await temporaryFolder(), 'forged');
      await pab(['run', ...RUN, '--out', forged]);
      const files = await readRun(forged);
      files.manifest['official'] = true;
      reseal(files);
      await writeFile(
        join(forged, 'manifest.json'),
        `${JSON.stringify(files.manifest, null, 2)}\n`,
      );
      const { status, first } = await verify(forged);
      expect(status).toBe(1);
      expect(first).toMatchObject({ check: 'official' });
    });
  });

  describe('pab compare', () => {
    it('finds no difference between a run and itself', async () => {
      const { status, stdout } = await pab(['compare', open, open]);
      expect(status).toBe(0);
      expect(stdout).toContain('16 pairs by scenario, variant and trial');
    });

    it('holds the second run to its gate', async () => {
      const better = await pab(['compare', open, guarded, '--gate', 'compromised+2pp', '--json']);
      expect(better.status).toBe(0);
      expect(JSON.parse(better.stdout)).toMatchObject({
        pairs: 16,
        gate: { passed: true, tripped: [] },
      });
      const worse = await pab(['compare', guarded, open, '--gate', 'compromised+2pp']);
      expect(worse.status).toBe(1);
      expect(worse.stderr).toContain('compromised+2pp: compromised moved by +100.0 points');
    });

    it('refuses runs of different corpora, and a gate that is none', async () => {
      const other = join(await temporaryFolder(), 'other');
      await pab(['run', ...RUN, '--out', other]);
      const files = await readRun(other);
      Object.assign(files.manifest['corpus'] as object, { sha256: 'b'.repeat(64), version: '9' });
      await writeFile(join(other, 'manifest.json'), JSON.stringify(files.manifest));
      const refused = await pab(['compare', open, other]);
      expect(refused.status).toBe(2);
      expect(refused.stderr).toContain('these runs are of different corpora');
      expect((await pab(['compare', open, guarded, '--gate', 'compromised>2%'])).status).toBe(2);
    });
  });

  describe('pab merge', () => {
    it('joins shards to the bytes of a run that was never split', async () => {
      const parts = ['1/3', '2/3', '3/3'].map((shard) => ({
        shard,
        out: join(folder, `part-${shard.replace('/', '-')}`),
      }));
      for (const { shard, out } of parts)
        await pab(['run', ...RUN, '--shard', shard, '--out', out]);
      const [one = '', two = '', three = ''] = parts.map(({ out }) => out);
      const whole = join(folder, 'whole');
      const { status, stderr } = await pab(['merge', three, one, two, '--out', whole]);
      expect({ status, stderr }).toMatchObject({ status: 0 });
      for (const name of ['trials.jsonl', 'transcripts/00000.jsonl']) {
        expect(await readFile(join(whole, name), 'utf8')).toBe(
          await readFile(join(open, name), 'utf8'),
        );
      }
      expect((await verify(whole)).status).toBe(0);

      for (const [dirs, reason] of [
        [[one, two], 'shard 3/3 is missing'],
        [[one, two, two, three], 'are both shard 2/3'],
        [[one, two, open], 'is no shard'],
      ] as const) {
        const refused = await pab(['merge', ...dirs, '--out', join(folder, 'never')]);
        expect(refused.status).toBe(2);
        expect(refused.stderr).toContain(reason);
      }
      expect((await pab(['merge', one, two, three, '--out', whole])).stderr).toContain(
        'is never overwritten',
      );
      expect(
        (await readdir(folder)).filter((name) => name.includes('.part') || name === 'never'),
      ).toEqual([]);
    });
  });

  describe('pab leaderboard', () => {
    it('takes official runs that verify, and says of the others why not', async () => {
      const board = await temporaryFolder();
      const put = async (
        name: string,
        change: (files: Awaited<ReturnType<typeof readRun>>) => void,
      ): Promise<void> => {
        await pab(['run', ...RUN, '--out', join(board, name)]);
        const files = await readRun(join(board, name));
        change(files);
        await writeFile(
          join(board, name, 'manifest.json'),
          `${JSON.stringify(files.manifest, null, 2)}\n`,
        );
      };
      await put('a-filtered', () => undefined);
      await put('b-old', ({ manifest }) => {
        Object.assign(manifest['corpus'] as object, {
          sha256: 'b'.repeat(64),
          version: '0.0.1-old',
        });
      });
      await put('c-forged', (files) => {
        files.manifest['official'] = true;
        reseal(files);
      });
      const page = join(folder, 'board.html');
      const { stdout, stderr, status } = await pab(['leaderboard', board, '--html', page]);
      expect(status).toBe(3);
      expect(stderr).toContain('not in the table: a-filtered: it is no official run');
      expect(stderr).toContain('not in the table: b-old: it is of pab-core 0.0.1-old');
      expect(stderr).toContain('not in the table: c-forged: it does not verify');
      expect(stdout).not.toContain('naive');
      const good = await pab(['leaderboard', join(folder, 'board'), '--html', page, '--quiet']);
      expect({ status: good.status, stderr: good.stderr }).toEqual({ status: 0, stderr: '' });
      expect(good.stdout).toContain('| naive (simulated) |');
      expect(await readFile(page, 'utf8')).toContain('<strong>naive</strong>');
    });

    it('cannot ask about a folder without runs', async () => {
      expect((await pab(['leaderboard', await temporaryFolder()])).status).toBe(2);
    });
  });

  describe('pab report', () => {
    it('writes every format, each where it says', async () => {
      const out = join(folder, 'reports');
      const { status, stdout } = await pab([
        'report',
        open,
        '--format',
        'html,junit,sarif,markdown,eval,agentdojo',
        '--out',
        out,
      ]);
      expect(status).toBe(0);
      expect(stdout.trim().split('\n')).toEqual(
        ['report.html', 'junit.xml', 'pab.sarif', 'report.md', 'pab.eval', 'agentdojo'].map(
          (name) => join(out, name),
        ),
      );
      const files = unzipSync(await readFile(join(out, 'pab.eval')));
      const names = Object.keys(files);
      expect(names.filter((name) => name.startsWith('samples/'))).toHaveLength(16);
      expect(names).toEqual(
        expect.arrayContaining(['_journal/start.json', 'header.json', 'summaries.json']),
      );
      expect(JSON.parse(new TextDecoder().decode(files['header.json']))).toMatchObject({
        version: 2,
        status: 'success',
      });
      const logs = (await readdir(join(out, 'agentdojo'), { recursive: true })).filter((name) =>
        name.endsWith('.json'),
      );
      expect(logs).toHaveLength(16);
    });

    it('names the nearest format, and refuses a run whose transcripts are gone', async () => {
      const { status, stderr } = await pab(['report', open, '--format', 'junt', '--out', folder]);
      expect({ status, stderr }).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('"junit"') as string,
      });
      const torn = join(await temporaryFolder(), 'torn');
      await pab(['run', ...RUN, '--out', torn]);
      await writeFile(join(torn, 'transcripts/00000.jsonl'), '');
      expect((await pab(['report', torn, '--out', join(torn, 'r')])).stderr).toContain(
        'is missing or damaged',
      );
    });

    it('is made by pab run too, with no folder left behind', async () => {
      const [junit, sarif, html, log] = ['r.xml', 'r.sarif', 'r.html', 'r.eval'].map((name) =>
        join(folder, name),
      );
      const { status } = await pab([
        'run',
        ...RUN,
        '--junit',
        junit ?? '',
        '--sarif',
        sarif ?? '',
        '--html',
        html ?? '',
        '--eval',
        log ?? '',
      ]);
      expect(status).toBe(1);
      expect(await readFile(junit ?? '', 'utf8')).toContain('<testsuites');
      expect(JSON.parse(await readFile(sarif ?? '', 'utf8'))).toMatchObject({ version: '2.1.0' });
      expect(await readFile(html ?? '', 'utf8')).toContain('<!doctype html>');
      expect(Object.keys(unzipSync(await readFile(log ?? '')))).toContain('header.json');
    });
  });

  describe('pab view', () => {
    it('serves the page to this machine by its own name, and to nobody else', async () => {
      const stop = new AbortController();
      let url = '';
      const ask = (
        path: string,
        host?: string,
      ): Promise<{ status: number | undefined; text: string }> =>
        new Promise((resolve, reject) => {
          get(new URL(path, url), host === undefined ? {} : { headers: { host } }, (response) => {
            let text = '';
            response.on('data', (chunk: Buffer) => (text += chunk.toString()));
            response.on('end', () => {
              resolve({ status: response.statusCode, text });
            });
          }).on('error', reject);
        });
      const asked = new Promise<void>((resolve, reject) => {
        void pab(['view', open, '--quiet'], {
          signal: stop.signal,
          stdout: {
            write: (said: string) => {
              url = said.trim();
              void (async () => {
                expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
                expect(await ask('/')).toMatchObject({
                  status: 200,
                  text: expect.stringContaining('<!doctype html>') as string,
                });
                expect((await ask('/', 'evil.example')).status).toBe(403);
                expect((await ask('/etc/passwd')).status).toBe(404);
              })()
                .then(resolve, reject)
                .finally(() => {
                  stop.abort();
                });
            },
          },
        });
      });
      await asked;
    });
  });
});
