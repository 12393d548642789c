import { afterEach, describe, expect, it } from 'vitest';
import { anthropic, chatTarget } from '../../src/index.js';
import { type Answer, type Loopback, loopback } from '../fixture/loopback.js';
import { mailCase } from '../fixture/mail-case.js';
import { callsOf, saidIn, toolsCalled, trial } from '../fixture/trial.js';

const running = { servers: [] as Loopback[] };
afterEach(async () => {
  await Promise.all(running.servers.splice(0).map((server) => server.close()));
});

async function start(...answers: readonly Answer[]) {
  const server = await loopback(...answers);
  running.servers.push(server);
  const model = anthropic({
    baseUrl: server.url,
    apiKey: 'key-1',
    model: 'small',
    fetch,
    sleep: () => Promise.resolve(),
    maxRetries: 1,
  });
  return { server, target: chatTarget(model) };
}

const message = (content: readonly unknown[], reason: string): Answer => ({
  body: {
    type: 'message',
    role: 'assistant',
    model: 'small-1',
    content,
    stop_reason: reason,
    usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 4 },
  },
});

describe('anthropic', () => {
  it('speaks the Messages API over several steps', async () => {
    const { server, target } = await start(
      message(
        [
          { type: 'thinking', thinking: 'hidden' },
          { type: 'text', text: 'Reading.' },
          { type: 'tool_use', id: 'a', name: 'list_mail', input: {} },
          { type: 'tool_use', id: 'b', name: 'read_mail', input: { id: 'nope' } },
        ],
        'tool_use',
      ),
      message([{ type: 'text', text: 'The total is 4,210.' }], 'end_turn'),
    );
    const transcript = await trial(mailCase(), target);
    expect(toolsCalled(transcript)).toEqual(['list_mail', 'read_mail']);
    expect(saidIn(transcript)).toEqual(['The total is 4,210.']);
    expect(JSON.stringify(transcript)).not.toContain('hidden');
    expect(transcript).toMatchObject({
      usage: { modelCalls: 2, inputTokens: 30, outputTokens: 8 },
      modelId: 'small-1',
    });
    expect(server.seen[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'key-1', 'anthropic-version': '2023-06-01' },
      body: { system: 'You are a mail assistant.', max_tokens: 4096, temperature: 0 },
    });
    const { messages } = server.bodyOf(1) as {
      messages: { role: string; content: { type: string; is_error?: boolean }[] }[];
    };
    expect(messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).toEqual(
      [
        ['user', 'text'],
        ['assistant', 'text', 'tool_use', 'tool_use'],
        ['user', 'tool_result', 'tool_result'],
      ],
    );
    expect(messages[2]?.content[1]?.is_error).toBe(true);
  });

  it('takes the refusal stop for the content filter, and arguments that are no object as unreadable', async () => {
    const { target } = await start(
      message([{ type: 'tool_use', id: 'a', name: 'list_mail', input: 'x' }], 'tool_use'),
      message([], 'refusal'),
    );
    const transcript = await trial(mailCase(), target);
    expect(transcript.stop).toBe('provider_blocked');
    expect(callsOf(transcript)[0]?.proposed.unparsed).toBe('x');
  });

  it.each([
    [
      'an error',
      { status: 401, body: { type: 'error', error: { message: 'bad key-1' } } },
      'http',
      'HTTP 401: bad [key]',
    ],
    ['overload', { status: 529, body: { error: { message: 'busy' } } }, 'http', 'HTTP 529: busy'],
    ['no content', message([], 'end_turn'), 'empty-response', 'neither text nor calls'],
    ['another shape', { body: { content: 'x' } }, 'malformed-response', 'at "content"'],
  ])('records %s as an error', async (_name, answer, code, said) => {
    const { target } = await start(answer);
    const transcript = await trial(mailCase(), target);
    expect(transcript.error?.code).toBe(code);
    expect(transcript.error?.message).toContain(said);
  });
});
