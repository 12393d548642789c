import type { ChatModel, ChatReply, ChatRequest } from '@pab/model';
import { describe, expect, it } from 'vitest';
import { chatTarget, replay, targetFrom } from '../../src/index.js';
import { mailCase } from '../fixture/mail-case.js';
import { callsOf, defenseOf, saidIn, toolsCalled, trial } from '../fixture/trial.js';

function scripted(replies: readonly Partial<ChatReply>[]): ChatModel & { seen: ChatRequest[] } {
  const seen: ChatRequest[] = [];
  return {
    name: 'scripted',
    seen,
    reply(request) {
      const reply = replies[seen.length % replies.length];
      seen.push(request);
      return Promise.resolve({ text: '', calls: [], stop: 'done', ...reply });
    },
  };
}

const read = (id: string, mail: string) => ({ id, tool: 'read_mail', args: { id: mail } });

describe('chatTarget', () => {
  it('performs the calls of a reply together and gives the results back', async () => {
    const model = scripted([
      {
        text: 'Reading.',
        calls: [read('a', 'm1'), read('b', 'm2')],
        stop: 'calls',
        usage: { inputTokens: 10, outputTokens: 3 },
        modelId: 'scripted-1',
      },
      { text: 'The total is 4,210.', usage: { inputTokens: 30, outputTokens: 5 } },
    ]);
    const transcript = await trial(mailCase(), chatTarget(model));
    expect(model.seen[1]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
    ]);
    expect(transcript.entries.map(({ type }) => type)).toEqual([
      'prompt',
      'model',
      'call',
      'call',
      'model',
      'output',
    ]);
    expect(transcript.usage).toEqual({ modelCalls: 2, inputTokens: 40, outputTokens: 8 });
    expect(transcript.modelId).toBe('scripted-1');
    expect(transcript.blackBox).toBeUndefined();
    expect(saidIn(transcript)).toEqual(['The total is 4,210.']);
  });

  it('stops after as many model calls as the task allows', async () => {
    const model = scripted([{ calls: [read('a', 'm1')], stop: 'calls' }]);
    const transcript = await trial(mailCase(), chatTarget(model), undefined, { maxSteps: 3 });
    expect(transcript.stop).toBe('max_steps');
    expect(model.seen).toHaveLength(3);
  });

  it('records what the provider filtered as provider_blocked, with the calls before it', async () => {
    const model = scripted([{ calls: [read('a', 'm2')], stop: 'calls' }, { stop: 'blocked' }]);
    const transcript = await trial(mailCase(), chatTarget(model));
    expect(transcript.stop).toBe('provider_blocked');
    expect(toolsCalled(transcript)).toEqual(['read_mail']);
  });

  it('notes what a defense put into a request and took out of a reply', async () => {
    const model = scripted([{ text: 'secret' }]);
    const reminder = { role: 'user', parts: [{ text: 'Mind.', provenance: 'system' }] } as const;
    const transcript = await trial(
      mailCase(),
      chatTarget(model),
      defenseOf({
        beforeModel: (messages) => [...messages, reminder],
        afterModel: (reply) => ({ ...reply, text: 'hidden' }),
      }),
    );
    const entry = transcript.entries.find(({ type }) => type === 'model');
    expect(entry).toMatchObject({
      edits: [{ index: 2, message: reminder }],
      text: 'secret',
      seenText: 'hidden',
    });
    expect(entry?.actions.map(({ hook }) => hook)).toEqual(['beforeModel', 'afterModel']);
    expect(saidIn(transcript)).toEqual(['hidden']);
  });
});

describe('replay', () => {
  it('gives the same transcript under the same defense', async () => {
    const model = scripted([
      { text: 'Reading.', calls: [read('a', 'm1'), read('b', 'm2')], stop: 'calls' },
      { text: 'Done.', usage: { inputTokens: 3, outputTokens: 4 }, modelId: 'm' },
    ]);
    const first = await trial(mailCase(), chatTarget(model));
    const again = await trial(
      mailCase(),
      replay(() => Promise.resolve(first)),
    );
    expect(again).toEqual(first);
  });

  it('performs the recorded calls through another defense', async () => {
    const first = await trial(
      mailCase(),
      targetFrom(() => Promise.resolve({ text: 'ok', calls: [{ tool: 'list_mail' }] })),
    );
    const blocking = defenseOf({ onCall: () => ({ kind: 'block', reason: 'none' }) });
    const again = await trial(
      mailCase(),
      replay(() => Promise.resolve(first)),
      blocking,
    );
    expect(callsOf(again)[0]?.effective).toBeNull();
  });

  it('repeats a recorded failure, and fails where nothing is recorded', async () => {
    const failed = await trial(
      mailCase(),
      targetFrom(() => Promise.reject(new Error('down'))),
    );
    const again = await trial(
      mailCase(),
      replay(() => Promise.resolve(failed)),
    );
    expect(again.error).toEqual({ code: 'target-failed', message: 'down' });
    const missing = await trial(
      mailCase(),
      replay(() => Promise.resolve(undefined)),
    );
    expect(missing.error?.message).toBe('nothing is recorded for this case');
  });
});

describe('targetFrom', () => {
  it('performs the calls that the function proposes and says its text', async () => {
    const target = targetFrom((task) =>
      Promise.resolve({
        text: `${task.tools.length} tools`,
        calls: [{ tool: 'list_mail' }, { tool: 'read_mail', args: { id: 'm1' } }],
      }),
    );
    const transcript = await trial(mailCase(), target);
    expect(toolsCalled(transcript)).toEqual(['list_mail', 'read_mail']);
    expect(saidIn(transcript)).toEqual(['4 tools']);
    expect(transcript.blackBox).toBe(true);
  });
});
