import type { Defense, Detector, JsonObject } from '@pab/model';
import { LEVEL, needsDetector } from './badger.js';
import { counts, idsOf, maskSpans } from './inspection.js';
import { readOptions } from './options.js';

/** Runs a detector over what the user would receive. `action`: `block` the reply (default) or `mask` what was found. */
export function outputGuard(
  options: JsonObject,
  { detector: given }: { readonly detector?: Detector | undefined },
): Defense {
  const { action, level } = readOptions('output-guard', options, {
    action: { kind: 'choice', values: ['block', 'mask'], fallback: 'block' },
    level: LEVEL,
  });
  const detector = needsDetector('output-guard', given);
  return {
    name: 'output-guard',
    options: { detector: detector.name, action, level },
    open: () => ({
      async onOutput(text) {
        const findings = await detector.detect(text, { scope: 'output' });
        if (!counts(findings, level)) return { kind: 'pass' };
        const reason = `found in the reply: ${idsOf(new Map([[text, findings]]))}`;
        return action === 'block'
          ? { kind: 'block', reason, message: 'The reply was withheld.' }
          : { kind: 'rewrite', reason, text: maskSpans(text, findings, '[removed]') };
      },
    }),
  };
}
