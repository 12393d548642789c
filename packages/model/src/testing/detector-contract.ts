import type { Detector } from '../contracts.js';
import { canonicalJson } from '../json.js';
import { type ContractCheck, ensure, ODD_TEXTS, OUTSIDE } from './sample.js';

/** What the harness relies on in any detector. */
export function detectorContract(detector: Detector): readonly ContractCheck[] {
  const scopes = ['input', 'context', 'output', 'tool'] as const;
  return [
    {
      name: 'has a name',
      async run() {
        ensure(detector.name.trim() !== '', 'the name is empty');
      },
    },
    {
      name: 'gives a verdict, a score from 0 to 100 and spans inside the text, in every scope',
      async run() {
        for (const scope of scopes) {
          for (const text of [OUTSIDE, ...ODD_TEXTS]) {
            const { verdict, score, findings } = await detector.detect(text, { scope });
            ensure(
              ['benign', 'suspicious', 'malicious'].includes(verdict),
              `"${verdict}" is no verdict`,
            );
            ensure(score >= 0 && score <= 100, `the score ${score} is not from 0 to 100`);
            for (const { id, span } of findings) {
              ensure(id !== '', 'a finding has no id');
              ensure(
                span === undefined ||
                  (span.start >= 0 && span.start <= span.end && span.end <= text.length),
                `the span of ${id} is outside of the text`,
              );
            }
          }
        }
      },
    },
    {
      name: 'finds nothing in an empty text',
      async run() {
        const { verdict } = await detector.detect('', { scope: 'context' });
        ensure(verdict === 'benign', 'an empty text is not benign');
      },
    },
    {
      name: 'gives the same for the same text',
      async run() {
        const first = await detector.detect(OUTSIDE, { scope: 'context' });
        const second = await detector.detect(OUTSIDE, { scope: 'context' });
        ensure(canonicalJson(first) === canonicalJson(second), 'two calls came out differently');
      },
    },
  ];
}
