import type { Session, Target } from '@pab/model';

const MINUTE = 60_000;

/**
 * The same target, with its model calls spread so that at most `perMinute` begin in a minute, over all trials together. Only targets whose
 * model calls pass through the session can be limited; a black-box agent's are its own.
 */
export function limitRate(target: Target, perMinute: number, elapsed: () => number): Target {
  const gap = MINUTE / perMinute;
  let next = 0;
  const turn = async (signal: AbortSignal | undefined): Promise<void> => {
    const now = elapsed();
    const at = Math.max(now, next);
    next = at + gap;
    if (at <= now) return;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, at - now);
      signal?.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          done();
        },
        { once: true },
      );
    });
  };
  return {
    ...target,
    run: (task, session, options) => {
      const limited: Session = {
        call: (call) => session.call(call),
        callAll: (calls) => session.callAll(calls),
        beforeModel: async (messages) => {
          await turn(options?.signal);
          return session.beforeModel(messages);
        },
        afterModel: (reply) => session.afterModel(reply),
      };
      return target.run(task, limited, options);
    },
  };
}
