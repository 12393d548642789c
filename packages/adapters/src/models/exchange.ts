import { TargetError } from '@pab/model';

export type Fetch = typeof globalThis.fetch;

/** How requests are made; everything that touches the network or the clock is an argument. */
export interface ExchangeOptions {
  readonly fetch: Fetch;
  /** Waits; rejects when the signal aborts. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Jitter of the waits: uniform in [0, 1). */
  readonly random?: () => number;
  /** The time, for a `Retry-After` that is a date: milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds for one attempt, the body included. Default 120,000. */
  readonly timeoutMs?: number;
  /** Attempts after the first. Default 4. */
  readonly maxRetries?: number;
  /** First wait in milliseconds; doubled each time. Default 500. */
  readonly backoffMs?: number;
  /** Longest wait that is accepted, also when the server asks for more. Default 60,000. */
  readonly maxWaitMs?: number;
  /** Largest response in bytes. Default 8 MiB. */
  readonly maxBytes?: number;
}

export interface JsonRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Texts that must not stand in any error: the key. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export interface JsonResponse {
  readonly status: number;
  readonly body: unknown;
}

const RETRIED = new Set([408, 409, 425, 429, 500, 502, 503, 504, 522, 524, 529]);

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new TargetError('aborted', 'the run was cancelled'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * The address of an endpoint under a base URL.
 *
 * @throws TargetError `target-failed` unless it is http or https and free of credentials
 */
export function endpoint(base: string, path: string): URL {
  let url: URL;
  try {
    url = new URL(base);
  } catch {
    throw new TargetError(
      'target-failed',
      'the base URL is not a URL; it looks like https://host.example/v1',
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TargetError('target-failed', 'the base URL must begin with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') {
    throw new TargetError(
      'target-failed',
      'the base URL must not hold credentials; give the key as the API key',
    );
  }
  if (path !== '') url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.hash = '';
  return url;
}

/** A wait in milliseconds that a server asked for: seconds, or a date. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = headers.get('retry-after-ms');
  if (milliseconds !== null && /^\d{1,9}$/.test(milliseconds)) return Number(milliseconds);
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

interface Failure {
  readonly error: TargetError;
  readonly again: boolean;
  readonly wait?: number | undefined;
}

/** One line, bounded, and nothing secret in it. */
export function clean(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) {
    if (secret !== '') safe = safe.replaceAll(secret, '[key]');
  }
  return safe.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 300);
}

function errorCode(error: unknown): string {
  let at: unknown = error;
  for (let depth = 0; depth < 4 && at instanceof Error; depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    at = at.cause;
  }
  return error instanceof Error ? error.message : 'unknown';
}

async function readText(response: Response, limit: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) {
      throw new TargetError('malformed-response', `the response is larger than ${limit} bytes`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** What a server says went wrong, wherever the usual servers put it. */
export function errorMessage(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const held: unknown = 'error' in body ? body.error : body;
  if (typeof held === 'string') return held;
  if (typeof held !== 'object' || held === null || !('message' in held)) return '';
  return typeof held.message === 'string' ? held.message : '';
}

/**
 * Posts JSON and reads JSON. Waits and tries again after 429, 5xx, a lost connection or a timeout, as often as allowed. Other statuses
 * are given to the caller when their body is JSON, since some of them are answers.
 *
 * @throws TargetError `http`, `network`, `timeout`, `malformed-response` or `aborted`
 */
export async function postJson(
  request: JsonRequest,
  options: ExchangeOptions,
): Promise<JsonResponse> {
  const {
    maxRetries = 4,
    backoffMs = 500,
    maxWaitMs = 60_000,
    random = () => 0.5,
    sleep: wait = sleep,
  } = options;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOnce(request, options);
    if ('body' in outcome) return outcome;
    if (!outcome.again || attempt >= maxRetries) throw outcome.error;
    // Full waits of all clients at once would meet again; each takes half to all of it.
    const backoff = Math.min(maxWaitMs, backoffMs * 2 ** attempt) * (0.5 + random() / 2);
    const pause = outcome.wait ?? backoff;
    if (pause > maxWaitMs) throw outcome.error;
    await wait(pause, request.signal);
  }
}

async function attemptOnce(
  { url, headers, body, secrets, signal }: JsonRequest,
  { fetch, now = () => 0, timeoutMs = 120_000, maxBytes = 8 * 1024 * 1024 }: ExchangeOptions,
): Promise<JsonResponse | Failure> {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort();
  }, timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      // A key must not travel to where a redirect points.
      redirect: 'manual',
      signal:
        signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    });
    const text = await readText(response, maxBytes);
    return judgeResponse(response, text, secrets, now());
  } catch (error) {
    if (signal?.aborted === true) {
      return { error: new TargetError('aborted', 'the run was cancelled'), again: false };
    }
    if (TargetError.is(error)) return { error, again: false };
    if (controller.signal.aborted) {
      const message = `${url.host} gave no whole answer within ${timeoutMs} ms`;
      return { error: new TargetError('timeout', message), again: true };
    }
    const message = `no connection to ${url.host}: ${clean(errorCode(error), secrets)}`;
    return { error: new TargetError('network', message), again: true };
  } finally {
    clearTimeout(timer);
  }
}

function judgeResponse(
  response: Response,
  text: string,
  secrets: readonly string[],
  now: number,
): JsonResponse | Failure {
  const { status } = response;
  let body: unknown;
  let isJson = true;
  try {
    body = JSON.parse(text);
  } catch {
    isJson = false;
  }
  if (RETRIED.has(status) || status >= 500) {
    const said = clean(errorMessage(body), secrets);
    const error = new TargetError('http', `HTTP ${status}${said === '' ? '' : `: ${said}`}`);
    return { error, again: RETRIED.has(status), wait: retryAfter(response.headers, now) };
  }
  if (isJson && (response.ok || status >= 400)) return { status, body };
  if (response.ok) {
    return {
      error: new TargetError('malformed-response', 'the response is not JSON'),
      again: false,
    };
  }
  const hint = status >= 300 && status < 400 ? '; the server redirects, give its final URL' : '';
  return { error: new TargetError('http', `HTTP ${status}${hint}`), again: false };
}

/** The error for a status that is not an answer. */
export function httpError({ status, body }: JsonResponse, secrets: readonly string[]): TargetError {
  const said = clean(errorMessage(body), secrets);
  return new TargetError('http', `HTTP ${status}${said === '' ? '' : `: ${said}`}`);
}
