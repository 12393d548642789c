import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pab, temporaryFolder } from '../surroundings.js';

const run = (out: string, ...more: readonly string[]) =>
  pab([
    'run',
    '--target',
    'wary',
    '--defense',
    'spotlight',
    '--seed',
    '7',
    '--limit',
    '12',
    '--trials',
    '2',
    '--out',
    out,
    '--quiet',
    ...more,
  ]);

const bytes = (folder: string) =>
  Promise.all(
    ['trials.jsonl', 'transcripts/00000.jsonl'].map((name) => readFile(join(folder, name), 'utf8')),
  );

describe('a run on disk', () => {
  it('is the same bytes whatever the concurrency', async () => {
    const folder = await temporaryFolder();
    await run(join(folder, 'a'), '--concurrency', '1');
    await run(join(folder, 'b'), '--concurrency', '7');
    expect(await bytes(join(folder, 'a'))).toEqual(await bytes(join(folder, 'b')));
  });

  it('goes on after a crash where its last whole line ends, to the same bytes', async () => {
    const folder = await temporaryFolder();
    const whole = join(folder, 'whole');
    await run(whole);
    const [trials = '', transcripts = ''] = await bytes(whole);
    for (const [kept, keptTranscripts] of [
      [5, 6],
      [5, 5],
      [0, 1],
    ] as const) {
      const torn = join(folder, `torn-${kept}-${keptTranscripts}`);
      await cp(whole, torn, { recursive: true });
      const cut = (text: string, lines: number): string =>
        text
          .split('\n')
          .slice(0, lines)
          .map((line) => `${line}\n`)
          .join('');
      await writeFile(join(torn, 'trials.jsonl'), `${cut(trials, kept)}{"schema":1,"scen`);
      await writeFile(
        join(torn, 'transcripts/00000.jsonl'),
        `${cut(transcripts, keptTranscripts)}{"ind`,
      );
      const { status } = await run(torn, '--resume');
      expect(status).toBeLessThanOrEqual(1);
      expect(await bytes(torn)).toEqual([trials, transcripts]);
    }
  });

  it('is never overwritten, and never resumed with other flags', async () => {
    const folder = join(await temporaryFolder(), 'r');
    await run(folder);
    const again = await run(folder);
    expect(again).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('already holds a run; add --resume') as string,
    });
    const other = await run(folder, '--resume', '--max-steps', '3');
    expect(other.status).toBe(2);
    expect(other.stderr).toContain('was started with another maxSteps (15, not 3)');
  });

  it('is written by one process at a time', async () => {
    const folder = join(await temporaryFolder(), 'r');
    await run(folder);
    await writeFile(join(folder, 'lock'), String(process.pid));
    const second = await run(folder, '--resume');
    expect(second.status).toBe(2);
    expect(second.stderr).toContain(`another process (${process.pid}) is writing`);
    // What a process left behind that runs no more is taken over.
    await writeFile(join(folder, 'lock'), '999999999');
    expect((await run(folder, '--resume')).status).toBeLessThanOrEqual(1);
    await expect(readFile(join(folder, 'lock'))).rejects.toThrow('ENOENT');
  });

  it('never lands among somebody’s files, nor in a folder without a name', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'mine.txt'), 'x');
    expect(await run(folder)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is not empty, and holds no run') as string,
    });
    expect(await run('')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--out is empty') as string,
    });
  });

  it('that is damaged in the middle is an error, not a shorter run', async () => {
    const folder = join(await temporaryFolder(), 'r');
    await run(folder);
    const [trials = ''] = await bytes(folder);
    await writeFile(join(folder, 'trials.jsonl'), trials.replace('{', '!'));
    const { status, stderr } = await run(folder, '--resume');
    expect(status).toBe(2);
    expect(stderr).toContain('the file is damaged');
  });

  it('keeps what was done when it is interrupted', async () => {
    const folder = join(await temporaryFolder(), 'r');
    const interrupt = new AbortController();
    const args = [
      'run',
      '--target',
      'naive',
      '--limit',
      '12',
      '--out',
      folder,
      '--concurrency',
      '1',
      '--jsonl',
    ];
    let seen = 0;
    const first = await pab(args, {
      signal: interrupt.signal,
      stdout: {
        write: () => {
          seen += 1;
          if (seen === 4) interrupt.abort();
        },
      },
    });
    expect(first.status).toBe(130);
    expect(first.stderr).toContain('go on with --resume');
    const rest = await pab([...args, '--resume', '--quiet']);
    expect(rest.status).toBe(1);
    const fresh = join(await temporaryFolder(), 'r');
    await pab(['run', '--target', 'naive', '--limit', '12', '--out', fresh, '--quiet']);
    expect(await bytes(folder)).toEqual(await bytes(fresh));
  });

  it('is replayed to the same trials', async () => {
    const folder = await temporaryFolder();
    await run(join(folder, 'a'));
    await pab([
      'run',
      '--target',
      `replay:${join(folder, 'a')}`,
      '--defense',
      'spotlight',
      '--seed',
      '7',
      '--limit',
      '12',
      '--trials',
      '2',
      '--out',
      join(folder, 'b'),
      '--quiet',
    ]);
    const judgements = async (name: string): Promise<unknown[]> =>
      (await readFile(join(folder, name, 'trials.jsonl'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { judgement: unknown }).judgement);
    expect(await judgements('b')).toEqual(await judgements('a'));
  });

  it('tells shards apart and covers every trial once', async () => {
    const folder = await temporaryFolder();
    const seen: string[] = [];
    for (const shard of ['1/3', '2/3', '3/3']) {
      const out = join(folder, shard.replace('/', '-'));
      await run(out, '--shard', shard);
      const [, transcripts = ''] = await bytes(out);
      seen.push(
        ...transcripts
          .trim()
          .split('\n')
          .map((line) => String((JSON.parse(line) as { index: number }).index)),
      );
    }
    expect(seen.map(Number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: seen.length }, (_, index) => index),
    );
  });
});
