import { checkEvent } from './check-event.js';
import type { ScanEvent } from './scan-event.js';
import { headline, severityNumber, unique, worstSeverity } from './severity.js';

/** Elastic Common Schema 8.11, with what it has no place for under `prompt_injection`. */
export interface EcsDocument {
  readonly '@timestamp': string;
  readonly message: string;
  readonly ecs: { readonly version: '8.11.0' };
  readonly event: {
    readonly kind: 'alert' | 'event';
    readonly category: readonly ['intrusion_detection'];
    readonly type: readonly ['info'];
    readonly action: 'prompt-injection-scan';
    readonly dataset: 'pab.scan';
    readonly provider: string;
    /** 1 informational to 5 critical. */
    readonly severity: number;
    readonly risk_score: number;
  };
  readonly rule?: { readonly id: readonly string[]; readonly name: readonly string[] };
  readonly threat?: {
    readonly framework: 'MITRE ATLAS';
    readonly technique: { readonly id: readonly string[] };
  };
  readonly user?: { readonly name: string };
  readonly observer: { readonly product: 'pab'; readonly version: string };
  readonly prompt_injection: {
    readonly direction: string;
    readonly session_id?: string;
    readonly content_type?: string;
    readonly content_id?: string;
    readonly verdict: string;
    readonly score: number;
    readonly owasp: readonly string[];
    readonly views: readonly string[];
    readonly matched: readonly string[];
    readonly input_length: number;
    readonly input_sha256: string;
    readonly ruleset_size: number;
    readonly input?: string;
  };
}

/** Writes an event as an ECS document. Lists are flat, since ES|QL has no objects in lists. */
export function toEcs(event: ScanEvent): EcsDocument {
  checkEvent(event, 'toEcs');
  const { detections, User, SessionId, ContentType, ContentId, input } = event;
  const found = detections.length > 0;
  return {
    '@timestamp': event.TimeGenerated,
    message: headline(event),
    ecs: { version: '8.11.0' },
    event: {
      kind: event.verdict === 'benign' ? 'event' : 'alert',
      category: ['intrusion_detection'],
      type: ['info'],
      action: 'prompt-injection-scan',
      dataset: 'pab.scan',
      provider: event.Source,
      severity: severityNumber(worstSeverity(event)),
      risk_score: event.score,
    },
    ...(found
      ? {
          rule: {
            id: unique(detections.map((detection) => detection.rule_id)),
            name: unique(detections.map((detection) => detection.title)),
          },
          threat: {
            framework: 'MITRE ATLAS',
            technique: { id: unique(detections.flatMap((detection) => detection.atlas)) },
          },
        }
      : {}),
    ...(User === undefined ? {} : { user: { name: User } }),
    observer: { product: 'pab', version: event.scanner_version },
    prompt_injection: {
      direction: event.Direction,
      ...(SessionId === undefined ? {} : { session_id: SessionId }),
      ...(ContentType === undefined ? {} : { content_type: ContentType }),
      ...(ContentId === undefined ? {} : { content_id: ContentId }),
      verdict: event.verdict,
      score: event.score,
      owasp: unique(detections.flatMap((detection) => detection.owasp)),
      views: unique(detections.map((detection) => detection.view)),
      matched: detections.map((detection) => detection.matched_text),
      input_length: event.input_length,
      input_sha256: event.input_sha256,
      ruleset_size: event.ruleset_size,
      ...(input === undefined ? {} : { input }),
    },
  };
}
