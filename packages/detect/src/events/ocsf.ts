import { checkEvent } from './check-event.js';
import type { EventDetection, ScanEvent } from './scan-event.js';
import { headline, severityNumber, unique, worstSeverity } from './severity.js';

interface OcsfAnalytic {
  readonly uid: string;
  readonly name: string;
  readonly type: 'Rule';
  readonly type_id: 1;
}

/** OCSF 1.3 Detection Finding, as far as it is used here. */
export interface OcsfFinding {
  readonly activity_id: 1;
  readonly activity_name: 'Create';
  readonly category_uid: 2;
  readonly category_name: 'Findings';
  readonly class_uid: 2004;
  readonly class_name: 'Detection Finding';
  readonly type_uid: 200401;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly severity_id: number;
  readonly severity: string;
  readonly status_id: 1;
  readonly confidence_score: number;
  readonly risk_score: number;
  readonly message: string;
  readonly metadata: {
    readonly version: '1.3.0';
    readonly product: {
      readonly name: string;
      readonly vendor_name: string;
      readonly version: string;
    };
    readonly log_name: string;
  };
  readonly finding_info: {
    readonly uid: string;
    readonly title: string;
    readonly types: readonly string[];
    readonly analytic: OcsfAnalytic;
    readonly related_analytics: readonly OcsfAnalytic[];
    readonly attacks: readonly { readonly technique: { readonly uid: string } }[];
  };
  readonly evidences: readonly { readonly data: EventDetection }[];
  /** What OCSF has no place for. */
  readonly unmapped: Readonly<Record<string, string | number | readonly string[]>>;
}

const SEVERITY_NAMES = ['Unknown', 'Informational', 'Low', 'Medium', 'High', 'Critical'];

function analytic(detection: EventDetection): OcsfAnalytic {
  return { uid: detection.rule_id, name: detection.title, type: 'Rule', type_id: 1 };
}

/** Writes an event as an OCSF Detection Finding (class 2004); `undefined` when nothing was found. */
export function toOcsf(event: ScanEvent): OcsfFinding | undefined {
  checkEvent(event, 'toOcsf');
  const [first, ...others] = event.detections.toSorted(
    (a, b) =>
      severityNumber(b.severity) - severityNumber(a.severity) || b.confidence - a.confidence,
  );
  if (first === undefined) return undefined;
  const severity = severityNumber(worstSeverity(event));
  const techniques = unique(event.detections.flatMap((detection) => detection.atlas));
  const optional: Record<string, string> = {};
  for (const [key, value] of [
    ['user', event.User],
    ['session_id', event.SessionId],
    ['content_type', event.ContentType],
    ['content_id', event.ContentId],
    ['input', event.input],
  ] as const) {
    if (value !== undefined) optional[key] = value;
  }
  return {
    activity_id: 1,
    activity_name: 'Create',
    category_uid: 2,
    category_name: 'Findings',
    class_uid: 2004,
    class_name: 'Detection Finding',
    type_uid: 200401,
    time: Date.parse(event.TimeGenerated),
    severity_id: severity,
    severity: SEVERITY_NAMES[severity] ?? 'Unknown',
    status_id: 1,
    confidence_score: Math.round(first.confidence * 100),
    risk_score: event.score,
    message: headline(event),
    metadata: {
      version: '1.3.0',
      product: { name: 'pab', vendor_name: 'pab', version: event.scanner_version },
      log_name: event.EventType,
    },
    finding_info: {
      uid: `${event.input_sha256}-${event.TimeGenerated}`,
      title: first.title,
      types: unique(event.detections.flatMap((detection) => detection.owasp)),
      analytic: analytic(first),
      related_analytics: others.map(analytic),
      attacks: techniques.map((uid) => ({ technique: { uid } })),
    },
    evidences: event.detections.map((data) => ({ data })),
    unmapped: {
      source: event.Source,
      direction: event.Direction,
      verdict: event.verdict,
      input_length: event.input_length,
      input_sha256: event.input_sha256,
      ruleset_size: event.ruleset_size,
      ...optional,
    },
  };
}
