import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEcs, toEvent, toOcsf, toOtel, toSarif } from '../../src/events/index.js';
import { full, options, result } from './sample-scan.js';

describe('other formats', () => {
  const event = toEvent(result, full);
  const benign = toEvent({ ...result, verdict: 'benign', score: 0, detections: [] }, options);

  it('OCSF: a Detection Finding with the worst rule first', () => {
    expect(toOcsf(event)).toMatchInlineSnapshot(`
      {
        "activity_id": 1,
        "activity_name": "Create",
        "category_name": "Findings",
        "category_uid": 2,
        "class_name": "Detection Finding",
        "class_uid": 2004,
        "confidence_score": 90,
        "evidences": [
          {
            "data": {
              "atlas": [
                "AML.T0077",
              ],
              "confidence": 0.9,
              "decoded": null,
              "matched_text": "https://evil.example/?d=hunter2pass",
              "owasp": [
                "LLM10:2026",
                "LLM02:2026",
              ],
              "rule_id": "PB-EXFIL-IMAGE",
              "severity": "high",
              "span": [
                11,
                46,
              ],
              "title": "Content that loads by itself carries data to a host that is not trusted",
              "view": "original",
            },
          },
          {
            "data": {
              "atlas": [
                "AML.T0057",
              ],
              "confidence": 0.7,
              "decoded": "Show",
              "matched_text": "U2hvdw",
              "mention": "quoted",
              "owasp": [
                "LLM02:2026",
              ],
              "rule_id": "PI-014",
              "severity": "medium",
              "span": [
                0,
                6,
              ],
              "title": "Asks for a secret",
              "view": "decoded",
            },
          },
        ],
        "finding_info": {
          "analytic": {
            "name": "Content that loads by itself carries data to a host that is not trusted",
            "type": "Rule",
            "type_id": 1,
            "uid": "PB-EXFIL-IMAGE",
          },
          "attacks": [
            {
              "technique": {
                "uid": "AML.T0077",
              },
            },
            {
              "technique": {
                "uid": "AML.T0057",
              },
            },
          ],
          "related_analytics": [
            {
              "name": "Asks for a secret",
              "type": "Rule",
              "type_id": 1,
              "uid": "PI-014",
            },
          ],
          "title": "Content that loads by itself carries data to a host that is not trusted",
          "types": [
            "LLM10:2026",
            "LLM02:2026",
          ],
          "uid": "62b7ff131707d5d447c16a1a3fa2da7e3280b755aa1ae903af887b6357f3a348-2026-01-02T03:04:05.678Z",
        },
        "message": "Prompt injection scan of output: malicious (score 65): PB-EXFIL-IMAGE, PI-014",
        "metadata": {
          "log_name": "PromptInjectionScan",
          "product": {
            "name": "pab",
            "vendor_name": "pab",
            "version": "1.2.3",
          },
          "version": "1.3.0",
        },
        "risk_score": 65,
        "severity": "High",
        "severity_id": 4,
        "status_id": 1,
        "time": 1767323045678,
        "type_uid": 200401,
        "unmapped": {
          "content_id": "mail/7",
          "content_type": "email",
          "direction": "output",
          "input_length": 47,
          "input_sha256": "62b7ff131707d5d447c16a1a3fa2da7e3280b755aa1ae903af887b6357f3a348",
          "ruleset_size": 21,
          "session_id": "s-1",
          "source": "assistant",
          "user": "jane",
          "verdict": "malicious",
        },
      }
    `);
  });

  it('OCSF: no finding when nothing was found', () => {
    expect(toOcsf(benign)).toBeUndefined();
  });

  it('ECS: an alert with flat lists', () => {
    expect(toEcs(event)).toMatchInlineSnapshot(`
      {
        "@timestamp": "2026-01-02T03:04:05.678Z",
        "ecs": {
          "version": "8.11.0",
        },
        "event": {
          "action": "prompt-injection-scan",
          "category": [
            "intrusion_detection",
          ],
          "dataset": "pab.scan",
          "kind": "alert",
          "provider": "assistant",
          "risk_score": 65,
          "severity": 4,
          "type": [
            "info",
          ],
        },
        "message": "Prompt injection scan of output: malicious (score 65): PB-EXFIL-IMAGE, PI-014",
        "observer": {
          "product": "pab",
          "version": "1.2.3",
        },
        "prompt_injection": {
          "content_id": "mail/7",
          "content_type": "email",
          "direction": "output",
          "input_length": 47,
          "input_sha256": "62b7ff131707d5d447c16a1a3fa2da7e3280b755aa1ae903af887b6357f3a348",
          "matched": [
            "https://evil.example/?d=hunter2pass",
            "U2hvdw",
          ],
          "owasp": [
            "LLM10:2026",
            "LLM02:2026",
          ],
          "ruleset_size": 21,
          "score": 65,
          "session_id": "s-1",
          "verdict": "malicious",
          "views": [
            "original",
            "decoded",
          ],
        },
        "rule": {
          "id": [
            "PB-EXFIL-IMAGE",
            "PI-014",
          ],
          "name": [
            "Content that loads by itself carries data to a host that is not trusted",
            "Asks for a secret",
          ],
        },
        "threat": {
          "framework": "MITRE ATLAS",
          "technique": {
            "id": [
              "AML.T0077",
              "AML.T0057",
            ],
          },
        },
        "user": {
          "name": "jane",
        },
      }
    `);
    expect(toEcs(benign)).toMatchObject({ event: { kind: 'event', severity: 1 } });
  });

  it('OpenTelemetry: a log record with the findings as JSON', () => {
    const record = toOtel(event);
    expect(record).toMatchObject({
      timeUnixNano: '1767323045678000000',
      severityNumber: 17,
      severityText: 'ERROR',
      eventName: 'PromptInjectionScan',
    });
    const values = new Map(record.attributes.map(({ key, value }) => [key, value]));
    expect(values.get('pab.score')).toEqual({ intValue: '65' });
    expect(values.get('session.id')).toEqual({ stringValue: 's-1' });
    expect(values.get('pab.rule_ids')).toEqual({
      arrayValue: { values: [{ stringValue: 'PB-EXFIL-IMAGE' }, { stringValue: 'PI-014' }] },
    });
    expect(values.get('pab.detections')).toEqual({
      stringValue: JSON.stringify(event.detections),
    });
    expect(toOtel(benign)).toMatchObject({ severityText: 'INFO' });
  });

  it('SARIF: a result for each finding and a rule for each id', () => {
    const log = toSarif([event, benign, event]);
    expect(log.runs[0]?.tool.driver.rules.map(({ id }) => id)).toEqual([
      'PB-EXFIL-IMAGE',
      'PI-014',
    ]);
    expect(log.runs[0]?.results).toHaveLength(4);
    expect(log.runs[0]?.results[1]).toMatchInlineSnapshot(`
      {
        "level": "warning",
        "locations": [
          {
            "physicalLocation": {
              "artifactLocation": {
                "uri": "mail/7",
              },
              "region": {
                "charLength": 6,
                "charOffset": 0,
              },
            },
          },
        ],
        "message": {
          "text": "Asks for a secret: U2hvdw",
        },
        "partialFingerprints": {
          "inputSha256/v1": "62b7ff131707d5d447c16a1a3fa2da7e3280b755aa1ae903af887b6357f3a348",
        },
        "properties": {
          "confidence": 0.7,
          "score": 65,
          "verdict": "malicious",
          "view": "decoded",
        },
        "ruleId": "PI-014",
        "ruleIndex": 1,
      }
    `);
  });

  it('SARIF: any name makes a reference that can be read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (contentId) => {
        const log = toSarif([toEvent(result, { ...options, contentId })]);
        const uri = log.runs[0]?.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri;
        expect(uri).toMatch(/^[\w.!~*'()%/-]*$/);
      }),
    );
  });

  it('SARIF: no name makes a reference to another host', () => {
    for (const contentId of ['//evil.example/x', '\\\\evil.example\\x', '/a//b']) {
      const log = toSarif([toEvent(result, { ...options, contentId })]);
      const uri = log.runs[0]?.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri;
      expect(new URL(uri ?? '', 'https://here.example/').host).toBe('here.example');
    }
  });

  it('OpenTelemetry counts time in nanoseconds from 1970 on, with no zeros before', () => {
    for (const [time, nanoseconds] of [
      [0, '0'],
      [1, '1000000'],
      [1_767_323_045_678, '1767323045678000000'],
    ] as const) {
      const record = toOtel(toEvent(result, { ...options, time: new Date(time) }));
      expect(record.timeUnixNano).toBe(nanoseconds);
    }
  });

  it('all of them can be written as UTF-8, whatever was scanned', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (any) => {
        const hostile = `${any}\ud800`;
        const found = result.detections.map((one) => ({
          ...one,
          matched: hostile,
          decoded: hostile,
        }));
        const written = toEvent(
          { ...result, detections: found },
          {
            ...options,
            text: hostile,
            source: hostile,
            user: hostile,
            sessionId: hostile,
            contentType: hostile,
            contentId: hostile,
            includeInput: true,
          },
        );
        for (const record of [
          written,
          toOcsf(written),
          toEcs(written),
          toOtel(written),
          toSarif([written]),
        ]) {
          expect(JSON.stringify(record)).not.toMatch(/\\ud[89a-f]/i);
        }
        expect(written.input).toHaveLength(hostile.length);
      }),
    );
  });
});
