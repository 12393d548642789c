import { HarvestError } from '../errors.js';
import { endpointOf, type HubOptions } from './hub-options.js';

const MAX_REDIRECTS = 8;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What the hub said of a file on the way to it. */
export interface Linked {
  readonly size: number | null;
  readonly etag: string | null;
  readonly commit: string | null;
}

export interface HubResponse {
  readonly response: Response;
  readonly linked: Linked;
}

function refusal(status: number, headers: Headers, { dataset, env }: HubOptions): HarvestError {
  const code = headers.get('x-error-code') ?? '';
  const endpoint = endpointOf(env).origin;
  const token = env['HF_TOKEN'] ? 'HF_TOKEN is set, but it does not give access' : 'set HF_TOKEN';
  if (code === 'GatedRepo') {
    return new HarvestError(
      'gated',
      `${dataset} is gated: accept its terms at ${endpoint}/datasets/${dataset}, then ${token}`,
    );
  }
  if (status === 401 || status === 403) {
    return new HarvestError(
      'gated',
      `${dataset} cannot be read (HTTP ${status}): it is private or gated, or does not exist; ${token}`,
    );
  }
  if (status === 404)
    return new HarvestError(
      'not-found',
      `there is no data set ${dataset} with Parquet files at ${endpoint}`,
    );
  return new HarvestError('hub-failed', `the hub answered ${dataset} with HTTP ${status}`);
}

function read(headers: Headers, before: Linked): Linked {
  const size = headers.get('x-linked-size');
  const etag = headers.get('x-linked-etag');
  return {
    size: size !== null && /^\d{1,15}$/u.test(size) ? Number(size) : before.size,
    etag: etag?.replace(/^W\/|"/gu, '') ?? before.etag,
    commit: headers.get('x-repo-commit') ?? before.commit,
  };
}

/**
 * One request. Redirects are followed by hand: the token goes to the endpoint's own origin and nowhere else, and only
 * HTTP(S) is followed, never from HTTPS to HTTP.
 */
export async function hubGet(
  start: URL,
  options: HubOptions,
  { range, method = 'GET' }: { readonly range?: number; readonly method?: 'GET' | 'HEAD' } = {},
): Promise<HubResponse> {
  const { origin } = endpointOf(options.env);
  const token = options.env['HF_TOKEN']?.trim();
  let url = start;
  let linked: Linked = { size: null, etag: null, commit: null };
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const headers = new Headers({ 'user-agent': 'pab-harvest' });
    if (token && url.origin === origin) headers.set('authorization', `Bearer ${token}`);
    if (range !== undefined && range > 0) headers.set('range', `bytes=${range}-`);
    let response: Response;
    try {
      response = await options.fetch(url, {
        method,
        headers,
        redirect: 'manual',
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
    } catch (error) {
      options.signal?.throwIfAborted();
      throw new HarvestError(
        'offline',
        `cannot reach ${url.origin}: the machine is offline, or the endpoint is wrong (HF_ENDPOINT)`,
        { cause: error },
      );
    }
    linked = read(response.headers, linked);
    if (!REDIRECTS.has(response.status)) {
      if (response.ok || response.status === 416) return { response, linked };
      await response.body?.cancel();
      throw refusal(response.status, response.headers, options);
    }
    await response.body?.cancel();
    const next = new URL(response.headers.get('location') ?? '', url);
    if (
      !/^https?:$/u.test(next.protocol) ||
      (url.protocol === 'https:' && next.protocol === 'http:')
    ) {
      throw new HarvestError(
        'hub-failed',
        `the hub sent ${options.dataset} on to ${next.protocol}, which is not followed`,
      );
    }
    url = next;
  }
  throw new HarvestError(
    'hub-failed',
    `the hub sent ${options.dataset} on more than ${MAX_REDIRECTS} times`,
  );
}
