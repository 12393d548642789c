import { appendFile, cp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pab, temporaryFolder } from '../surroundings.js';
import { edit, type RunFiles, readRun, reseal, verify, verifyTampered } from './tamper.js';

describe('pab verify', { timeout: 60_000 }, () => {
  let run = '';
  beforeAll(async () => {
    run = join(await temporaryFolder(), 'run');
    await pab([
      'run',
      '--target',
      'naive',
      '--defense',
      'delimit',
      '--limit',
      '4',
      '--trials',
      '2',
      '--out',
      run,
      '--quiet',
    ]);
  }, 60_000);

  /** A copy of the run whose files are changed on disk. */
  const copy = async (): Promise<string> => {
    const folder = join(await temporaryFolder(), 'run');
    await cp(run, folder, { recursive: true });
    return folder;
  };

  const lineWith = (files: RunFiles, text: string): number => {
    const index = files.transcripts.findIndex((line) => line.includes(text));
    expect(index).toBeGreaterThanOrEqual(0);
    return index;
  };

  it('accepts a run as it was written, and says what that proves', async () => {
    const { status, report } = await verify(run);
    expect(status).toBe(0);
    expect(report).toMatchObject({
      verified: true,
      official: false,
      differences: [],
      differing: 0,
    });
    const { stdout } = await pab(['verify', run]);
    expect(stdout).toContain('verified: 16 trials');
    expect(stdout).toContain('It does not prove who made it');
  });

  it.each([
    ['a file beside it', (folder: string) => writeFile(join(folder, 'x.txt'), 'x'), 'x.txt'],
    ['no timings', (folder: string) => rm(join(folder, 'timings.jsonl')), 'timings.jsonl'],
    [
      'an empty part',
      (folder: string) => writeFile(join(folder, 'transcripts/00001.jsonl'), ''),
      'transcripts/00001.jsonl',
    ],
    [
      'a link to another run',
      async (folder: string) => {
        await rm(join(folder, 'trials.jsonl'));
        await symlink(join(run, 'trials.jsonl'), join(folder, 'trials.jsonl'));
      },
      'trials.jsonl',
    ],
  ])('refuses a folder with %s', async (_what, change, file) => {
    const folder = await copy();
    await change(folder);
    const { status, report } = await verify(folder);
    expect(status).toBe(1);
    expect(report?.differences).toContainEqual(expect.objectContaining({ file }));
  });

  it('names a changed verdict, with its byte', async () => {
    const { status, first } = await verifyTampered(run, ({ trials }) => {
      edit(trials, 0, (line) => line.replace('"outcome":"compromised"', '"outcome":"resisted"'));
    });
    expect(status).toBe(1);
    expect(first).toMatchObject({
      check: 'judgements',
      file: 'trials.jsonl',
      line: 1,
      field: 'judgement.outcome',
    });
    expect(first?.message).toContain('found "resisted", not "compromised"');
    const held = await readFile(join(run, 'trials.jsonl'));
    expect(held.subarray(first?.byte).toString().startsWith('compromised"')).toBe(true);
  });

  it('names a changed verdict although every digest and rate was made to fit', async () => {
    const { status, first } = await verifyTampered(run, (files) => {
      files.trials = files.trials.map((line) =>
        line.replace('"outcome":"compromised"', '"outcome":"resisted"'),
      );
      reseal(files);
    });
    expect(status).toBe(1);
    expect(first).toMatchObject({ check: 'judgements', field: 'judgement.outcome' });
  });

  it('names a changed tool result although every digest was made to fit', async () => {
    let at = 0;
    const { status, first } = await verifyTampered(run, (files) => {
      at = lineWith(files, '"type":"call"');
      edit(files.transcripts, at, (line) => line.replace(/("raw":\{.*?"text":")/, '$1x'));
      reseal(files);
    });
    expect(status).toBe(1);
    expect(first).toMatchObject({
      check: 'transcripts',
      file: 'transcripts/00000.jsonl',
      line: at + 1,
    });
    expect(first?.field).toMatch(/^transcript\.entries\[\d+\]\.raw\.parts\[0\]\.text$/);
    expect(first?.message).toContain('the world gives another result');
    expect(first?.byte).toBeGreaterThan(0);
  });

  it('names what the target was given, when no action of the defense explains it', async () => {
    const { status, first } = await verifyTampered(run, (files) => {
      edit(files.transcripts, lineWith(files, '"type":"call"'), (line) =>
        line.replace(/("type":"call".*?"actions":)\[\{.*?\}\]/, '$1[]'),
      );
      reseal(files);
    });
    expect(status).toBe(1);
    expect(first).toMatchObject({ check: 'transcripts' });
    expect(first?.message).toContain('no action of the defense is recorded');
  });

  it.each([
    [
      'from both files',
      (files: RunFiles) => {
        files.trials.splice(2, 1);
        files.transcripts.splice(2, 1);
      },
      3,
    ],
    [
      'from the trials',
      (files: RunFiles) => {
        files.trials.pop();
      },
      16,
    ],
    [
      'from the end of both files',
      (files: RunFiles) => {
        files.trials.pop();
        files.transcripts.pop();
      },
      16,
    ],
  ] as const)('names a trial that was removed %s', async (_, tamper, line) => {
    const { status, first } = await verifyTampered(run, (files) => {
      tamper(files);
      reseal(files);
    });
    expect(status).toBe(1);
    expect(first).toMatchObject({ check: 'plan', line });
  });

  it('names trials in another order', async () => {
    const { status, first } = await verifyTampered(run, (files) => {
      for (const held of [files.trials, files.transcripts]) held.unshift(...held.splice(1, 1));
      reseal(files);
    });
    expect(status).toBe(1);
    expect(first).toMatchObject({
      check: 'plan',
      file: 'transcripts/00000.jsonl',
      line: 1,
      field: 'index',
    });
  });

  it('names a trial that was added', async () => {
    const { status, first } = await verifyTampered(run, (files) => {
      for (const held of [files.trials, files.transcripts]) held.push(held[0] ?? '');
      reseal(files);
    });
    expect(status).toBe(1);
    expect(first).toMatchObject({ check: 'plan', line: 17 });
    expect(first?.message).toContain('more than the 16 trials of the plan');
  });

  it('names another corpus', async () => {
    const { status, first, report } = await verifyTampered(run, ({ manifest }) => {
      (manifest['corpus'] as Record<string, unknown>)['sha256'] = 'a'.repeat(64);
    });
    expect(status).toBe(1);
    expect(first).toMatchObject({ check: 'corpus', file: 'manifest.json', field: 'corpus.sha256' });
    expect(report?.checks['judgements']).toBeNull();
  });

  it('names a changed rate of the summary', async () => {
    const { status, first } = await verifyTampered(run, ({ summary }) => {
      const { compromise } = summary['rates'] as { compromise: { value: number } };
      compromise.value = 0.01;
    });
    expect(status).toBe(1);
    expect(first).toMatchObject({
      check: 'summary',
      file: 'summary.json',
      field: 'rates.compromise.value',
    });
    expect(first?.message).toContain('found 0.01, not');
  });

  it.each([
    [
      'seed',
      (manifest: RunFiles['manifest']) => {
        manifest['seed'] = 5;
      },
    ],
    [
      'target',
      (manifest: RunFiles['manifest']) => {
        (manifest['target'] as { name: string }).name = 'grand-model';
      },
    ],
    [
      'defense',
      (manifest: RunFiles['manifest']) => {
        (manifest['defense'] as { name: string }).name = 'none';
      },
    ],
  ] as const)(
    'names a changed %s of the manifest although its digest was made to fit',
    async (_, tamper) => {
      const { status, first } = await verifyTampered(run, (files) => {
        tamper(files.manifest);
        reseal(files);
      });
      expect(status).toBe(1);
      expect(first?.line).toBe(1);
    },
  );

  it('names changed options of the target by the digest of the manifest', async () => {
    const { status, first } = await verifyTampered(run, ({ manifest }) => {
      (manifest['target'] as { options: object }).options = { temperature: 0 };
    });
    expect(status).toBe(1);
    expect(first).toMatchObject({ check: 'digests', field: 'result.manifestSha256' });
  });

  it('names changed usage', async () => {
    const { status, first } = await verifyTampered(run, (files) => {
      edit(files.trials, 1, (line) => line.replace('"modelCalls":0', '"modelCalls":9'));
      reseal(files);
    });
    expect(status).toBe(1);
    expect(first).toMatchObject({ check: 'judgements', line: 2, field: 'usage.modelCalls' });
  });

  it('names a transcript whose words were changed, although its digest was made to fit', async () => {
    const { status, first } = await verifyTampered(run, (files) => {
      edit(files.transcripts, 0, (line) =>
        line.replace(/("type":"output".*?"seen":")/, '$1Done. '),
      );
      reseal(files);
    });
    expect(status).toBe(1);
    expect(first?.field).toMatch(/entries\[\d+\]\.seen$/);
  });

  it('names a transcript that was changed without its digest', async () => {
    const { first } = await verifyTampered(run, (files) => {
      edit(files.transcripts, 0, (line) =>
        line.replace(/("type":"output".*?"text":")([^"]*)("?,"seen":")/, '$1x$2$3x'),
      );
    });
    expect(first).toMatchObject({
      check: 'digests',
      file: 'trials.jsonl',
      line: 1,
      field: 'transcript',
    });
  });

  it('names a file that was cut off, and a line that does not stand as it was written', async () => {
    const cut = await copy();
    const { length } = await readFile(join(cut, 'trials.jsonl'));
    await truncate(join(cut, 'trials.jsonl'), length - 1);
    expect((await verify(cut)).first).toMatchObject({
      file: 'trials.jsonl',
      line: 16,
      byte: length - 1,
    });
    const spaced = await copy();
    const file = join(spaced, 'transcripts/00000.jsonl');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('{"index":0,', '{"index":0, '));
    expect((await verify(spaced)).first).toMatchObject({ line: 1, byte: '{"index":0,'.length });
    for (const name of ['manifest.json', 'summary.json']) {
      const torn = await copy();
      await truncate(join(torn, name), 100);
      const { status, first } = await verify(torn);
      expect(status).toBe(1);
      expect(first?.file).toBe(name);
    }
  });

  it('names files that are no part of the run, and files that are missing', async () => {
    const more = await copy();
    await writeFile(join(more, 'transcripts/00002.jsonl'), '');
    expect((await verify(more)).first?.file).toBe('transcripts/00002.jsonl');
    const less = await copy();
    await rm(join(less, 'trials.jsonl'));
    expect((await verify(less)).first).toMatchObject({
      file: 'trials.jsonl',
      message: 'the file is missing',
    });
    const appended = await copy();
    await appendFile(join(appended, 'trials.jsonl'), '\n');
    expect((await verify(appended)).status).toBe(1);
  });

  it('takes any damage to a transcript as a difference, never as a crash', async () => {
    const { transcripts } = await readRun(run);
    const [line = ''] = transcripts;
    for (const change of [
      (text: string) => text.replace('"entries":[', '"entries":[null,'),
      (text: string) => text.replace(/"transcript":\{.*\}\}$/, '"transcript":null}'),
      (text: string) => text.replace('"stop":"done"', '"stop":"won"'),
      (text: string) => text.replace('"session":0', '"session":1e300'),
      (text: string) => text.replace('"messages":[', '"messages":[{"__proto__":1},'),
    ]) {
      expect(change(line)).not.toBe(line);
      const { status, first } = await verifyTampered(run, (files) => {
        edit(files.transcripts, 0, change);
      });
      expect(status).toBe(1);
      expect(first?.line).toBe(1);
    }
  });

  it('cannot ask about a folder without a run', async () => {
    const { status, stderr } = await verify(await temporaryFolder());
    expect(status).toBe(2);
    expect(stderr).toContain('is this the folder of a run?');
  });
});
