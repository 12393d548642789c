import { afterEach, describe, expect, it } from 'vitest';
import { chatTarget, gemini } from '../../src/index.js';
import { type Answer, type Loopback, loopback } from '../fixture/loopback.js';
import { mailCase } from '../fixture/mail-case.js';
import { saidIn, toolsCalled, trial } from '../fixture/trial.js';

const running = { servers: [] as Loopback[] };
afterEach(async () => {
  await Promise.all(running.servers.splice(0).map((server) => server.close()));
});

async function start(...answers: readonly Answer[]) {
  const server = await loopback(...answers);
  running.servers.push(server);
  const model = gemini({
    baseUrl: server.url,
    apiKey: 'key-1',
    model: 'small/1',
    fetch,
    sleep: () => Promise.resolve(),
  });
  return { server, target: chatTarget(model) };
}

const candidate = (parts: readonly unknown[], reason = 'STOP'): Answer => ({
  body: {
    candidates: [{ content: { role: 'model', parts }, finishReason: reason }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 3, thoughtsTokenCount: 2 },
    modelVersion: 'small-1-001',
  },
});

describe('gemini', () => {
  it('speaks generateContent over several steps and gives signatures back with their calls', async () => {
    const { server, target } = await start(
      candidate([
        { text: 'hidden', thought: true },
        { functionCall: { name: 'list_mail', args: {} }, thoughtSignature: 'sig' },
        { functionCall: { name: 'read_mail', args: { id: 'nope' } } },
      ]),
      candidate([{ text: 'The total ' }, { text: 'is 4,210.' }]),
    );
    const transcript = await trial(mailCase(), target);
    expect(toolsCalled(transcript)).toEqual(['list_mail', 'read_mail']);
    expect(saidIn(transcript)).toEqual(['The total is 4,210.']);
    expect(JSON.stringify(transcript)).not.toContain('hidden');
    expect(transcript).toMatchObject({
      usage: { modelCalls: 2, inputTokens: 20, outputTokens: 10 },
      modelId: 'small-1-001',
    });
    expect(server.seen[0]).toMatchObject({
      path: '/v1/models/small%2F1:generateContent',
      headers: { 'x-goog-api-key': 'key-1' },
      body: { systemInstruction: { parts: [{ text: 'You are a mail assistant.' }] } },
    });
    const { contents } = server.bodyOf(1) as { contents: unknown[] };
    expect(contents).toMatchObject([
      { role: 'user' },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'list_mail' }, thoughtSignature: 'sig' },
          { functionCall: { name: 'read_mail' } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'list_mail', response: {} } },
          {
            functionResponse: {
              name: 'read_mail',
              response: { error: '{"error": "no such mail"}' },
            },
          },
        ],
      },
    ]);
  });

  it.each([
    ['a safety stop', candidate([], 'SAFETY')],
    ['a blocked prompt', { body: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } } }],
  ])('takes %s for the content filter', async (_name, answer) => {
    const { target } = await start(answer);
    expect((await trial(mailCase(), target)).stop).toBe('provider_blocked');
  });

  it.each([
    ['no candidates', { body: {} }, 'empty-response', 'no candidates'],
    [
      'a call that it could not write',
      candidate([], 'MALFORMED_FUNCTION_CALL'),
      'empty-response',
      'MALFORMED_FUNCTION_CALL',
    ],
    [
      'an error',
      { status: 403, body: { error: { message: 'key-1 is no good' } } },
      'http',
      '[key] is no good',
    ],
    ['another shape', { body: { candidates: 1 } }, 'malformed-response', 'candidates'],
  ])('records %s as an error', async (_name, answer, code, said) => {
    const { target } = await start(answer);
    const transcript = await trial(mailCase(), target);
    expect(transcript.error?.code).toBe(code);
    expect(transcript.error?.message).toContain(said);
  });
});
