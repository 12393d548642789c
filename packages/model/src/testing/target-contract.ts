import type { Session, Target, ToolCall, ToolResult } from '../contracts.js';
import { TargetError } from '../errors.js';
import { canonicalJson } from '../json.js';
import { type ContractCheck, ensure, sampleResult, sampleTask } from './sample.js';

interface Recorded {
  readonly session: Session;
  readonly calls: ToolCall[];
}

function recordingSession(): Recorded {
  const calls: ToolCall[] = [];
  const answer = (call: ToolCall): ToolResult => {
    calls.push(call);
    return { ...sampleResult(), callId: call.id, tool: call.tool };
  };
  return {
    calls,
    session: {
      call: (call) => Promise.resolve(answer(call)),
      callAll: (list) => Promise.resolve(list.map(answer)),
      beforeModel: (messages) => Promise.resolve(messages),
      afterModel: (reply) => Promise.resolve(reply),
    },
  };
}

async function settled<T>(work: Promise<T>): Promise<T | TargetError> {
  try {
    return await work;
  } catch (error) {
    if (TargetError.is(error)) return error;
    throw new Error('it failed with something other than a TargetError', { cause: error });
  }
}

/**
 * What the harness relies on in any target. A failure of its provider is allowed, as a `TargetError`; the target is run a few times, so
 * give it a fake or a local endpoint.
 */
export function targetContract(target: Target): readonly ContractCheck[] {
  return [
    {
      name: 'has a name, and options that are JSON',
      async run() {
        ensure(target.name.trim() !== '', 'the name is empty');
        canonicalJson(target.options ?? {});
      },
    },
    {
      name: 'answers a task with a text and a reason to stop, or fails with a TargetError',
      async run() {
        const result = await settled(target.run(sampleTask(), recordingSession().session));
        if (TargetError.is(result)) return;
        ensure(typeof result.text === 'string', 'the answer has no text');
        ensure(
          ['done', 'max_steps', 'blocked', 'halted'].includes(result.stop),
          `"${result.stop}" is no reason to stop`,
        );
      },
    },
    {
      name: 'proposes calls that have an id each, a tool and arguments',
      async run() {
        const { session, calls } = recordingSession();
        await settled(target.run(sampleTask(), session));
        const ids = new Set(calls.map(({ id }) => id));
        ensure(ids.size === calls.length, 'two calls have the same id');
        for (const call of calls) {
          ensure(call.id !== '' && typeof call.tool === 'string', 'a call lacks id or tool');
          canonicalJson(call.args);
        }
      },
    },
    {
      name: 'gives up when the session performs nothing more',
      async run() {
        let asked = 0;
        const refuse = (): Promise<never> => {
          asked += 1;
          return Promise.reject(new TargetError('aborted', 'the trial is over'));
        };
        const { session } = recordingSession();
        const closed: Session = { ...session, call: refuse, callAll: refuse };
        await settled(target.run(sampleTask(), closed));
        ensure(asked <= 20, `it asked ${asked} times after the trial was over`);
      },
    },
    {
      name: 'ends when it is cancelled before it begins',
      async run() {
        const { session } = recordingSession();
        const options = { signal: AbortSignal.abort() };
        // Any end will do, the signal's own error too.
        const run = target.run(sampleTask(), session, options).then(
          () => true,
          () => true,
        );
        ensure(
          await Promise.race([run, pause(1000)]),
          'it goes on although the signal was aborted',
        );
      },
    },
  ];
}

function pause(milliseconds: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => {
      resolve(false);
    }, milliseconds);
  });
}
