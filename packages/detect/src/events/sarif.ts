import { checkEvents } from './check-event.js';
import type { EventDetection, ScanEvent } from './scan-event.js';

interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly defaultConfiguration: { readonly level: SarifLevel };
  readonly properties: { readonly tags: readonly string[] };
}

type SarifLevel = 'note' | 'warning' | 'error';

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: SarifLevel;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: { readonly charOffset: number; readonly charLength: number };
    };
  }[];
  readonly partialFingerprints: { readonly 'inputSha256/v1': string };
  readonly properties: {
    readonly verdict: string;
    readonly score: number;
    readonly confidence: number;
    readonly view: string;
  };
}

/** SARIF 2.1.0, as far as it is used here. */
export interface SarifLog {
  readonly version: '2.1.0';
  readonly $schema: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string;
        readonly version?: string;
        readonly rules: readonly SarifRule[];
      };
    };
    readonly columnKind: 'utf16CodeUnits';
    readonly results: readonly SarifResult[];
  }[];
}

function levelOf(detection: EventDetection): SarifLevel {
  switch (detection.severity) {
    case 'critical':
    case 'high':
      return 'error';
    case 'medium':
      return 'warning';
    case 'low':
    case 'informational':
      return 'note';
    default:
      return detection.severity satisfies never;
  }
}

/** A reference that any reader of URIs takes, without a host; lone surrogates have none, so they are replaced. */
function uriOf(event: ScanEvent): string {
  const name = event.ContentId ?? event.Source;
  return name
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .replace(/^[/\\]{2,}/, '/')
    .split(/[/\\]/)
    .map(encodeURIComponent)
    .join('/');
}

/** Writes events as one SARIF log with one run; each finding is a result. */
export function toSarif(events: readonly ScanEvent[]): SarifLog {
  checkEvents(events, 'toSarif');
  const rules: SarifRule[] = [];
  const indexes = new Map<string, number>();
  const results: SarifResult[] = [];
  for (const event of events) {
    for (const detection of event.detections) {
      const { rule_id: id, title } = detection;
      let index = indexes.get(id);
      if (index === undefined) {
        index = rules.length;
        indexes.set(id, index);
        rules.push({
          id,
          shortDescription: { text: title },
          defaultConfiguration: { level: levelOf(detection) },
          properties: { tags: [...detection.atlas, ...detection.owasp] },
        });
      }
      const [start, end] = detection.span;
      results.push({
        ruleId: id,
        ruleIndex: index,
        level: levelOf(detection),
        message: { text: `${title}: ${detection.matched_text}` },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: uriOf(event) },
              region: { charOffset: start, charLength: end - start },
            },
          },
        ],
        partialFingerprints: { 'inputSha256/v1': event.input_sha256 },
        properties: {
          verdict: event.verdict,
          score: event.score,
          confidence: detection.confidence,
          view: detection.view,
        },
      });
    }
  }
  const version = events[0]?.scanner_version;
  const driver = { name: 'pab', ...(version === undefined ? {} : { version }), rules };
  return {
    version: '2.1.0',
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
}
