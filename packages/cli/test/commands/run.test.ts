import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pab, temporaryFolder } from '../surroundings.js';

interface SummaryJson {
  readonly schema: number;
  readonly attacks: Record<string, number>;
  readonly twins: Record<string, number>;
  readonly controls: Record<string, number>;
  readonly rates: Record<
    string,
    { value: number | null; k: number; n: number; intervals: unknown[] }
  >;
  readonly incomplete: boolean;
  readonly notes: string[];
}

const summaryOf = (stdout: string): SummaryJson => JSON.parse(stdout) as SummaryJson;

describe('pab run', () => {
  it('prints the same bytes for the same seed', async () => {
    const args = [
      'run',
      '--target',
      'naive',
      '--defense',
      'none',
      '--seed',
      '7',
      '--limit',
      '8',
      '--json',
      '--quiet',
    ];
    const [first, second] = [await pab(args), await pab(args)];
    expect(first.stdout).toBe(second.stdout);
    expect(Object.keys(summaryOf(first.stdout))).toEqual(
      expect.arrayContaining([
        'schema',
        'corpus',
        'target',
        'defense',
        'trials',
        'seed',
        'attacks',
        'rates',
        'cells',
        'twins',
        'controls',
        'by_channel',
        'by_family',
        'usage',
        'incomplete',
        'notes',
      ]),
    );
  });

  it('exits 1 when anything was compromised, 0 when nothing was, and says why', async () => {
    const naive = await pab(['run', '--target', 'naive', '--limit', '2', '--json']);
    expect(naive.status).toBe(1);
    expect(naive.stderr).toContain('pab: compromised>0%: compromised is 100.0 %');
    expect((await pab(['run', '--target', 'diligent', '--limit', '2', '--json'])).status).toBe(0);
  });

  it('holds a run against the gate that it is given', async () => {
    const gate = (condition: string) =>
      pab([
        'run',
        '--target',
        'paranoid',
        '--limit',
        '4',
        '--json',
        '--quiet',
        '--fail-on',
        condition,
      ]);
    expect((await gate('compromised>5%')).status).toBe(0);
    expect((await gate('over_refused>2%')).status).toBe(1);
    expect((await gate('utility_under_attack<50%')).status).toBe(1);
    expect(await gate('compromissed>5%')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Did you mean "compromised"?') as string,
    });
    expect(await gate('compromised>5')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('did you mean 5%?') as string,
    });
  });

  it('loads a defense and a target from a TypeScript file', async () => {
    const cwd = await temporaryFolder();
    await writeFile(
      join(cwd, 'my-defense.ts'),
      `type Hooks = { onResult(result: { parts: { text: string }[] }): unknown };
       export default (options: { word?: string }) => ({
         name: 'mine',
         open: (): Hooks => ({ onResult: (result) => ({ ...result, parts: result.parts.map((part) => ({ ...part, text: options.word ?? '' })) }) }),
       });`,
    );
    await writeFile(
      join(cwd, 'my-agent.ts'),
      `export default { name: 'mine', async run(task: unknown, session: { call(c: unknown): Promise<unknown> }) {
         await session.call({ id: 'x', tool: 'list_inbox', args: {} });
         return { text: 'Done.', stop: 'done' as const };
       } };`,
    );
    const defended = await pab(
      [
        'run',
        '--target',
        'naive',
        '--defense',
        './my-defense.ts:word=gone',
        '--channel',
        'email',
        '--json',
        '--quiet',
      ],
      { cwd },
    );
    expect(summaryOf(defended.stdout).attacks).toMatchObject({
      reached: 7,
      delivered: 0,
      compromised: 0,
    });
    const agent = await pab(
      [
        'run',
        '--target',
        './my-agent.ts',
        '--channel',
        'email',
        '--kind',
        'attack',
        '--json',
        '--quiet',
      ],
      { cwd },
    );
    expect(summaryOf(agent.stdout)).toMatchObject({ target: 'mine', attacks: { n: 7, errors: 0 } });
  });

  it.each([
    [
      'a target that there is not',
      ['--target', 'navie'],
      'there is no target "navie". Did you mean "naive"?',
    ],
    [
      'a defense that there is not',
      ['--target', 'naive', '--defense', 'spotligth'],
      'Did you mean "spotlight"?',
    ],
    [
      'an option that there is not',
      ['--target', 'naive', '--defense', 'spotlight:mod=encoding'],
      'has no option "mod"',
    ],
    [
      'a channel that there is not',
      ['--target', 'naive', '--channel', 'emial'],
      'there is no channel "emial". Did you mean "email"?',
    ],
    [
      'a scenario that there is not',
      ['--target', 'naive', '--id', 'email-exfil-01'],
      'Did you mean "email-exfil-001"?',
    ],
    [
      'a flag that there is not',
      ['--target', 'naive', '--trails', '3'],
      'there is no flag --trails. Did you mean --trials?',
    ],
    [
      'a number that is none',
      ['--target', 'naive', '--trials', 'many'],
      '--trials is a whole number',
    ],
    ['no trials', ['--target', 'naive', '--trials', '0'], '--trials is a whole number'],
    ['a shard that is none', ['--target', 'naive', '--shard', '3/2'], '--shard is I/N'],
    [
      'a corpus that there is not',
      ['--target', 'naive', '--corpus', 'nowhere.jsonl'],
      'there is no file or folder nowhere.jsonl',
    ],
    ['a file that there is not', ['--target', './nowhere.ts'], 'there is no file ./nowhere.ts'],
    ['resuming nothing', ['--target', 'naive', '--resume'], '--resume needs --out'],
    ['no target', [], '--target is missing'],
    ['an endpoint that is not named', ['--target', 'openai-compat:model=m'], 'PAB_BASE_URL'],
    ['a model that is not named', ['--target', 'openai-compat:url=http://127.0.0.1:1/v1'], 'model'],
    [
      'a cost without prices',
      ['--target', 'naive', '--max-cost', '1'],
      '--max-cost needs --prices',
    ],
  ])('refuses %s with status 2 and runs nothing', async (_what, args, message) => {
    const { status, stdout, stderr } = await pab(['run', ...args]);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
  });

  it('runs nothing of a corpus that has problems, and lists them', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'bad.jsonl'), '{"id":"A","kind":"attack"}\n');
    const { status, stdout, stderr } = await pab(
      ['run', '--target', 'naive', '--corpus', 'bad.jsonl', '--out', 'r'],
      { cwd },
    );
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('bad.jsonl:1:1: title: is missing');
    await expect(readFile(join(cwd, 'r/manifest.json'))).rejects.toThrow('ENOENT');
  });

  it('stops at its token budget, incomplete', async () => {
    const cwd = await temporaryFolder();
    await writeFile(
      join(cwd, 'agent.ts'),
      `export default { name: 'spender', async run() { return { text: 'x', stop: 'done', usage: { modelCalls: 1, inputTokens: 90, outputTokens: 10 } }; } };`,
    );
    const { status, stdout, stderr } = await pab(
      ['run', '--target', './agent.ts', '--max-tokens', '250', '--concurrency', '1', '--json'],
      { cwd },
    );
    expect(status).toBe(3);
    expect(stderr).toContain('--max-tokens 250 was reached');
    expect(summaryOf(stdout).notes.join(' ')).toContain('trials were run');
  });
});

describe('pab run against an endpoint', () => {
  it('that is down: every trial is an error, and no rate is printed', async () => {
    const env = { PAB_BASE_URL: 'http://127.0.0.1:9/v1', PAB_API_KEY: 'sk-never-to-be-seen' };
    const args = ['run', '--target', 'openai-compat:model=m,max_retries=0', '--limit', '2'];
    const { status, stdout, stderr } = await pab(args, { env });
    expect(status).toBe(3);
    expect(stdout).toContain('Every trial failed, so there is no rate');
    expect(stdout).not.toContain('0.0 %');
    expect(stderr).toMatch(/pab: 4 trial\(s\) failed: network: /);
    expect(stdout + stderr).not.toContain('sk-never');
    const json = summaryOf((await pab([...args, '--json', '--quiet'], { env })).stdout);
    expect(json).toMatchObject({
      incomplete: true,
      attacks: { errors: 2 },
      rates: { compromise: { value: null, n: 0 } },
    });
  });

  it('that is down: stops after some failures in a row, says what was tried, and leaves a run to go on with', async () => {
    const env = { PAB_BASE_URL: 'http://127.0.0.1:9/v1', PAB_API_KEY: 'sk-never-to-be-seen' };
    const cwd = await temporaryFolder();
    const target = ['run', '--target', 'openai-compat:model=m,max_retries=0', '--limit', '12'];
    const args = [...target, '--kind', 'attack', '--no-twins', '--out', 'r'];
    const first = await pab(args, { env, cwd });
    expect(first).toMatchObject({ status: 2, stdout: '' });
    expect(first.stderr).toMatch(
      /^pab: 10 trials in a row failed on the way to the model \(10 × network: no connection to 127\.0\.0\.1:9: [\w ]+\), the first ones of 12, so nothing was measured\. When the model can be reached, go on with --resume --out r; --max-failures 0 goes on regardless\n$/,
    );
    const again = await pab([...args, '--resume', '--max-failures', '0', '--json'], { env, cwd });
    expect(again.status).toBe(3);
    expect(summaryOf(again.stdout).attacks).toMatchObject({ n: 12, errors: 12 });
  });

  it('that goes down: keeps what was measured, counts no failure at the end, and goes on from there', async () => {
    const cwd = await temporaryFolder();
    await writeFile(
      join(cwd, 'agent.ts'),
      `let calls = 0;
       export default { name: 'shaky', async run() {
         calls += 1;
         const code = process.env['SHAKY'];
         if (code !== undefined && (calls === 2 || calls > 4)) throw Object.assign(new Error('gone'), { [Symbol.for('pab.model.target-error')]: true, code });
         return { text: 'Done.', stop: 'done' };
       } };`,
    );
    const args = [
      'run',
      '--target',
      './agent.ts',
      '--limit',
      '9',
      '--kind',
      'attack',
      '--no-twins',
    ];
    const flags = ['--concurrency', '1', '--max-failures', '3', '--json'];
    const counts = async (code: string | undefined, more: readonly string[] = []) => {
      if (code === undefined) delete process.env['SHAKY'];
      else process.env['SHAKY'] = code;
      const { status, stdout, stderr } = await pab([...args, ...flags, ...more], { cwd });
      delete process.env['SHAKY'];
      return { status, stderr, attacks: summaryOf(stdout).attacks };
    };
    const stopped = await counts('http', ['--out', 'r']);
    expect(stopped).toMatchObject({ status: 3, attacks: { n: 4, errors: 1 } });
    expect(stopped.stderr).toContain(
      '3 trials in a row failed on the way to the model (3 × http: gone): 4 of 9 trials were run',
    );
    expect(await counts(undefined, ['--out', 'r', '--resume'])).toMatchObject({
      attacks: { n: 9, errors: 1 },
    });
    // A target that fails by itself says something of the target.
    const failed = await counts('target-failed', ['--out', 's']);
    expect(failed.attacks).toMatchObject({ n: 9 });
  });

  it('that answers: a model that calls a tool and stops is judged', async () => {
    let calls = 0;
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        calls += 1;
        const message =
          calls % 2 === 1
            ? {
                role: 'assistant',
                content: null,
                tool_calls: [
                  {
                    id: `c${calls}`,
                    type: 'function',
                    function: { name: 'list_inbox', arguments: '{}' },
                  },
                ],
              }
            : { role: 'assistant', content: 'I have looked.' };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            model: 'tiny-1',
            choices: [{ message, finish_reason: calls % 2 === 1 ? 'tool_calls' : 'stop' }],
            usage: { prompt_tokens: 10, completion_tokens: 2 },
          }),
        );
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const out = join(await temporaryFolder(), 'run');
    const { status, stdout } = await pab(
      [
        'run',
        '--target',
        `openai-compat:model=tiny,url=http://127.0.0.1:${port}/v1`,
        '--channel',
        'email',
        '--kind',
        'attack',
        '--no-twins',
        '--concurrency',
        '1',
        '--out',
        out,
        '--json',
        '--quiet',
      ],
      { env: { PAB_API_KEY: 'sk-never-to-be-seen' } },
    );
    server.close();
    expect(status).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({
      attacks: { n: 7, errors: 0, compromised: 0 },
      usage: { model_calls: 14, input_tokens: 140 },
    });
    const files = await Promise.all(
      ['manifest.json', 'trials.jsonl', 'transcripts/00000.jsonl', 'summary.json'].map((name) =>
        readFile(join(out, name), 'utf8'),
      ),
    );
    expect(files[0]).toContain('"tiny-1"');
    expect(files.join('')).not.toContain('sk-never');
  });
});

it('loads a harvest folder by its scenarios, and refuses one that holds texts only', async () => {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'h'));
  await writeFile(join(cwd, 'h/manifest.json'), '{}');
  await writeFile(join(cwd, 'h/rows.jsonl'), '{"text":"x"}\n');
  const { status, stderr } = await pab(['list', '--corpus', 'h'], { cwd });
  expect(status).toBe(2);
  expect(stderr).toContain('labelled texts only');
});
