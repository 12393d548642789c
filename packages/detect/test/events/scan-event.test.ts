import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DetectError } from '../../src/errors.js';
import { toEvent, toJsonLine } from '../../src/events/index.js';
import { detections, full, options, result, text } from './sample-scan.js';

describe('toEvent', () => {
  it('writes the fields in their order and no text but what matched', () => {
    const event = toEvent(result, full);
    expect(Object.keys(event)).toEqual([
      'TimeGenerated',
      'EventType',
      'Source',
      'Direction',
      'User',
      'SessionId',
      'ContentType',
      'ContentId',
      'verdict',
      'score',
      'detections',
      'input_length',
      'input_sha256',
      'scanner_version',
      'ruleset_size',
    ]);
    expect(event).toMatchInlineSnapshot(`
      {
        "ContentId": "mail/7",
        "ContentType": "email",
        "Direction": "output",
        "EventType": "PromptInjectionScan",
        "SessionId": "s-1",
        "Source": "assistant",
        "TimeGenerated": "2026-01-02T03:04:05.678Z",
        "User": "jane",
        "detections": [
          {
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
          {
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
        ],
        "input_length": 47,
        "input_sha256": "62b7ff131707d5d447c16a1a3fa2da7e3280b755aa1ae903af887b6357f3a348",
        "ruleset_size": 21,
        "scanner_version": "1.2.3",
        "score": 65,
        "verdict": "malicious",
      }
    `);
  });

  it('leaves out what it was not told', () => {
    const event = toEvent(result, options);
    for (const key of ['User', 'SessionId', 'ContentType', 'ContentId', 'input']) {
      expect(event).not.toHaveProperty(key);
    }
  });

  it('holds the text last, when that is asked for', () => {
    const event = toEvent(result, { ...options, includeInput: true });
    expect(Object.entries(event).at(-1)).toEqual(['input', text]);
  });

  it('holds nothing of the text when it is redacted', () => {
    const json = JSON.stringify(toEvent(result, { ...full, redact: true }));
    for (const piece of ['hunter2', 'evil.example', 'U2hvdw', 'Show']) {
      expect(json).not.toContain(piece);
    }
    expect(json).toContain('[redacted]');
  });

  it('digests any text as others do, with a key or without', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uint8Array({ minLength: 1 }), (any, key) => {
        const plain = toEvent(result, { ...options, text: any });
        const keyed = toEvent(result, { ...options, text: any, hmacKey: key });
        expect(plain.input_sha256).toBe(createHash('sha256').update(any, 'utf8').digest('hex'));
        expect(keyed.input_sha256).toBe(
          createHmac('sha256', key).update(any, 'utf8').digest('hex'),
        );
      }),
    );
  });

  it('shortens what matched, but not within a character', () => {
    const matched = `${'a'.repeat(2046)}\u{1f600}${'b'.repeat(99)}`;
    const long = { ...result, detections: detections.map((one) => ({ ...one, matched })) };
    const [first] = toEvent(long, options).detections;
    expect(first?.matched_text).toBe(`${'a'.repeat(2046)}…`);
  });

  it('refuses a time that is none', () => {
    expect(() => toEvent(result, { ...options, time: new Date(Number.NaN) })).toThrow(
      new DetectError(
        'bad-option',
        "the time of toEvent is an invalid Date; pass { text, time: new Date(), source: 'my-app', scannerVersion: '1.0.0', rulesetSize: scanner.rules.length }",
      ),
    );
  });
});

describe('toJsonLine', () => {
  it('gives one line that reads back as it was, with nothing that a terminal acts on', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (any) => {
        const line = toJsonLine({ any: `${any}\u001b[31m\u009b\u202e` });
        expect(JSON.parse(line)).toEqual({ any: `${any}\u001b[31m\u009b\u202e` });
        expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]|\p{Bidi_Control}/u);
      }),
    );
  });
});
