import { checkEvent } from './check-event.js';
import type { ScanEvent } from './scan-event.js';
import { headline, unique } from './severity.js';

type AttributeValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly arrayValue: { readonly values: readonly { readonly stringValue: string }[] } };

/** A log record in the JSON form of OTLP. */
export interface OtelLogRecord {
  /** Nanoseconds since 1970, in decimal digits. */
  readonly timeUnixNano: string;
  readonly observedTimeUnixNano: string;
  readonly severityNumber: number;
  readonly severityText: 'INFO' | 'WARN' | 'ERROR';
  readonly eventName: string;
  readonly body: { readonly stringValue: string };
  readonly attributes: readonly { readonly key: string; readonly value: AttributeValue }[];
}

const LEVELS = {
  benign: { severityNumber: 9, severityText: 'INFO' },
  suspicious: { severityNumber: 13, severityText: 'WARN' },
  malicious: { severityNumber: 17, severityText: 'ERROR' },
} as const;

function attribute(value: string | number | readonly string[]): AttributeValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
}

/** Writes an event as an OpenTelemetry log record. Whole findings stand as JSON in one attribute. */
export function toOtel(event: ScanEvent): OtelLogRecord {
  checkEvent(event, 'toOtel');
  const nanoseconds = (BigInt(Date.parse(event.TimeGenerated)) * 1_000_000n).toString();
  const { detections } = event;
  const values: [string, string | number | readonly string[] | undefined][] = [
    ['pab.source', event.Source],
    ['pab.direction', event.Direction],
    ['user.name', event.User],
    ['session.id', event.SessionId],
    ['pab.content_type', event.ContentType],
    ['pab.content_id', event.ContentId],
    ['pab.verdict', event.verdict],
    ['pab.score', event.score],
    ['pab.rule_ids', unique(detections.map((detection) => detection.rule_id))],
    ['pab.atlas', unique(detections.flatMap((detection) => detection.atlas))],
    ['pab.owasp', unique(detections.flatMap((detection) => detection.owasp))],
    ['pab.views', unique(detections.map((detection) => detection.view))],
    ['pab.detections', JSON.stringify(detections)],
    ['pab.input_length', event.input_length],
    ['pab.input_sha256', event.input_sha256],
    ['pab.scanner_version', event.scanner_version],
    ['pab.ruleset_size', event.ruleset_size],
    ['pab.input', event.input],
  ];
  const attributes = [];
  for (const [key, value] of values) {
    if (value !== undefined) attributes.push({ key, value: attribute(value) });
  }
  return {
    timeUnixNano: nanoseconds,
    observedTimeUnixNano: nanoseconds,
    ...LEVELS[event.verdict],
    eventName: event.EventType,
    body: { stringValue: headline(event) },
    attributes,
  };
}
