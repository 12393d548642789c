import { type CanarySet, findCanary } from './canary.js';
import { canaryDetection } from './output/index.js';
import type { Detection, ViewNotice } from './types.js';

/** UTF-16 code units of a match that a detection shows. */
export const SHOWN = 200;

/** What decoders noticed, as findings: PB-SMUGGLE for hidden text, PB-BUDGET for a spent budget. */
export function noticeFinding(notice: ViewNotice, text: string, offset: number): Detection {
  const span = { start: notice.span.start + offset, end: notice.span.end + offset };
  const matched = text.slice(span.start, Math.min(span.end, span.start + SHOWN));
  switch (notice.kind) {
    case 'smuggled-text':
      return {
        id: 'PB-SMUGGLE',
        title: `Hidden characters: ${notice.detail}`,
        severity: 'high',
        confidence: 0.9,
        tags: { atlas: ['AML.T0051', 'AML.T0068'], owasp: ['LLM01:2026'] },
        matched,
        span,
        view: 'original',
        ...(notice.decoded === undefined ? {} : { decoded: notice.decoded.slice(0, SHOWN) }),
      };
    case 'budget-exhausted':
      return {
        id: 'PB-BUDGET',
        title: `Decoding stopped: ${notice.detail}`,
        severity: 'low',
        confidence: 0.6,
        tags: { atlas: ['AML.T0068'], owasp: ['LLM01:2026'] },
        matched,
        span,
        view: 'original',
      };
    default:
      return notice.kind satisfies never;
  }
}

/** PB-CANARY, when a tripwire stands in the text in any spelling. */
export function canaryFinding(text: string, canaries: CanarySet): Detection | undefined {
  const found = findCanary(text, canaries);
  if (!found) return undefined;
  const detection = canaryDetection(found, text);
  return { ...detection, matched: detection.matched.slice(0, SHOWN) };
}
