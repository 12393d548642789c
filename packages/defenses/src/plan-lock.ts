import type { Defense, JsonObject, Task } from '@pab/model';
import { readOptions } from './options.js';
import { chooseTools, needsModel } from './tool-choice.js';
import { isUntrusted } from './untrusted.js';

function readsOutside({ messages, tools }: Task): boolean {
  return (
    messages.some(({ parts }) => parts.some(isUntrusted)) ||
    tools.some(
      ({ description, untrustedSchema }) =>
        untrustedSchema === true || description.some(isUntrusted),
    )
  );
}

/**
 * Fixes the tools of a turn before text from outside is read, and keeps to them from the first such text on. Until then every call is the
 * plan of a clean context. `plan`: `policy` takes the operator's list (default), `model` asks the run's model. Without a list,
 * tools that only read.
 */
export function planLock(options: JsonObject = {}): Defense {
  const { plan } = readOptions('plan-lock', options, {
    plan: { kind: 'choice', values: ['policy', 'model'], fallback: 'policy' },
  });
  return {
    name: 'plan-lock',
    options: { plan },
    open: ({ model, signal, log }) => {
      let planned: ReadonlySet<string> = new Set();
      let locked = false;
      return {
        async prepare(task) {
          if (plan === 'model') {
            planned = await chooseTools(needsModel('plan-lock', model), task, signal);
          } else {
            const reads = task.tools.filter(({ effect }) => effect === 'read');
            planned = new Set(task.policy?.tools ?? reads.map(({ name }) => name));
          }
          locked ||= readsOutside(task);
          log({
            hook: 'prepare',
            action: 'flagged',
            reason: `planned: ${[...planned].toSorted().join(', ') || 'no tool'}`,
          });
          return task;
        },
        onCall: ({ tool }) =>
          !locked || planned.has(tool)
            ? { kind: 'allow' }
            : {
                kind: 'block',
                reason: 'the tool is not in the plan, and text from outside has been read',
                message: `The tool ${tool.slice(0, 80)} is not part of the plan for this request.`,
              },
        onResult(result) {
          locked ||= result.parts.some(isUntrusted);
          return result;
        },
      };
    },
  };
}
