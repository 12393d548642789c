import { describe, expect, it } from 'vitest';
import { aiSdk, chatTarget } from '../../src/index.js';
import { mailCase } from '../fixture/mail-case.js';
import { callsOf, saidIn, toolsCalled, trial } from '../fixture/trial.js';

interface Options {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly name: string; readonly inputSchema: unknown }[];
  readonly abortSignal?: AbortSignal;
}

function fake(...results: readonly unknown[]) {
  const asked: Options[] = [];
  return {
    asked,
    provider: 'fake.chat',
    modelId: 'small',
    doGenerate(options: Options): Promise<unknown> {
      const result = results[Math.min(asked.length, results.length - 1)];
      asked.push(options);
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    },
  };
}

const call = (id: string, tool: string, input: string) => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: tool,
  input,
  providerMetadata: { fake: { signature: id } },
});

describe('aiSdk', () => {
  it('speaks with models of version 6 over several steps', async () => {
    const model = fake(
      {
        content: [
          { type: 'reasoning', text: 'hidden' },
          call('a', 'list_mail', '{}'),
          call('b', 'read_mail', '{"id":'),
        ],
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage: { inputTokens: { total: 10 }, outputTokens: { total: 4 } },
        response: { modelId: 'small-1' },
      },
      {
        content: [{ type: 'text', text: 'The total is 4,210.' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: { inputTokens: { total: 20 }, outputTokens: { total: undefined } },
      },
    );
    const transcript = await trial(mailCase(), chatTarget(aiSdk(model)));
    expect(toolsCalled(transcript)).toEqual(['list_mail', 'read_mail']);
    expect(callsOf(transcript)[1]?.proposed.unparsed).toBe('{"id":');
    expect(saidIn(transcript)).toEqual(['The total is 4,210.']);
    expect(JSON.stringify(transcript)).not.toContain('hidden');
    expect(transcript).toMatchObject({
      usage: { modelCalls: 2, inputTokens: 30, outputTokens: 4 },
      modelId: 'small-1',
    });
    expect(model.asked[0]?.tools?.map(({ name }) => name)).toContain('send_mail');
    expect(model.asked[1]?.prompt).toMatchObject([
      { role: 'system', content: 'You are a mail assistant.' },
      { role: 'user', content: [{ type: 'text' }] },
      {
        role: 'assistant',
        content: [
          { toolCallId: 'a', input: {}, providerOptions: { fake: { signature: 'a' } } },
          { toolCallId: 'b', input: { unreadable_arguments: '{"id":' } },
        ],
      },
      { role: 'tool', content: [{ toolCallId: 'a', output: { type: 'text' } }] },
      { role: 'tool', content: [{ toolCallId: 'b', output: { type: 'error-text' } }] },
    ]);
  });

  it('reads what models of version 5 give', async () => {
    const model = fake({
      content: [{ type: 'text', text: 'Hi' }],
      finishReason: 'stop',
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
    });
    const transcript = await trial(mailCase(), chatTarget(aiSdk(model)));
    expect(saidIn(transcript)).toEqual(['Hi']);
    expect(transcript.usage).toEqual({ modelCalls: 1, inputTokens: 3, outputTokens: 2 });
  });

  it('takes the content filter for provider_blocked', async () => {
    const model = fake({ content: [], finishReason: { unified: 'content-filter' } });
    expect((await trial(mailCase(), chatTarget(aiSdk(model)))).stop).toBe('provider_blocked');
  });

  it.each([
    [
      'a status',
      Object.assign(new Error('slow down'), { statusCode: 429 }),
      'http',
      'HTTP 429: slow down',
    ],
    ['a lost connection', new Error('socket closed'), 'network', 'socket closed'],
    [
      'an error stop',
      { content: [], finishReason: { unified: 'error' } },
      'http',
      'stopped with an error',
    ],
    [
      'an empty reply',
      { content: [], finishReason: 'stop' },
      'empty-response',
      'neither text nor calls',
    ],
    ['another shape', { text: 'x' }, 'malformed-response', 'at "content"'],
  ])('records %s as an error', async (_name, result, code, said) => {
    const transcript = await trial(mailCase(), chatTarget(aiSdk(fake(result))));
    expect(transcript.error?.code).toBe(code);
    expect(transcript.error?.message).toContain(said);
  });
});
