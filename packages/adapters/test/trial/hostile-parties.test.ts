import {
  applyCall,
  type Decision,
  type JsonObject,
  type Session,
  type Target,
  type TargetResult,
  type ToolCall,
} from '@pab/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { mailCase } from '../fixture/mail-case.js';
import { callsOf, defenseOf, toolsCalled, trial } from '../fixture/trial.js';

function target(run: (session: Session) => Promise<unknown>): Target {
  return { name: 'theirs', run: async (_task, session) => (await run(session)) as TargetResult };
}

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

describe('a target that somebody else wrote', () => {
  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /answered with nothing/],
    ['a bare text', 'hello', /answered with nothing/],
    ['no text', { stop: 'done' }, /has no text/],
    ['a reason to stop of its own', { text: 'x', stop: 'tired' }, /stops with none of/],
  ])('may answer with %s: an error of the trial', async (_name, answer, message) => {
    const transcript = await trial(
      mailCase(),
      target(() => Promise.resolve(answer)),
    );
    expect(transcript.stop).toBe('error');
    expect(transcript.error?.code).toBe('malformed-response');
    expect(transcript.error?.message).toMatch(message);
  });

  it.each<[string, unknown]>([
    ['without an id', { tool: 'list_mail', args: {} }],
    ['that is null', null],
    ['with a cycle', { id: 'a', tool: 'list_mail', args: cyclic }],
    ['with a list for arguments', { id: 'a', tool: 'list_mail', args: [] }],
  ])('may make a call %s: an error of the trial', async (_name, call) => {
    const transcript = await trial(
      mailCase(),
      target(async (session) => {
        await session.call(call as ToolCall);
        return { text: 'ok', stop: 'done' };
      }),
    );
    expect(transcript.error?.code).toBe('malformed-response');
    expect(callsOf(transcript)).toEqual([]);
  });

  it('may not make a thousand calls at once', async () => {
    const transcript = await trial(
      mailCase(),
      target(async (session) => {
        await session.callAll(
          Array.from({ length: 1000 }, (_value, index) => ({
            id: String(index),
            tool: 'list_mail',
            args: {},
          })),
        );
        return { text: 'ok', stop: 'done' };
      }),
    );
    expect(transcript.error?.message).toBe('there are more than 128 calls at once');
  });

  it('cannot change a call after it was made, nor pollute a prototype with one', async () => {
    const args = JSON.parse('{"id":"m1","__proto__":{"polluted":true}}') as Record<string, string>;
    const transcript = await trial(
      mailCase(),
      target(async (session) => {
        await session.call({ id: 'a', tool: 'read_mail', args });
        args['id'] = 'm2';
        return { text: 'ok', stop: 'done' };
      }),
    );
    expect(callsOf(transcript)[0]?.proposed.args['id']).toBe('m1');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('may say what it likes about its usage', async () => {
    const transcript = await trial(
      mailCase(),
      target(() =>
        Promise.resolve({
          text: 'ok',
          stop: 'done',
          usage: { modelCalls: Number.NaN, inputTokens: -5, outputTokens: 'many' },
          modelId: 7,
          messages: ['x'],
        }),
      ),
    );
    expect(transcript.stop).toBe('done');
    expect(transcript.usage).toEqual({ modelCalls: 0, inputTokens: 0, outputTokens: 0 });
  });

  it('may send calls at the same time: they are performed one after the other', async () => {
    const transcript = await trial(
      mailCase(),
      target(async (session) => {
        await Promise.all(
          ['a', 'b', 'c'].map((text) =>
            session.call({ id: text, tool: 'add_note', args: { text } }),
          ),
        );
        return { text: 'ok', stop: 'done' };
      }),
    );
    expect(callsOf(transcript).map(({ raw }) => raw?.parts[0]?.source)).toEqual([
      'add_note#1/text',
      'add_note#2/text',
      'add_note#3/text',
    ]);
  });
});

describe('a defense that somebody else wrote', () => {
  const reading = target(async (session) => {
    await session.call({ id: 'a', tool: 'list_mail', args: {} });
    return { text: 'ok', stop: 'done' };
  });

  it('may give no decision: its error', async () => {
    const odd = { kind: 'maybe' } as unknown as Decision;
    const transcript = await trial(mailCase(), reading, defenseOf({ onCall: () => odd }));
    expect(transcript.error).toEqual({
      code: 'defense-failed',
      message: 'onCall gave no decision',
    });
  });
});

describe('every transcript', () => {
  const args = fc.oneof(
    fc.constant<JsonObject>({}),
    fc.record({ id: fc.constantFrom('m1', 'm2', 'm3') }),
    fc.record({ text: fc.string() }),
    fc.record({ to: fc.string(), body: fc.string() }),
    fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<string>),
  );
  const tool = fc.constantFrom('list_mail', 'read_mail', 'add_note', 'send_mail', 'none', '');
  const batches = fc.array(fc.array(fc.record({ tool, args }), { maxLength: 3 }), { maxLength: 5 });

  it('can be performed again from its calls, and replayed to the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (plan) => {
        const theCase = mailCase();
        const first = await trial(
          theCase,
          target(async (session) => {
            let count = 0;
            for (const batch of plan) {
              await session.callAll(
                batch.map((call) => {
                  count += 1;
                  return { id: `c${count}`, ...call };
                }),
              );
            }
            return { text: 'ok', stop: 'done' };
          }),
        );
        let { world } = theCase;
        for (const [index, { effective, raw }] of callsOf(first).entries()) {
          const applied = applyCall(world, effective ?? { id: '', tool: '', args: {} }, index + 1);
          expect(applied.result).toEqual(raw);
          ({ world } = applied);
        }
        const again = await trial(
          theCase,
          replay(() => Promise.resolve(first)),
        );
        expect(JSON.stringify(again.entries)).toBe(JSON.stringify(first.entries));
        expect(again.finalState).toBe(first.finalState);
        expect(toolsCalled(again)).toEqual(plan.flat().map((call) => call.tool));
      }),
      { numRuns: 60 },
    );
  });
});
