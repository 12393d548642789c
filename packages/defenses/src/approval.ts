import type { Defense, JsonObject } from '@pab/model';
import { readOptions } from './options.js';

/**
 * Asks the user before a call that does something. `effects`: `write` asks for everything but reads (default), `sink` only for what leaves. The
 * simulated user approves what the scenario says they would: by default the calls that the task needs.
 */
export function approval(options: JsonObject = {}): Defense {
  const { effects } = readOptions('approval', options, {
    effects: { kind: 'choice', values: ['write', 'sink'], fallback: 'write' },
  });
  return {
    name: 'approval',
    options: { effects },
    open: () => ({
      onCall({ tool }, { task }) {
        const effect = task.tools.find(({ name }) => name === tool)?.effect;
        // A tool that is not offered does nothing; the world answers with an error.
        const asks = effect === 'sink' || (effect === 'write' && effects === 'write');
        return asks
          ? { kind: 'ask', reason: `the call has the effect ${effect}` }
          : { kind: 'allow' };
      },
    }),
  };
}
