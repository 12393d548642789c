import { deepEqual, type Plan, type PlanStep, type TargetResult, type ToolCall } from '@pab/model';
import type { HarnessAccess, RunTurn } from '../harness.js';

/** Whether two steps do or say the same; what the plans note beside that does not matter. */
function sameStep(a: PlanStep, b: PlanStep): boolean {
  if ('call' in a) return 'call' in b && a.call === b.call && deepEqual(a.args, b.args);
  return 'say' in b && a.say === b.say;
}

/** How many steps two plans have in common from the beginning. */
export function commonPrefix(a: Plan, b: Plan): number {
  let length = 0;
  for (const [index, step] of a.entries()) {
    const other = b[index];
    if (other === undefined || !sameStep(step, other)) break;
    length += 1;
  }
  return length;
}

/**
 * Follows a plan, a turn at a time: calls until the next `say`, which closes the turn. A call that is blocked or fails is no reason to
 * stop. `planAt` gives the plan for a step; it is asked before each one, after the target has seen what it would then see.
 */
export function planRunner(access: HarnessAccess, planAt: (step: number) => Plan): RunTurn {
  let at = 0;
  return async (_task, session, options): Promise<TargetResult> => {
    for (;;) {
      options?.signal?.throwIfAborted();
      if (access.modelHooks) await session.beforeModel(access.messages());
      const step = planAt(at)[at];
      at += 1;
      const call: ToolCall | undefined =
        step !== undefined && 'call' in step
          ? { id: `call-${at}`, tool: step.call, args: step.args }
          : undefined;
      let text = step !== undefined && 'say' in step ? step.say : '';
      let calls = call === undefined ? [] : [call];
      if (access.modelHooks) {
        const reply = await session.afterModel({
          text,
          calls,
          stop: call === undefined ? 'done' : 'calls',
        });
        text = reply.text;
        calls = [...reply.calls];
      }
      if (call === undefined) return { text, stop: 'done' };
      if (calls.length > 0) await session.callAll(calls);
    }
  };
}
