import { type Session, type Target, TargetError, type Task } from '@pab/model';
import { describe, expect, it } from 'vitest';
import { mailCase } from '../fixture/mail-case.js';
import { callsOf, defenseOf, saidIn, toolsCalled, trial } from '../fixture/trial.js';

function agent(run: (task: Task, session: Session) => Promise<string>): Target {
  return {
    name: 'agent',
    run: async (task, session) => ({ text: await run(task, session), stop: 'done' }),
  };
}

function failing(): never {
  throw new Error('bug');
}

const call = (tool: string, args: Record<string, string> = {}, id = 'c1') => ({ id, tool, args });

describe('runTrial', () => {
  it('gives the target the prompt and tools, performs its calls on the world and keeps everything', async () => {
    let seen: Task | undefined;
    const target = agent(async (task, session) => {
      seen = task;
      const result = await session.call(call('read_mail', { id: 'm2' }));
      return result.parts.map(({ text }) => text).join(' ');
    });
    const transcript = await trial(mailCase(), target);
    expect(seen?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(seen?.tools.map(({ name }) => name)).toContain('send_mail');
    expect(transcript.stop).toBe('done');
    expect(transcript.entries.map(({ type }) => type)).toEqual(['prompt', 'call', 'output']);
    expect(saidIn(transcript)[0]).toContain('4,210');
    expect(transcript.blackBox).toBe(true);
    expect(transcript.finalState).toMatch(/^[0-9a-f]{64}$/);
  });

  it('shows the target neither id, family, plan nor oracle', async () => {
    let seen = '';
    await trial(
      mailCase(),
      agent(async (task) => {
        seen = JSON.stringify(task);
        return '';
      }),
    );
    expect(seen).not.toMatch(/tr-de-001|data_exfiltration|obedient|compromised|Send the total/);
  });

  it('answers an unknown tool and unreadable arguments with a tool error', async () => {
    const target = agent(async (_task, session) => {
      await session.call(call('no_such_tool'));
      await session.call({ id: 'c2', tool: 'read_mail', args: {}, unparsed: '{"id": ' });
      await session.call(call('read_mail', { id: 'nope' }, 'c3'));
      return 'ok';
    });
    const transcript = await trial(mailCase(), target);
    expect(transcript.stop).toBe('done');
    expect(callsOf(transcript).map(({ seen }) => seen.isError)).toEqual([true, true, true]);
    expect(callsOf(transcript)[1]?.proposed.unparsed).toBe('{"id": ');
  });

  it.each([
    ['a TargetError', new TargetError('http', 'HTTP 500'), 'http', 'HTTP 500'],
    ['any other error', new Error('lost\u001b[31m its way'), 'target-failed', 'lost [31m its way'],
  ])('records %s as a stop with error', async (_name, error, code, message) => {
    const transcript = await trial(
      mailCase(),
      agent(async () => {
        throw error;
      }),
    );
    expect(transcript.stop).toBe('error');
    expect(transcript.error).toEqual({ code, message });
  });

  it('records a content filter as provider_blocked', async () => {
    const transcript = await trial(mailCase(), {
      name: 'blocked',
      run: async () => ({ text: '', stop: 'blocked' }),
    });
    expect(transcript.stop).toBe('provider_blocked');
    expect(transcript.error).toBeUndefined();
  });

  it('stops a black-box agent at the step limit, even when it swallows the stop', async () => {
    const transcript = await trial(
      mailCase(),
      agent(async (_task, session) => {
        for (let step = 0; step < 50; step += 1) {
          try {
            await session.call(call('list_mail'));
          } catch {
            // Goes on regardless.
          }
        }
        return 'done';
      }),
      undefined,
      { maxSteps: 4 },
    );
    expect(transcript.stop).toBe('max_steps');
    expect(callsOf(transcript)).toHaveLength(4);
  });

  it('ends at the time limit while the target hangs, and performs nothing afterwards', async () => {
    let fire: (() => void) | undefined;
    let late: Promise<unknown> | undefined;
    const pending = trial(
      mailCase(),
      agent(async (_task, session) => {
        await session.call(call('list_mail'));
        fire?.();
        await new Promise((resolve) => setTimeout(resolve, 5));
        late = session.call(call('add_note', { text: 'late' }));
        await late;
        return '';
      }),
      undefined,
      {
        timeoutMs: 1000,
        timers: {
          set: (callback) => {
            fire = callback;
            return 1;
          },
          clear: () => {},
        },
      },
    );
    const transcript = await pending;
    expect(transcript.stop).toBe('timeout');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(late).rejects.toThrow('over');
    expect(toolsCalled(transcript)).toEqual(['list_mail']);
  });

  it('leaves a finished transcript alone when a slow defense comes back', async () => {
    const controller = new AbortController();
    let finish: (() => void) | undefined;
    const slow = defenseOf({
      onResult: (result) =>
        new Promise((resolve) => {
          finish = () => {
            resolve(result);
          };
          controller.abort();
        }),
    });
    const target = agent(async (_task, session) => {
      await session.call(call('list_mail'));
      return '';
    });
    const transcript = await trial(mailCase(), target, slow, { signal: controller.signal });
    const before = JSON.stringify(transcript);
    finish?.();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(transcript.stop).toBe('aborted');
    expect(JSON.stringify(transcript)).toBe(before);
  });

  it('ends as aborted when the caller cancels, before or during the trial', async () => {
    const target = agent(() => new Promise(() => {}));
    const before = await trial(mailCase(), target, undefined, { signal: AbortSignal.abort() });
    expect(before.stop).toBe('aborted');
    const controller = new AbortController();
    const during = trial(mailCase(), target, undefined, { signal: controller.signal });
    controller.abort();
    expect((await during).stop).toBe('aborted');
  });

  it('carries the world over sessions but not the conversation', async () => {
    const prompts: Task[] = [];
    const target = agent(async (task, session) => {
      prompts.push(task);
      await session.call(call('add_note', { text: `note ${prompts.length}` }));
      return 'noted';
    });
    const theCase = mailCase({
      change: {
        task: {},
        sessions: [
          { turns: [{ prompt: 'first' }, { prompt: 'second' }] },
          { turns: [{ prompt: 'third' }] },
        ],
      },
    });
    const transcript = await trial(theCase, target);
    expect(prompts.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'tool', 'assistant', 'user'],
      ['system', 'user'],
    ]);
    expect(callsOf(transcript).map(({ raw }) => raw?.parts[0]?.source)).toEqual([
      'add_note#1/text',
      'add_note#2/text',
      'add_note#3/text',
    ]);
  });

  it('changes the state when a later session begins', async () => {
    const bodies: string[] = [];
    const theCase = mailCase({
      change: {
        task: {},
        sessions: [{ turns: [{ prompt: 'first' }] }, { turns: [{ prompt: 'second' }] }],
        injections: [
          { at: { state: '/inbox/1/body', session: 1 }, payload: 'obey now', benign: 'hello' },
        ],
      },
    });
    await trial(
      theCase,
      agent(async (_task, session) => {
        const result = await session.call(call('read_mail', { id: 'm2' }));
        bodies.push(result.parts.at(-1)?.text ?? '');
        return '';
      }),
    );
    expect(bodies).toEqual(['', 'obey now']);
  });
});

describe('the defense in a trial', () => {
  const reader = agent(async (_task, session) => {
    const result = await session.call(call('read_mail', { id: 'm2' }));
    return result.parts.at(-1)?.text ?? '';
  });

  it('blocks, rewrites and asks, and each is in the transcript', async () => {
    const target = agent(async (_task, session) => {
      await session.callAll([
        call('send_mail', { to: 'x@drop.example', body: 'b' }, 'c1'),
        call('add_note', { text: 'Total: 4,210' }, 'c2'),
        call('read_mail', { id: 'm1' }, 'c3'),
        call('list_mail', {}, 'c4'),
      ]);
      return 'ok';
    });
    const transcript = await trial(
      mailCase(),
      target,
      defenseOf({
        onCall: (proposed) => {
          if (proposed.tool === 'read_mail') {
            return { kind: 'rewrite', call: { ...proposed, args: { id: 'm2' } }, reason: 'other' };
          }
          if (proposed.tool === 'list_mail') return { kind: 'block', reason: 'no lists' };
          return { kind: 'ask', reason: 'writes' };
        },
      }),
    );
    const calls = callsOf(transcript);
    expect(calls.map(({ effective }) => effective?.args ?? null)).toEqual([
      null,
      { text: 'Total: 4,210' },
      { id: 'm2' },
      null,
    ]);
    expect(calls.map(({ actions }) => actions.map(({ action }) => action))).toEqual([
      ['asked', 'blocked'],
      ['asked'],
      ['rewritten'],
      ['blocked'],
    ]);
    expect(calls[0]?.raw).toBeNull();
    expect(calls[0]?.seen.isError).toBe(true);
  });

  it('asks onCalls for the batch and onCall for what it let through', async () => {
    const single: string[] = [];
    const target = agent(async (_task, session) => {
      await session.callAll([call('list_mail', {}, 'c1'), call('add_note', { text: 'a' }, 'c2')]);
      return '';
    });
    const transcript = await trial(
      mailCase(),
      target,
      defenseOf({
        onCalls: (calls) =>
          calls.map(({ tool }) =>
            tool === 'add_note' ? { kind: 'block', reason: 'batch' } : { kind: 'allow' },
          ),
        onCall: ({ tool }) => {
          single.push(tool);
          return { kind: 'allow' };
        },
      }),
    );
    expect(single).toEqual(['list_mail']);
    expect(callsOf(transcript)[1]?.effective).toBeNull();
  });

  it('changes results and output; raw and seen both stay', async () => {
    const transcript = await trial(
      mailCase(),
      reader,
      defenseOf({
        onResult: (result) => ({
          ...result,
          parts: result.parts.map((part) => ({ ...part, text: part.text.toUpperCase() })),
        }),
        onOutput: (text) => ({ kind: 'rewrite', text: `[${text}]`, reason: 'brackets' }),
      }),
    );
    const [entry] = callsOf(transcript);
    expect(entry?.raw?.parts.at(-1)?.text).toContain('The total');
    expect(entry?.seen.parts.at(-1)?.text).toContain('THE TOTAL');
    expect(saidIn(transcript)[0]).toMatch(/^\[THE TOTAL/);
  });

  it('shows one part a message when asked to, and keeps what the defense left alone', async () => {
    const counts: number[] = [];
    const hooks = defenseOf({
      prepare: (task) => {
        counts.push(...task.messages.map(({ parts }) => parts.length));
        return task;
      },
      onResult: (result) => {
        counts.push(result.parts.length);
        return result;
      },
    });
    const theCase = mailCase({
      change: { injections: [{ at: { task: true }, payload: 'pasted', benign: 'b' }] },
    });
    const parts = await trial(theCase, reader, hooks);
    const flat = await trial(theCase, reader, hooks, { provenance: 'message' });
    expect(counts).toEqual([1, 2, 4, 1, 1, 1]);
    expect(flat).toEqual(parts);
    expect(flat.entries[0]).toMatchObject({ untouched: true });
  });

  it('halts the trial, with the reason on the last entry', async () => {
    const transcript = await trial(
      mailCase(),
      reader,
      defenseOf({ halt: ({ calls }) => (calls.length > 0 ? 'tripwire' : undefined) }),
    );
    expect(transcript.stop).toBe('halted');
    expect(transcript.entries.at(-1)?.actions).toEqual([
      { defense: 'test', hook: 'halt', action: 'halted', reason: 'tripwire' },
    ]);
  });

  it('records a defense that throws as an error of its own', async () => {
    const results = [
      await trial(mailCase(), reader, { name: 'd', open: failing }),
      await trial(mailCase(), reader, defenseOf({ prepare: failing })),
      await trial(mailCase(), reader, defenseOf({ onResult: failing })),
      await trial(mailCase(), reader, defenseOf({ onOutput: failing })),
    ];
    for (const { stop, error } of results) {
      expect({ stop, error }).toEqual({
        stop: 'error',
        error: { code: 'defense-failed', message: 'bug' },
      });
    }
  });
});
