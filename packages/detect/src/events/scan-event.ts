import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Detection, ScanResult, Scope, Severity, Verdict } from '../types.js';
import { checkEventOptions } from './check-event.js';

/** One finding as a SIEM sees it. */
export interface EventDetection {
  readonly rule_id: string;
  readonly title: string;
  readonly severity: Severity;
  /** 0 to 1. */
  readonly confidence: number;
  /** What matched, shortened; `[redacted]` when asked for. */
  readonly matched_text: string;
  /** Half-open range of UTF-16 code units in the text. */
  readonly span: readonly [number, number];
  readonly atlas: readonly string[];
  readonly owasp: readonly string[];
  readonly view: string;
  /** The match in that view; null when the view is `original`. */
  readonly decoded: string | null;
  readonly mention?: string;
}

/** One scan, for a SIEM. The order of the fields is the order in which they are written. */
export interface ScanEvent {
  /** ISO 8601, UTC. */
  readonly TimeGenerated: string;
  readonly EventType: 'PromptInjectionScan';
  readonly Source: string;
  readonly Direction: Scope;
  readonly User?: string;
  readonly SessionId?: string;
  readonly ContentType?: string;
  readonly ContentId?: string;
  readonly verdict: Verdict;
  /** 0 to 100. */
  readonly score: number;
  readonly detections: readonly EventDetection[];
  /** UTF-16 code units. */
  readonly input_length: number;
  /** Hexadecimal SHA-256 of the text in UTF-8; its HMAC-SHA-256 when a key was given. */
  readonly input_sha256: string;
  readonly scanner_version: string;
  readonly ruleset_size: number;
  /** Only when asked for. */
  readonly input?: string;
}

export interface EventOptions {
  /** The text that was scanned. Only its digest is kept unless `includeInput` is set. */
  readonly text: string;
  readonly time: Date;
  /** Where the text came from: an application, a file, an endpoint. */
  readonly source: string;
  readonly scannerVersion: string;
  /** Rules that were in force. */
  readonly rulesetSize: number;
  readonly user?: string | undefined;
  readonly sessionId?: string | undefined;
  /** What was read, e.g. `email`; for content. */
  readonly contentType?: string | undefined;
  readonly contentId?: string | undefined;
  readonly includeInput?: boolean | undefined;
  /** Leaves out every piece of the text: what matched, and how it reads decoded. */
  readonly redact?: boolean | undefined;
  /** Keys the digest, so that nobody can test guesses of a short text against it. */
  readonly hmacKey?: string | Uint8Array | undefined;
}

/** UTF-16 units of matched text in an event; tables limit the size of a field. */
const LONGEST_MATCH = 2048;
const REDACTED = '[redacted]';

/**
 * Without lone halves of surrogate pairs, which UTF-8 has no place for. JSON can carry them, but collectors refuse such
 * a record, and with it all that came in the same request.
 */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\ufffd');
}

function shorten(text: string): string {
  if (text.length <= LONGEST_MATCH) return wellFormed(text);
  const cut = text.slice(0, LONGEST_MATCH - 1);
  // A pair that the cut parts is left out.
  return `${wellFormed(/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut)}…`;
}

function eventDetection(detection: Detection, redact: boolean): EventDetection {
  const { decoded, mention } = detection;
  return {
    rule_id: detection.id,
    title: wellFormed(detection.title),
    severity: detection.severity,
    confidence: detection.confidence,
    matched_text: redact ? REDACTED : shorten(detection.matched),
    span: [detection.span.start, detection.span.end],
    atlas: detection.tags.atlas,
    owasp: detection.tags.owasp,
    view: detection.view,
    decoded: decoded === undefined ? null : redact ? REDACTED : shorten(decoded),
    ...(mention === undefined ? {} : { mention }),
  };
}

function digest(text: string, key: string | Uint8Array | undefined): string {
  const bytes = utf8ToBytes(text);
  if (key === undefined) return bytesToHex(sha256(bytes));
  return bytesToHex(hmac(sha256, typeof key === 'string' ? utf8ToBytes(key) : key, bytes));
}

/**
 * Makes one record of a scan. Holds no text beyond what matched, unless asked to. Lone surrogates stand as U+FFFD in it.
 *
 * @throws DetectError `bad-option` when an option is missing, unknown or of a wrong type, and when `time` is not a valid
 *   date; it says what to pass.
 */
export function toEvent(result: ScanResult, options: EventOptions): ScanEvent {
  checkEventOptions(result, options);
  const { user, sessionId, contentType, contentId, redact = false, includeInput = false } = options;
  return {
    TimeGenerated: options.time.toISOString(),
    EventType: 'PromptInjectionScan',
    Source: wellFormed(options.source),
    Direction: result.scope,
    ...(user === undefined ? {} : { User: wellFormed(user) }),
    ...(sessionId === undefined ? {} : { SessionId: wellFormed(sessionId) }),
    ...(contentType === undefined ? {} : { ContentType: wellFormed(contentType) }),
    ...(contentId === undefined ? {} : { ContentId: wellFormed(contentId) }),
    verdict: result.verdict,
    score: result.score,
    detections: result.detections.map((detection) => eventDetection(detection, redact)),
    input_length: result.inputLength,
    input_sha256: digest(options.text, options.hmacKey),
    scanner_version: options.scannerVersion,
    ruleset_size: options.rulesetSize,
    ...(includeInput ? { input: wellFormed(options.text) } : {}),
  };
}
