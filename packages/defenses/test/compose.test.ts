import type { Defense, DefenseHooks, ToolCall } from '@pab/model';
import { describe, expect, it } from 'vitest';
import { allowlist, compose, delimit, none, spotlight } from '../src/index.js';
import { task } from './fixture/placements.js';
import { opened, trailOf } from './fixture/through.js';

const CALL: ToolCall = { id: 'c', tool: 'send_mail', args: {} };

function tracing(name: string, trace: string[], hooks: DefenseHooks = {}): Defense {
  const note = <T>(value: T): T => {
    trace.push(name);
    return value;
  };
  return {
    name,
    open: () => ({
      prepare: (given) => note(given),
      onResult: (result) => note(result),
      onOutput: () => note({ kind: 'pass' }),
      onCall: () => note({ kind: 'allow' }),
      ...hooks,
    }),
  };
}

const batch = (block: string): Defense =>
  tracing(block, [], {
    onCalls: (calls) =>
      calls.map(({ id }) => (id === block ? { kind: 'block', reason: block } : { kind: 'allow' })),
  });

const result = { callId: 'c', tool: 't', parts: [], isError: false };

describe('compose', () => {
  it('passes what goes in from the first to the last and what comes out the other way', async () => {
    const trace: string[] = [];
    const { hooks } = opened(compose(tracing('a', trace), tracing('b', trace)));
    const steps: string[] = [];
    const step = (name: string): void => {
      steps.push(`${name} ${trace.splice(0).join('')}`);
    };
    await hooks.prepare?.(task());
    step('prepare');
    await hooks.onResult?.(result, trailOf(task()));
    step('onResult');
    await hooks.onCall?.(CALL, trailOf(task()));
    step('onCall');
    await hooks.onOutput?.('x', trailOf(task()));
    step('onOutput');
    expect(steps).toEqual(['prepare ab', 'onResult ab', 'onCall ba', 'onOutput ba']);
  });

  it('has the name and options of its parts, and only their hooks', () => {
    const composed = compose(spotlight({ mode: 'encoding' }), allowlist());
    expect(composed.name).toBe('spotlight+allowlist');
    expect(composed.options).toEqual({ spotlight: { mode: 'encoding' } });
    expect(Object.keys(opened(composed).hooks).toSorted()).toEqual([
      'onCall',
      'onResult',
      'prepare',
    ]);
    expect(compose().name).toBe('none');
  });

  it('gives back what it got when no part changes anything', async () => {
    const { hooks } = opened(compose(none(), tracing('a', [])));
    const given = task();
    expect(await hooks.prepare?.(given)).toBe(given);
    expect(await hooks.onResult?.(result, trailOf(given))).toBe(result);
    expect(await hooks.onCall?.(CALL, trailOf(given))).toEqual({ kind: 'allow' });
  });

  it('stops at the first block, and hands a rewritten call on', async () => {
    const trace: string[] = [];
    const rewriting = tracing('r', trace, {
      onCall: (call) => ({ kind: 'rewrite', call: { ...call, tool: 'other' }, reason: 'r' }),
    });
    const blocking = tracing('b', trace, {
      onCall: ({ tool }) => ({ kind: 'block', reason: `no ${tool}` }),
    });
    const { hooks } = opened(compose(tracing('a', trace), blocking, rewriting));
    expect(await hooks.onCall?.(CALL, trailOf(task()))).toEqual({
      kind: 'block',
      reason: 'no other',
    });
    expect(trace).toEqual([]);
  });

  it('asks the user for a part that wants to, and blocks what they do not approve', async () => {
    const asking = tracing('q', [], { onCall: () => ({ kind: 'ask', reason: 'a sink' }) });
    const refused = opened(compose(none(), asking));
    expect(await refused.hooks.onCall?.(CALL, trailOf(task()))).toMatchObject({ kind: 'block' });
    const approved = opened(compose(none(), asking), { approve: () => Promise.resolve(true) });
    expect(await approved.hooks.onCall?.(CALL, trailOf(task()))).toEqual({ kind: 'allow' });
    expect(approved.actions.map(({ action }) => action)).toEqual(['asked']);
  });

  it('decides on batches call by call', async () => {
    const { hooks } = opened(compose(batch('1'), batch('3')));
    const calls = ['1', '2', '3'].map((id) => ({ ...CALL, id }));
    const decisions = (await hooks.onCalls?.(calls, trailOf(task()))) ?? [];
    expect(decisions.map(({ kind }) => kind)).toEqual(['block', 'allow', 'block']);
  });

  it('names the part in what is logged', async () => {
    const { hooks, actions } = opened(compose(delimit(), none()));
    await hooks.prepare?.(task());
    expect(actions[0]?.reason).toMatch(/^delimit: /);
  });
});

describe('allowlist', () => {
  it('offers and performs only the tools of the policy', async () => {
    const { hooks } = opened(allowlist());
    const prepared = await hooks.prepare?.(task());
    expect(prepared?.tools.map(({ name }) => name)).toEqual(['read_mail']);
    expect(await hooks.onCall?.(CALL, trailOf(task()))).toMatchObject({
      kind: 'block',
      message: 'The tool send_mail is not available for this task.',
    });
    const read = { ...CALL, tool: 'read_mail' };
    expect(await hooks.onCall?.(read, trailOf(task()))).toEqual({ kind: 'allow' });
  });

  it('goes by its own list first, and without any list allows what only reads', async () => {
    const listed = await opened(allowlist({ tools: ['send_mail'] })).hooks.prepare?.(task());
    expect(listed?.tools.map(({ name }) => name)).toEqual(['send_mail']);
    const { policy, ...rest } = task();
    expect(policy).toBeDefined();
    const prepared = await opened(allowlist()).hooks.prepare?.(rest);
    expect(prepared?.tools.map(({ name }) => name)).toEqual(['read_mail']);
  });
});
