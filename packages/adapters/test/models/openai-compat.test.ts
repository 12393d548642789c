import type { ChatModel, ChatRequest } from '@pab/model';
import { afterEach, describe, expect, it } from 'vitest';
import { chatTarget, type OpenAiCompatOptions, openAiCompat } from '../../src/index.js';
import { type Answer, type Loopback, loopback } from '../fixture/loopback.js';
import { mailCase } from '../fixture/mail-case.js';
import { callsOf, saidIn, toolsCalled, trial } from '../fixture/trial.js';

const KEY = 'sk-test-8f3a';

const running = { servers: [] as Loopback[] };
afterEach(async () => {
  await Promise.all(running.servers.splice(0).map((server) => server.close()));
});

interface Started {
  readonly server: Loopback;
  readonly model: ChatModel;
  readonly waits: number[];
}

async function start(
  answers: readonly Answer[],
  options: Partial<OpenAiCompatOptions> = {},
): Promise<Started> {
  const server = await loopback(...answers);
  running.servers.push(server);
  const waits: number[] = [];
  const model = openAiCompat({
    baseUrl: server.url,
    apiKey: KEY,
    model: 'tiny',
    fetch,
    sleep: (milliseconds) => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
    random: () => 0.5,
    maxRetries: 2,
    ...options,
  });
  return { server, model, waits };
}

const completion = (message: unknown, finish = 'stop', more: object = {}): Answer => ({
  body: {
    id: 'x',
    object: 'chat.completion',
    model: 'tiny-2',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    ...more,
  },
});
const text = (content: unknown): Answer => completion({ role: 'assistant', content });
const toolCall = (id: string | null, name: string, args: unknown): unknown => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const calls = (...list: unknown[]): Answer =>
  completion({ role: 'assistant', content: null, tool_calls: list }, 'tool_calls');

const REQUEST: ChatRequest = {
  messages: [{ role: 'user', parts: [{ text: 'Hello', provenance: 'user' }] }],
  tools: [],
};

describe('openAiCompat in the agent loop', () => {
  it('calls tools in parallel over several steps and reports what it used', async () => {
    const { server, model } = await start([
      calls(toolCall('a', 'list_mail', '{}'), toolCall('b', 'read_mail', '{"id":"m2"}')),
      calls(toolCall('c', 'add_note', '{"text":"Total: 4,210"}')),
      text('The total is 4,210.'),
    ]);
    const transcript = await trial(mailCase(), chatTarget(model));
    expect(toolsCalled(transcript)).toEqual(['list_mail', 'read_mail', 'add_note']);
    expect(saidIn(transcript)).toEqual(['The total is 4,210.']);
    expect(transcript.usage).toEqual({ modelCalls: 3, inputTokens: 33, outputTokens: 21 });
    expect(transcript.modelId).toBe('tiny-2');
    expect(server.seen[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'tiny', stream: false, temperature: 0 },
    });
    const { messages } = server.bodyOf(1) as { messages: Record<string, unknown>[] };
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
    ]);
    expect(messages[4]).toMatchObject({ role: 'tool', tool_call_id: 'b' });
    expect(messages[4]?.['content']).toMatch(/^\{"id": "m2", /);
  });

  it('answers unreadable arguments and unknown tools with a tool error, and goes on', async () => {
    const { server, model } = await start([
      calls(
        toolCall('a', 'read_mail', '{"id": "m2"'),
        toolCall('b', 'read_mail', '["m2"]'),
        toolCall('c', 'no such tool!', '{}'),
      ),
      text('ok'),
    ]);
    const transcript = await trial(mailCase(), chatTarget(model));
    expect(transcript.stop).toBe('done');
    expect(callsOf(transcript).map(({ proposed }) => proposed.unparsed)).toEqual([
      '{"id": "m2"',
      '["m2"]',
      undefined,
    ]);
    expect(callsOf(transcript).map(({ seen }) => seen.isError)).toEqual([true, true, true]);
    const { messages } = server.bodyOf(1) as {
      messages: { tool_calls?: { function: { name: string; arguments: string } }[] }[];
    };
    const again = messages[2]?.tool_calls ?? [];
    expect(again.map((call) => JSON.parse(call.function.arguments) as unknown)).toEqual([
      { unreadable_arguments: '{"id": "m2"' },
      { unreadable_arguments: '["m2"]' },
      {},
    ]);
    expect(again[2]?.function.name).toBe('no_such_tool_');
  });

  it('takes arguments nested beyond measure as unreadable', async () => {
    const { model } = await start([
      calls(toolCall('a', 'read_mail', `{"id":${'['.repeat(5000)}${']'.repeat(5000)}}`)),
      text('ok'),
    ]);
    const transcript = await trial(mailCase(), chatTarget(model));
    expect(transcript.stop).toBe('done');
    expect(callsOf(transcript)[0]?.proposed.unparsed).toBeDefined();
  });

  it('gives calls without an id, or with one twice, ids of their own', async () => {
    const { model } = await start([
      calls(
        toolCall(null, 'list_mail', ''),
        toolCall('0', 'list_mail', {}),
        toolCall('0', 'list_mail', {}),
      ),
      calls(toolCall('0', 'list_mail', null)),
      text('ok'),
    ]);
    const transcript = await trial(mailCase(), chatTarget(model));
    const ids = callsOf(transcript).map(({ proposed }) => proposed.id);
    expect(new Set(ids).size).toBe(4);
    expect(callsOf(transcript).every(({ seen }) => !seen.isError)).toBe(true);
  });

  it.each([
    ['as a finish reason', completion({ role: 'assistant', content: '' }, 'content_filter')],
    ['as an error', { status: 400, body: { error: { code: 'content_filter', message: 'no' } } }],
  ])('records the content filter %s as provider_blocked', async (_name, answer) => {
    const { model } = await start([answer]);
    const transcript = await trial(mailCase(), chatTarget(model));
    expect(transcript.stop).toBe('provider_blocked');
    expect(transcript.error).toBeUndefined();
  });

  it('is an error, not a result, when the endpoint is down', async () => {
    const { server, model } = await start([{ body: '' }]);
    await server.close();
    const transcript = await trial(mailCase(), chatTarget(model));
    expect(transcript).toMatchObject({ stop: 'error', error: { code: 'network' } });
    expect(transcript.error?.message).toContain('ECONNREFUSED');
  });
});

describe('replies of openAiCompat', () => {
  it.each([
    ['text', 'Hi', 'Hi'],
    ['a list of parts', [{ type: 'text', text: 'Hi ' }, 'there', { type: 'image' }], 'Hi there'],
    ['reasoning in front', '<think>\nHmm.\n</think>\n\nHi', 'Hi'],
  ])('are read from %s', async (_name, content, expected) => {
    const { model } = await start([text(content)]);
    expect((await model.reply(REQUEST)).text).toBe(expected);
  });

  it('leave reasoning content out and take a refusal as the text', async () => {
    const { model } = await start([
      completion({ role: 'assistant', content: 'Hi', reasoning_content: 'secret thoughts' }),
      completion({ role: 'assistant', content: null, refusal: 'I will not.' }),
    ]);
    expect(JSON.stringify(await model.reply(REQUEST))).not.toContain('thoughts');
    expect(await model.reply(REQUEST)).toMatchObject({ text: 'I will not.', stop: 'done' });
  });

  it.each([
    ['invalid JSON', { body: '{"choices": [' }, 'malformed-response', /not JSON/],
    ['another shape', { body: { choices: 'x' } }, 'malformed-response', /"choices"/],
    ['no choices', { body: { choices: [] } }, 'empty-response', /no choices/],
    ['nothing in the reply', text(''), 'empty-response', /neither text nor calls/],
    ['an error with status 200', { body: { error: { message: 'busy' } } }, 'http', /busy/],
    [
      'a bad request',
      { status: 400, body: { error: { message: 'no tools' } } },
      'http',
      /HTTP 400: no tools/,
    ],
    ['a wrong address', { status: 404, body: 'not here' }, 'http', /HTTP 404/],
    ['a redirect', { status: 307, headers: { location: '/x' }, body: '' }, 'http', /final URL/],
    ['too much', { body: 'x'.repeat(70_000) }, 'malformed-response', /larger than 65536/],
  ])('that hold %s are an error at once', async (_name, answer, code, message) => {
    const { server, model } = await start([answer], { maxBytes: 65_536 });
    await expect(model.reply(REQUEST)).rejects.toMatchObject({ code, message });
    expect(server.seen).toHaveLength(1);
  });
});

describe('faults of the server', () => {
  it.each([
    ['429 with seconds', { status: 429, headers: { 'retry-after': '3' }, body: {} }, 3000],
    [
      '429 with a date',
      { status: 429, headers: { 'retry-after': 'Mon, 01 Mar 2027 09:00:05 GMT' }, body: {} },
      5000,
    ],
    ['500', { status: 500, body: 'oops' }, 375],
    ['a cut connection', { ...text('Hello there'), fault: 'cut' as const }, 375],
    ['a reset connection', { fault: 'reset' as const }, 375],
  ])('are waited out: %s', async (_name, answer, wait) => {
    const { model, waits } = await start([answer, text('Hi')], {
      now: () => Date.parse('2027-03-01T09:00:00Z'),
    });
    expect((await model.reply(REQUEST)).text).toBe('Hi');
    expect(waits).toEqual([wait]);
  });

  it('end in an error after the allowed retries, waiting longer each time', async () => {
    const { server, model, waits } = await start([{ status: 503, body: { error: 'busy' } }]);
    await expect(model.reply(REQUEST)).rejects.toMatchObject({
      code: 'http',
      message: 'HTTP 503: busy',
    });
    expect(server.seen).toHaveLength(3);
    expect(waits).toEqual([375, 750]);
  });

  it('are not waited out when the server asks for too long', async () => {
    const { model, waits } = await start([
      { status: 429, headers: { 'retry-after': '86400' }, body: {} },
    ]);
    await expect(model.reply(REQUEST)).rejects.toMatchObject({ code: 'http', message: 'HTTP 429' });
    expect(waits).toEqual([]);
  });

  it('end in a timeout when the server hangs', async () => {
    const { model } = await start([{ fault: 'hang' }], { timeoutMs: 30, maxRetries: 1 });
    await expect(model.reply(REQUEST)).rejects.toMatchObject({ code: 'timeout' });
  });

  it('end at once when the caller cancels', async () => {
    const { server, model } = await start([{ fault: 'hang' }]);
    const controller = new AbortController();
    const reply = model.reply(REQUEST, { signal: controller.signal });
    controller.abort();
    await expect(reply).rejects.toMatchObject({ code: 'aborted' });
    expect(server.seen.length).toBeLessThan(2);
  });

  it('never show the key, even when the server repeats it', async () => {
    const { model } = await start([
      { status: 401, body: { error: { message: `bad key ${KEY} for\u001b[2J ${KEY}` } } },
    ]);
    const failure: unknown = await model.reply(REQUEST).catch((error: unknown) => error);
    expect(String(failure)).not.toContain(KEY);
    expect(String(failure)).toContain('HTTP 401: bad key [key] for [2J [key]');
  });
});

const tool = (name: string): ChatRequest['tools'][number] => ({
  name,
  description: [],
  parameters: {},
  effect: 'read',
});

describe('the address and the names on the wire', () => {
  it.each([
    ['file:///etc/hosts', /https:\/\/ or http:/],
    ['not a url', /not a URL/],
    ['http://me:secret@host.example/v1', /must not hold credentials/],
  ])('refuses %s', (baseUrl, message) => {
    const make = (): unknown => openAiCompat({ baseUrl, model: 'm', fetch });
    expect(make).toThrow(message);
    expect(make).not.toThrow(/secret/);
  });

  it('keeps the query of the base URL, as some services want it', async () => {
    const server = await loopback(text('Hi'));
    running.servers.push(server);
    const model = openAiCompat({ baseUrl: `${server.url}/?v=2`, model: 'm', fetch });
    await model.reply(REQUEST);
    expect(server.seen[0]?.path).toBe('/v1/chat/completions?v=2');
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('maps tool names that providers refuse, there and back', async () => {
    const { server, model } = await start([calls(toolCall('a', 'files_read_2', '{}'))]);
    const reply = await model.reply({
      ...REQUEST,
      tools: [tool('files_read'), tool('files.read')],
    });
    const { tools } = server.bodyOf(0) as { tools: { function: { name: string } }[] };
    expect(tools.map((sent) => sent.function.name)).toEqual(['files_read', 'files_read_2']);
    expect(reply.calls[0]?.tool).toBe('files.read');
  });
});
