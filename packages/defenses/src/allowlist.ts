import type { Defense, JsonObject, Task } from '@pab/model';
import { readOptions } from './options.js';

function allowedBy(task: Task, listed: readonly string[] | undefined): ReadonlySet<string> {
  const names = listed ?? task.policy?.tools;
  if (names !== undefined) return new Set(names);
  // An operator who lists nothing has allowed nothing that could do harm.
  return new Set(task.tools.filter(({ effect }) => effect === 'read').map(({ name }) => name));
}

/**
 * Offers only the tools that the operator lists for the task, and blocks calls of all others. The list is the option `tools`, else
 * the task's policy; without either, tools that only read.
 */
export function allowlist(options: JsonObject = {}): Defense {
  const { tools: listed } = readOptions('allowlist', options, { tools: { kind: 'list' } });
  return {
    name: 'allowlist',
    ...(listed === undefined ? {} : { options: { tools: listed } }),
    open: () => {
      let names: ReadonlySet<string> | undefined;
      return {
        prepare(task) {
          const allowed = allowedBy(task, listed);
          names = allowed;
          return task.tools.every(({ name }) => allowed.has(name))
            ? task
            : { ...task, tools: task.tools.filter(({ name }) => allowed.has(name)) };
        },
        onCall({ tool }, { task }) {
          names ??= allowedBy(task, listed);
          if (names.has(tool)) return { kind: 'allow' };
          return {
            kind: 'block',
            reason: 'the tool is not on the list of this task',
            message: `The tool ${tool.slice(0, 80)} is not available for this task.`,
          };
        },
      };
    },
  };
}
