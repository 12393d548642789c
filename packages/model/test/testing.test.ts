import { describe, expect, it } from 'vitest';
import {
  type Defense,
  type DefenseHooks,
  type Detector,
  randomFrom,
  type Target,
  TargetError,
} from '../src/index.js';
import {
  type ContractCheck,
  defenseContract,
  detectorContract,
  targetContract,
} from '../src/testing.js';

/** Names of the checks that fail, each with why. */
async function broken(checks: readonly ContractCheck[]): Promise<Record<string, string>> {
  const failures: Record<string, string> = {};
  for (const check of checks) {
    try {
      await check.run();
    } catch (error) {
      failures[check.name] = String(error);
    }
  }
  return failures;
}

const defense = (hooks: DefenseHooks): Defense => ({ name: 'mine', open: () => hooks });

const target = (run: Target['run']): Target => ({ name: 'mine', run });
const detector = (detect: Detector['detect']): Detector => ({ name: 'mine', detect });

describe('defenseContract', () => {
  it('holds for a defense that does nothing', async () => {
    expect(await broken(defenseContract(defense({})))).toEqual({});
  });

  it('holds for one that marks, blocks and adds', async () => {
    const careful: Defense = {
      name: 'careful',
      options: { level: 1 },
      open: ({ random }) => {
        const nonce = random();
        return {
          prepare: (task) => ({ ...task, tools: task.tools.slice(0, 1) }),
          onCall: ({ unparsed }) =>
            unparsed === undefined ? { kind: 'allow' } : { kind: 'block', reason: 'unreadable' },
          onResult: (result) => ({
            ...result,
            parts: [...result.parts, { text: `end ${nonce}`, provenance: 'system' }],
          }),
        };
      },
    };
    expect(await broken(defenseContract(careful))).toEqual({});
  });

  it.each<[string, RegExp, Defense]>([
    ['an empty name', /^has a name/, { name: ' ', open: () => ({}) }],
    [
      'changing what it was given',
      /^changes nothing in place/,
      defense({
        prepare: (task) => {
          (task as { maxSteps: number }).maxSteps = 99;
          return task;
        },
      }),
    ],
    [
      'state between trials',
      /^gives the same for the same seed/,
      (() => {
        const random = randomFrom('state');
        return defense({
          onOutput: () => ({ kind: 'rewrite', text: String(random()), reason: 'r' }),
        });
      })(),
    ],
    [
      'losing the words of the user',
      /^keeps the words/,
      defense({ prepare: (task) => ({ ...task, messages: task.messages.slice(0, 1) }) }),
    ],
    [
      'a tool of its own',
      /^invents no tool/,
      defense({
        prepare: (task) => ({
          ...task,
          tools: task.tools.map((tool) => ({ ...tool, name: `x_${tool.name}` })),
        }),
      }),
    ],
    ['too few decisions', /^decides on every call/, defense({ onCalls: () => [] })],
    [
      'answering another call',
      /^keeps a result/,
      defense({ onResult: (result) => ({ ...result, callId: 'other' }) }),
    ],
    [
      'filling a place that is not there',
      /^keeps a result/,
      defense({
        onResult: (result) => ({
          ...result,
          parts: [{ text: 'x', provenance: 'environment', leaf: 99 }],
        }),
      }),
    ],
    [
      'failing on an odd text',
      /^answers odd/,
      defense({
        onOutput: (text) => {
          if (text === '') throw new Error('empty');
          return { kind: 'pass' };
        },
      }),
    ],
    [
      'needing a message',
      /^copes with a task/,
      defense({
        prepare: (task) => {
          if (task.messages.length === 0) throw new Error('no message');
          return task;
        },
      }),
    ],
  ])('catches %s', async (_name, check, mine) => {
    const failures = Object.keys(await broken(defenseContract(mine)));
    expect(failures.some((name) => check.test(name))).toBe(true);
  });
});

describe('targetContract', () => {
  it('holds for a target that calls a tool and answers, and for one whose provider is down', async () => {
    const answering = target(async (_task, session, options) => {
      options?.signal?.throwIfAborted();
      await session.call({ id: 'a', tool: 'read_mail', args: { id: 'm2' } });
      return { text: 'done', stop: 'done' };
    });
    const down = target(() => Promise.reject(new TargetError('network', 'down')));
    expect(await broken(targetContract(answering))).toEqual({});
    expect(await broken(targetContract(down))).toEqual({});
  });

  it.each<[string, RegExp, Target['run']]>([
    ['another error than a TargetError', /^answers a task/, () => Promise.reject(new Error('raw'))],
    [
      'one id for two calls',
      /^proposes calls/,
      async (_task, session) => {
        await session.call({ id: 'a', tool: 'read_mail', args: {} });
        await session.call({ id: 'a', tool: 'read_mail', args: {} });
        return { text: '', stop: 'done' };
      },
    ],
    [
      'asking on and on',
      /^gives up/,
      async (_task, session) => {
        for (let count = 0; count < 30; count += 1) {
          await session.call({ id: String(count), tool: 'x', args: {} }).catch(() => {});
        }
        return { text: '', stop: 'done' };
      },
    ],
    ['going on when it is cancelled', /^ends when it is cancelled/, () => new Promise(() => {})],
  ])('catches %s', async (_name, check, run) => {
    const checks = targetContract(target(run)).filter(({ name }) => check.test(name));
    expect(Object.keys(await broken(checks))).toHaveLength(1);
  });
});

describe('detectorContract', () => {
  it('holds for a word list', async () => {
    const words = detector((text) => {
      const start = text.indexOf('ignore');
      return start < 0
        ? { verdict: 'benign', score: 0, findings: [] }
        : {
            verdict: 'suspicious',
            score: 40,
            findings: [{ id: 'W-1', title: 'ignore', span: { start, end: start + 6 } }],
          };
    });
    expect(await broken(detectorContract(words))).toEqual({});
  });

  it.each<[string, Detector['detect']]>([
    ['a score over 100', () => ({ verdict: 'benign', score: 120, findings: [] })],
    [
      'a span outside of the text',
      (text) => ({
        verdict: 'benign',
        score: 0,
        findings: [{ id: 'a', title: 'a', span: { start: 0, end: text.length + 1 } }],
      }),
    ],
  ])('catches %s', async (_name, detect) => {
    expect(Object.keys(await broken(detectorContract(detector(detect))))).not.toEqual([]);
  });

  it('catches alarm over nothing, and chance', async () => {
    const random = randomFrom('chance');
    const noisy = detector(() => ({ verdict: 'malicious', score: random() * 100, findings: [] }));
    expect(Object.keys(await broken(detectorContract(noisy)))).toEqual([
      'finds nothing in an empty text',
      'gives the same for the same text',
    ]);
  });
});
