import type { Defense, JsonObject, ToolResult } from '@pab/model';
import { readOptions } from './options.js';
import { ordersTheModel, sentencesOf } from './suspicion.js';
import { treatResult, treatTask } from './untrusted.js';

const REMOVED = '[removed]';

/** Takes the sentences out that read as orders to a model. Neighbours become one gap. */
function strip(text: string, mask: string): string {
  let kept = '';
  let masked = false;
  for (const range of sentencesOf(text)) {
    const sentence = text.slice(range.start, range.end);
    if (sentence.trim() === '' || !ordersTheModel(sentence)) {
      kept += sentence;
      masked &&= sentence.trim() === '';
      continue;
    }
    const begin = /^\s*/.exec(sentence)?.[0] ?? '';
    const end = sentence.endsWith('\n') ? '\n' : '';
    if (!masked) kept += begin + mask + end;
    else if (!kept.endsWith('\n')) kept += end;
    masked = true;
  }
  return kept;
}

/**
 * Removes sentences that give orders to a model from all text from outside. `action` is `mask` (default: a note stands
 * in their place) or `drop`. The built-in list of signs is English and small: it shows what such a list buys, and what it breaks.
 */
export function filter(options: JsonObject = {}): Defense {
  const { action } = readOptions('filter', options, {
    action: { kind: 'choice', values: ['mask', 'drop'], fallback: 'mask' },
  });
  const treatment = { text: (text: string) => strip(text, action === 'mask' ? REMOVED : '') };
  return {
    name: 'filter',
    options: { action },
    open: ({ log }) => ({
      prepare(task) {
        const treated = treatTask(task, treatment);
        if (treated !== task) {
          log({ hook: 'prepare', action: 'redacted', reason: 'orders to the model in the prompt' });
        }
        return treated;
      },
      onResult(result): ToolResult {
        const treated = treatResult(result, treatment);
        if (treated !== result) {
          log({ hook: 'onResult', action: 'redacted', reason: 'orders to the model in a result' });
        }
        return treated;
      },
    }),
  };
}
