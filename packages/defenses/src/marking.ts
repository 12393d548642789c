import type { Defense, DefenseContext, DefenseHooks, JsonObject } from '@pab/model';
import { announce, type Treatment, treatResult, treatTask } from './untrusted.js';

/** How a defense marks text from outside in one trial, and how it tells the model. */
export interface Marking {
  readonly treatment: Treatment;
  readonly announcement: string;
}

/** A defense that marks all text from outside and announces the marks in the operator's prompt. */
export function markingDefense(
  name: string,
  options: JsonObject,
  open: (context: DefenseContext) => Marking,
): Defense {
  return {
    name,
    ...(Object.keys(options).length === 0 ? {} : { options }),
    open(context): DefenseHooks {
      const { treatment, announcement } = open(context);
      return {
        prepare(task) {
          context.log({
            hook: 'prepare',
            action: 'announced',
            reason: 'the operator prompt says how text from outside is marked',
          });
          return announce(treatTask(task, treatment), announcement);
        },
        onResult: (result) => treatResult(result, treatment),
      };
    },
  };
}
