import type { Decision, DefenseContext, ToolCall } from '@pab/model';

/** Carries out what a defense decided about a call: the call to perform, or what the target is told instead. */
export async function settleDecision(
  hook: 'onCall' | 'onCalls',
  call: ToolCall,
  decision: Decision,
  { approve, log }: Pick<DefenseContext, 'approve' | 'log'>,
): Promise<ToolCall | string> {
  switch (decision.kind) {
    case 'allow':
      return call;
    case 'rewrite':
      log({ hook, action: 'rewritten', reason: decision.reason });
      return decision.call;
    case 'block':
      log({ hook, action: 'blocked', reason: decision.reason });
      return decision.message ?? `This call was blocked: ${decision.reason}`;
    case 'ask':
      log({ hook, action: 'asked', reason: decision.reason });
      if (await approve(call)) return call;
      log({ hook: 'approve', action: 'blocked', reason: 'the user did not approve' });
      return 'This call was blocked: the user did not approve it.';
    default:
      decision satisfies never;
      throw new Error(`${hook} gave no decision`);
  }
}
