import type {
  ChatReply,
  Decision,
  Defense,
  DefenseContext,
  DefenseHooks,
  Message,
  OutputDecision,
  Task,
  Trail,
} from '../contracts.js';
import { canonicalJson } from '../json.js';
import { randomFrom } from '../random.js';
import { renderResult } from '../world/render.js';
import {
  CALLS,
  type ContractCheck,
  ensure,
  freeze,
  ODD_TEXTS,
  sampleResult,
  sampleTask,
} from './sample.js';

const ALLOW: Decision = { kind: 'allow' };

interface Opened {
  readonly hooks: DefenseHooks;
  readonly task: Task;
  readonly trail: Trail;
}

async function open(defense: Defense, change: Partial<DefenseContext> = {}): Promise<Opened> {
  const hooks = defense.open({
    random: randomFrom('contract'),
    log: () => {},
    approve: () => Promise.resolve(false),
    model: {
      name: 'contract',
      reply: () => Promise.resolve({ text: 'none', calls: [], stop: 'done' }),
    },
    ...change,
  });
  const task = (await hooks.prepare?.(sampleTask())) ?? sampleTask();
  return { hooks, task, trail: { task, messages: task.messages, calls: [] } };
}

const decided = (decision: Decision): boolean =>
  ['allow', 'rewrite', 'block', 'ask'].includes(decision.kind) &&
  (decision.kind !== 'rewrite' || typeof decision.call.tool === 'string');

const outputDecided = (decision: OutputDecision): boolean =>
  ['pass', 'rewrite', 'block'].includes(decision.kind) &&
  (decision.kind !== 'rewrite' || typeof decision.text === 'string');

function keptWords(before: readonly Message[], after: readonly Message[]): boolean {
  const text = after.flatMap(({ parts }) => parts.map((item) => item.text)).join('\n');
  return before
    .flatMap(({ parts }) => [...parts])
    .every((item) => item.provenance === 'environment' || text.includes(item.text));
}

/** What every hook makes of the same things, for comparison. */
async function everything(defense: Defense): Promise<string> {
  const { hooks, task, trail } = await open(defense);
  const reply: ChatReply = { text: 'done', calls: [], stop: 'done' };
  return canonicalJson([
    task,
    await hooks.beforeModel?.(task.messages, trail),
    await hooks.afterModel?.(reply, trail),
    await hooks.onCalls?.(CALLS, trail),
    await Promise.all(CALLS.map(async (call) => hooks.onCall?.(call, trail))),
    await hooks.onResult?.(sampleResult(), trail),
    await hooks.onOutput?.('done', trail),
  ]);
}

/**
 * What the harness relies on in any defense. Run each check in the test framework of your choice.
 *
 * @example
 * for (const check of defenseContract(myDefense)) it(check.name, () => check.run());
 */
export function defenseContract(defense: Defense): readonly ContractCheck[] {
  return [
    {
      name: 'has a name, and options that are JSON',
      async run() {
        ensure(defense.name.trim() !== '', 'the name is empty');
        const copy: unknown = JSON.parse(JSON.stringify(defense.options ?? {}));
        ensure(
          canonicalJson(copy) === canonicalJson(defense.options ?? {}),
          'the options do not survive JSON',
        );
      },
    },
    {
      name: 'changes nothing in place',
      async run() {
        // Everything that is given is frozen: a change throws.
        await everything(defense);
      },
    },
    {
      name: 'gives the same for the same seed, and keeps nothing from one trial to the next',
      async run() {
        const first = await everything(defense);
        const second = await everything(defense);
        ensure(first === second, 'two trials with the same random source came out differently');
      },
    },
    {
      name: 'keeps the words of operator, user and model',
      async run() {
        const { hooks, task, trail } = await open(defense);
        const given = sampleTask().messages;
        ensure(keptWords(given, task.messages), 'prepare lost words that are not from outside');
        const request = (await hooks.beforeModel?.(task.messages, trail)) ?? task.messages;
        ensure(keptWords(given, request), 'beforeModel lost words that are not from outside');
      },
    },
    {
      name: 'invents no tool',
      async run() {
        const { task } = await open(defense);
        const names = new Set(sampleTask().tools.map(({ name }) => name));
        for (const { name } of task.tools) ensure(names.has(name), `there is no tool ${name}`);
      },
    },
    {
      name: 'decides on every call, known or not, readable or not',
      async run() {
        const { hooks, trail } = await open(defense);
        for (const call of CALLS) {
          const decision = (await hooks.onCall?.(call, trail)) ?? { kind: 'allow' };
          ensure(decided(decision), `onCall gave no decision for ${call.id}`);
        }
        const decisions = (await hooks.onCalls?.(CALLS, trail)) ?? CALLS.map(() => ALLOW);
        ensure(decisions.length === CALLS.length, 'onCalls must give one decision a call');
        ensure(decisions.every(decided), 'onCalls gave something that is no decision');
        ensure(((await hooks.onCalls?.([], trail)) ?? []).length === 0, 'no call, no decision');
      },
    },
    {
      name: 'keeps a result what it was: its call, its tool, its values in their places',
      async run() {
        const { hooks, trail } = await open(defense);
        const given = sampleResult();
        const seen = (await hooks.onResult?.(given, trail)) ?? given;
        ensure(seen.callId === given.callId && seen.tool === given.tool, 'it answers another call');
        const leaves = new Set(given.parts.map(({ leaf }) => leaf));
        ensure(
          seen.parts.every(({ leaf }) => leaf === undefined || leaves.has(leaf)),
          'a part fills a place that the result does not have',
        );
        ensure(typeof renderResult(seen) === 'string', 'it cannot be rendered');
      },
    },
    {
      name: 'answers odd and long texts without failing',
      async run() {
        for (const text of ODD_TEXTS) {
          const { hooks, trail } = await open(defense);
          const seen = await hooks.onResult?.(sampleResult(text), trail);
          if (seen !== undefined) renderResult(seen);
          const output = (await hooks.onOutput?.(text, trail)) ?? { kind: 'pass' };
          ensure(outputDecided(output), 'onOutput gave no decision');
          await hooks.halt?.(trail);
        }
      },
    },
    {
      name: 'copes with a task that has no message, no tool and no policy',
      async run() {
        const { hooks } = await open(defense);
        const empty: Task = freeze({ messages: [], tools: [], maxSteps: 1 });
        const task = (await hooks.prepare?.(empty)) ?? empty;
        ensure(task.tools.length === 0, 'a tool was invented');
        await hooks.beforeModel?.(task.messages, { task, messages: task.messages, calls: [] });
      },
    },
  ];
}
