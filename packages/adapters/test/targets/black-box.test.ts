import { targetContract } from '@pab/model/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { commandAgent, httpAgent, targetFrom } from '../../src/index.js';
import { commandWords } from '../../src/targets/command-agent.js';
import { type Answer, type Loopback, loopback } from '../fixture/loopback.js';
import { mailCase } from '../fixture/mail-case.js';
import { callsOf, saidIn, toolsCalled, trial } from '../fixture/trial.js';

const AGENT = new URL('../fixture/agent.mjs', import.meta.url).pathname;

const running = { servers: [] as Loopback[] };
afterEach(async () => {
  await Promise.all(running.servers.splice(0).map((server) => server.close()));
});

async function start(...answers: readonly Answer[]) {
  const server = await loopback(...answers);
  running.servers.push(server);
  return { server, target: httpAgent({ url: server.url, apiKey: 'key-1', fetch, maxRetries: 0 }) };
}

const agent = (mode: string, maxLine?: number) =>
  commandAgent({
    file: process.execPath,
    args: [AGENT, mode],
    env: { GREETING: 'hello' },
    ...(maxLine === undefined ? {} : { maxLine }),
  });

describe('httpAgent', () => {
  it('is given the whole conversation and its own state with every request', async () => {
    const { server, target } = await start(
      { body: { calls: [{ tool: 'read_mail', args: { id: 'm2' } }], state: { step: 1 } } },
      { body: { text: 'The total is 4,210.', model: 'agent-1', usage: { modelCalls: 2 } } },
    );
    const transcript = await trial(mailCase(), target);
    expect(saidIn(transcript)).toEqual(['The total is 4,210.']);
    expect(transcript).toMatchObject({
      blackBox: true,
      modelId: 'agent-1',
      usage: { modelCalls: 2, inputTokens: 0, outputTokens: 0 },
    });
    expect(server.seen[0]?.headers.authorization).toBe('Bearer key-1');
    expect(server.bodyOf(0)).toMatchObject({ protocol: 'pab-agent-1', maxSteps: 15 });
    const { messages, state } = server.bodyOf(1) as {
      messages: { role: string }[];
      state: unknown;
    };
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(state).toEqual({ step: 1 });
  });

  it('ends at the step limit when it never answers, and as blocked when it says so', async () => {
    const { target } = await start({ body: { calls: [{ tool: 'list_mail' }] } });
    const endless = await trial(mailCase(), target, undefined, { maxSteps: 3 });
    expect(endless.stop).toBe('max_steps');
    expect(toolsCalled(endless)).toEqual(['list_mail', 'list_mail', 'list_mail']);
    expect(new Set(callsOf(endless).map(({ proposed }) => proposed.id)).size).toBe(3);
    const blocked = await start({ body: { blocked: true } });
    expect((await trial(mailCase(), blocked.target)).stop).toBe('provider_blocked');
  });

  it.each([
    ['an error', { status: 500, body: {} }, 'http'],
    ['nothing', { body: {} }, 'empty-response'],
    ['another shape', { body: { calls: 'x' } }, 'malformed-response'],
    ['no JSON', { body: '<p>' }, 'malformed-response'],
  ])('records %s as an error', async (_name, answer, code) => {
    const { target } = await start(answer);
    expect((await trial(mailCase(), target)).error?.code).toBe(code);
  });
});

describe('commandAgent', () => {
  it('speaks with a process in lines of JSON', async () => {
    const transcript = await trial(mailCase(), agent('ok'));
    expect(toolsCalled(transcript)).toEqual(['read_mail']);
    expect(saidIn(transcript)[0]).toMatch(/^The total is 4,210\./);
    expect(transcript).toMatchObject({
      modelId: 'agent-1',
      usage: { modelCalls: 2, outputTokens: 9 },
    });
  });

  it('gives the process the environment that it was told, and no more', async () => {
    const transcript = await trial(mailCase(), agent('env'));
    expect(saidIn(transcript)).toEqual(['GREETING']);
  });

  it.each([
    [
      'a crash, with what it said',
      'crash',
      'target-failed',
      /with code 3 before it answered: no model \[31m found/,
    ],
    ['a line that is not JSON', 'garbage', 'malformed-response', /not JSON/],
    ['an empty answer', 'empty', 'empty-response', /neither text nor calls/],
    ['a line without end', 'long', 'malformed-response', /too long/],
  ])('records %s as an error', async (_name, mode, code, message) => {
    const transcript = await trial(mailCase(), agent(mode, 2000));
    expect(transcript.error?.code).toBe(code);
    expect(transcript.error?.message).toMatch(message);
  });

  it('records a program that is not there as an error', async () => {
    const target = commandAgent({ file: 'no-such-program-here', env: {} });
    expect(await trial(mailCase(), target)).toMatchObject({
      stop: 'error',
      error: { code: 'target-failed' },
    });
  });

  it('ends a process that hangs', async () => {
    const transcript = await trial(mailCase(), agent('hang'), undefined, { timeoutMs: 300 });
    expect(transcript.stop).toBe('timeout');
  });

  it('reads a command line without a shell', () => {
    expect(commandWords(`python3 "my agent.py" --x='a b' $HOME;ls ""`)).toEqual([
      'python3',
      'my agent.py',
      '--x=a b',
      '$HOME;ls',
      '',
    ]);
  });
});

describe.each([
  ['commandAgent', () => agent('ok')],
  ['targetFrom', () => targetFrom(() => Promise.resolve({ text: 'x', calls: [{ tool: 'a' }] }))],
] as const)('the contract of %s', (_name, make) => {
  it.each(targetContract(make()).map((check) => [check.name, check] as const))(
    '%s',
    async (_check, check) => {
      await expect(check.run()).resolves.toBeUndefined();
    },
  );
});
