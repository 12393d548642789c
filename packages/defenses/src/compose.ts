import type {
  Decision,
  Defense,
  DefenseContext,
  DefenseHooks,
  Task,
  ToolCall,
  ToolResult,
} from '@pab/model';

/**
 * Puts defenses around each other; the first is the outermost. What goes in (prompt, messages, results) passes from the first to
 * the last; what comes out (replies, calls, output) passes from the last to the first. So a detector stands before what would
 * disguise text: `badger+spotlight`, not the other way round.
 */
export function compose(...defenses: readonly Defense[]): Defense {
  const [only] = defenses;
  if (defenses.length === 1 && only !== undefined) return only;
  const options = defenses.flatMap(({ name, options: own }) =>
    own === undefined ? [] : [[name, own] as const],
  );
  return {
    name: defenses.length === 0 ? 'none' : defenses.map(({ name }) => name).join('+'),
    ...(options.length === 0 ? {} : { options: Object.fromEntries(options) }),
    open(context) {
      const hooks = defenses.map((defense) =>
        defense.open({
          ...context,
          log: (action) => {
            context.log({ ...action, reason: `${defense.name}: ${action.reason}` });
          },
        }),
      );
      return composeHooks(hooks, context);
    },
  };
}

type Settled = { readonly call: ToolCall } | { readonly blocked: Decision };

/** Carries a decision out as far as the next defense must know: the call that is left, or the block. */
async function settle(
  call: ToolCall,
  decision: Decision,
  { approve, log }: DefenseContext,
): Promise<Settled> {
  switch (decision.kind) {
    case 'allow':
      return { call };
    case 'rewrite':
      return { call: decision.call };
    case 'block':
      return { blocked: decision };
    case 'ask':
      log({ hook: 'approve', action: 'asked', reason: decision.reason });
      if (await approve(call)) return { call };
      return {
        blocked: {
          kind: 'block',
          reason: `the user did not approve: ${decision.reason}`,
          message: 'This call was blocked: the user did not approve it.',
        },
      };
    default:
      return decision satisfies never;
  }
}

function decide(original: ToolCall, settled: Settled): Decision {
  if ('blocked' in settled) return settled.blocked;
  return settled.call === original
    ? { kind: 'allow' }
    : { kind: 'rewrite', call: settled.call, reason: 'rewritten by a defense' };
}

/** Only the hooks that some defense has: a hook that is there costs something, and says that it is needed. */
function composeHooks(inward: readonly DefenseHooks[], context: DefenseContext): DefenseHooks {
  const outward = inward.toReversed();
  const has = (hook: keyof DefenseHooks): boolean =>
    inward.some((hooks) => hooks[hook] !== undefined);
  const all: Required<DefenseHooks> = {
    async prepare(task) {
      let current: Task = task;
      for (const hooks of inward) current = (await hooks.prepare?.(current)) ?? current;
      return current;
    },
    async beforeModel(messages, trail) {
      let current = messages;
      for (const hooks of inward) current = (await hooks.beforeModel?.(current, trail)) ?? current;
      return current;
    },
    async afterModel(reply, trail) {
      let current = reply;
      for (const hooks of outward) current = (await hooks.afterModel?.(current, trail)) ?? current;
      return current;
    },
    async onCall(call, trail) {
      let settled: Settled = { call };
      for (const hooks of outward) {
        if ('blocked' in settled) break;
        const decision = await hooks.onCall?.(settled.call, trail);
        if (decision !== undefined) settled = await settle(settled.call, decision, context);
      }
      return decide(call, settled);
    },
    async onCalls(calls, trail) {
      const settled: Settled[] = calls.map((call) => ({ call }));
      for (const hooks of outward) {
        if (hooks.onCalls === undefined) continue;
        const open = settled.flatMap((state, index) =>
          'call' in state ? [{ index, call: state.call }] : [],
        );
        const decisions = await hooks.onCalls(
          open.map(({ call }) => call),
          trail,
        );
        for (const [position, { index, call }] of open.entries()) {
          const decision = decisions[position] ?? { kind: 'allow' };
          settled[index] = await settle(call, decision, context);
        }
      }
      return calls.map((call, index) => decide(call, settled[index] ?? { call }));
    },
    async onResult(result, trail) {
      let current: ToolResult = result;
      for (const hooks of inward) current = (await hooks.onResult?.(current, trail)) ?? current;
      return current;
    },
    async onOutput(text, trail) {
      let current = text;
      const reasons: string[] = [];
      for (const hooks of outward) {
        const decision = await hooks.onOutput?.(current, trail);
        if (decision?.kind === 'block') return decision;
        if (decision?.kind === 'rewrite') {
          current = decision.text;
          reasons.push(decision.reason);
        }
      }
      return reasons.length === 0
        ? { kind: 'pass' }
        : { kind: 'rewrite', text: current, reason: reasons.join('; ') };
    },
    async halt(trail) {
      for (const hooks of inward) {
        const reason = await hooks.halt?.(trail);
        if (reason !== undefined) return reason;
      }
      return undefined;
    },
  };
  const composed: DefenseHooks = {};
  return Object.assign(
    composed,
    Object.fromEntries(Object.entries(all).filter(([hook]) => has(hook as keyof DefenseHooks))),
  );
}
