import {
  type Defense,
  type Detector,
  type Findings,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  ModelError,
  own,
} from '@pab/model';
import { guard, LEVEL } from './badger.js';
import { readOptions } from './options.js';

/** The part of `fetch` that is used, so that the caller may pass any. */
export type GuardFetch = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly redirect: 'error';
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly ok: boolean; readonly status: number; text(): Promise<string> }>;

export interface HttpGuardResources {
  readonly fetch: GuardFetch;
  /** Sent as a bearer token; never in an error. */
  readonly apiKey?: string | undefined;
}

const BENIGN: Findings = { verdict: 'benign', score: 0, findings: [] };
const HOSTILE_LABEL = /^(?:injection|jailbreak|malicious|unsafe|attack|label_1|flagged|indirect)$/i;

function hostile(score: number): Findings {
  return {
    verdict: 'malicious',
    score,
    findings: [{ id: 'http-guard', title: 'an external service says so' }],
  };
}

/**
 * What a guard service says, in the shapes that are common: `verdict`; `flagged` or `injection` true; a `label` with a `score` from 0 to
 * 1; or a list whose first item is one of these.
 */
export function readVerdict(body: JsonValue, threshold: number): Findings | undefined {
  const first = isArray(body) ? (body[0] ?? null) : body;
  const inner = isArray(first) ? (first[0] ?? null) : first;
  if (!isObject(inner)) return undefined;
  const score = own(inner, 'score');
  const points =
    typeof score === 'number' && score >= 0 ? Math.min(100, score <= 1 ? score * 100 : score) : 100;
  const verdict = own(inner, 'verdict');
  if (verdict === 'benign' || verdict === 'safe') return BENIGN;
  if (verdict === 'suspicious') return { ...hostile(Math.min(points, 49)), verdict };
  if (verdict === 'malicious') return hostile(points);
  for (const key of ['flagged', 'injection', 'is_injection', 'unsafe']) {
    const flag = own(inner, key);
    if (typeof flag === 'boolean') return flag ? hostile(points) : BENIGN;
  }
  const label = own(inner, 'label');
  if (typeof label !== 'string') return undefined;
  return HOSTILE_LABEL.test(label) && points >= threshold * 100 ? hostile(points) : BENIGN;
}

export interface HttpDetectorOptions extends HttpGuardResources {
  readonly url: string;
  /** From which `score` a label counts, 0 to 1. Default 0.5. */
  readonly threshold?: number;
  /** Milliseconds for one request. Default 10,000. */
  readonly timeoutMs?: number;
}

/**
 * A guard service as a detector: gets `{ "text", "scope" }` by POST. A service that fails makes the detection fail; it never
 * counts as benign.
 */
export function httpDetector({
  url,
  fetch,
  apiKey,
  threshold = 0.5,
  timeoutMs = 10_000,
}: HttpDetectorOptions): Detector {
  if (!/^https?:\/\/[^@\s]+$/i.test(url)) {
    throw new ModelError(
      'invalid-options',
      'http-guard needs an http or https URL without credentials in it',
    );
  }
  return {
    name: 'http',
    async detect(text, { scope }) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ text, scope }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new Error(`the guard service answered HTTP ${response.status}`);
      let findings: Findings | undefined;
      try {
        findings = readVerdict(JSON.parse(await response.text()) as JsonValue, threshold);
      } catch (error) {
        throw new Error('the guard service did not answer in JSON', { cause: error });
      }
      if (findings === undefined) throw new Error('the guard service gave no verdict');
      return findings;
    },
  };
}

/** Puts an external guard service where `badger` has a detector. Options: `url`, `threshold`, `timeout_ms`, `action`, `level`. */
export function httpGuard(
  options: JsonObject,
  { fetch, apiKey }: Partial<HttpGuardResources>,
): Defense {
  const { url, threshold, timeout_ms, action, level } = readOptions('http-guard', options, {
    url: { kind: 'text', fallback: '' },
    threshold: { kind: 'number', min: 0, max: 1, fallback: 0.5 },
    timeout_ms: { kind: 'number', min: 1, max: 600_000, fallback: 10_000 },
    action: { kind: 'choice', values: ['drop', 'mask', 'annotate', 'block'], fallback: 'block' },
    level: LEVEL,
  });
  if (fetch === undefined) {
    throw new ModelError('invalid-options', 'http-guard needs fetch, and none is given');
  }
  return guard({
    name: 'http-guard',
    detector: httpDetector({ url, fetch, apiKey, threshold, timeoutMs: timeout_ms }),
    action,
    level,
    shown: { threshold },
  });
}
