import type { JsonObject, Target, Task } from '@pab/model';

/** What a wrapped callable answers: its text, and calls that it wants performed first. */
export interface Answer {
  readonly text: string;
  readonly calls?: readonly { readonly tool: string; readonly args?: JsonObject }[];
  /** The provider refused to answer. Default false. */
  readonly blocked?: boolean;
}

/**
 * Makes a target of any callable that answers a task at once, with a text and the calls that it proposes. It does not see their results; an
 * agent that must is a `Target` of its own or a `chatTarget`.
 *
 * @example
 * const target = targetFrom(async (task) => ({ text: await myAgent(task), calls: [] }));
 */
export function targetFrom(
  answer: (task: Task, options: { readonly signal?: AbortSignal }) => Promise<Answer>,
  { name = 'function' }: { readonly name?: string } = {},
): Target {
  return {
    name,
    async run(task, session, options = {}) {
      const { text, calls = [], blocked = false } = await answer(task, options);
      if (blocked) return { text, stop: 'blocked' };
      if (calls.length > 0) {
        await session.callAll(
          calls.map(({ tool, args = {} }, index) => ({ id: `call-${index + 1}`, tool, args })),
        );
      }
      return { text, stop: 'done' };
    },
  };
}
