import type { Defense } from '@pab/model';
import { chooseTools, needsModel } from './tool-choice.js';

/**
 * Lets a model pick the tools that the request needs, before anything from outside is read, and offers only those. Needs the
 * run's model.
 */
export function toolFilter(): Defense {
  return {
    name: 'tool-filter',
    open: ({ model, signal, log }) => {
      let names: ReadonlySet<string> = new Set();
      return {
        async prepare(task) {
          const chosen = await chooseTools(needsModel('tool-filter', model), task, signal);
          names = chosen;
          const tools = task.tools.filter(({ name }) => chosen.has(name));
          if (tools.length === task.tools.length) return task;
          log({
            hook: 'prepare',
            action: 'rewritten',
            reason: `offered: ${[...chosen].toSorted().join(', ') || 'no tool'}`,
          });
          return { ...task, tools };
        },
        onCall: ({ tool }) =>
          names.has(tool)
            ? { kind: 'allow' }
            : {
                kind: 'block',
                reason: 'the tool was not picked for this request',
                message: `The tool ${tool.slice(0, 80)} is not available for this request.`,
              },
      };
    },
  };
}
