import type { HttpBindings } from '@hono/node-server';
import { DetectError, type ReplyOptions, type ScanResult, type Scope, toEvent } from '@pab/detect';
import { type Context, Hono } from 'hono';
import { Arrivals } from './arrivals.js';
import { bearerMatches } from './bearer-token.js';
import { ServiceMetrics } from './metrics.js';
import { readBody } from './read-body.js';
import { type ProblemStatus, RequestProblem } from './request-problem.js';
import { parseScanRequest, type ScanRequest } from './scan-request.js';
import { WaitingLine } from './waiting-line.js';

/** A line of the service's log. It never holds a piece of a text. */
export interface LogLine {
  readonly time: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly verdict?: string;
  readonly score?: number;
}

export interface ServiceOptions {
  readonly scan: (scope: Scope, text: string, compared: Required<ReplyOptions>) => ScanResult;
  /** Rules in force now. */
  readonly rulesetSize: () => number;
  readonly scannerVersion: string;
  /** Bearer token that scans need; without one they need none. */
  readonly token?: string | undefined;
  /** Longest body, in bytes. */
  readonly maxBytes: number;
  /** Scans that may wait at once, the one under way included, from the end of their body on; further ones get 429. */
  readonly concurrency: number;
  /** Bodies that may be on their way at once, 256. They hold no place for a scan. */
  readonly mostArriving?: number;
  /** Milliseconds that a body may take to come, 10,000. A later one gets 408. */
  readonly bodyTimeout?: number;
  /** Waits before each scan; by default until the event loop has seen to what came meanwhile. */
  readonly pause?: () => Promise<void>;
  readonly now: () => Date;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
  readonly log?: (line: LogLine) => void;
}

const ROUTES: Readonly<Record<string, Scope>> = {
  '/v1/scan': 'input',
  '/v1/scan-context': 'context',
  '/v1/scan-output': 'output',
  '/v1/scan-tool': 'tool',
};
/** Texts that wait are together at most this many times as long as the longest body. */
const LONGEST_LINE = 4;
const KNOWN_ROUTES = new Set([...Object.keys(ROUTES), '/healthz', '/metrics']);

/** What Node has of a request: there when the service listens, and not where a test calls it directly. */
function bindings({ env }: { readonly env: unknown }): Partial<HttpBindings> | undefined {
  return env as Partial<HttpBindings> | undefined;
}

/** As much of hono's context as an answer needs, whatever route it is of. */
type Answering = Pick<Context, 'json'>;

function problem(context: Answering, status: ProblemStatus, error: string) {
  return context.json({ error }, status);
}

const busy = (what: string) => new RequestProblem(429, `too many ${what}; try again`);

/**
 * The HTTP service: `POST /v1/scan`, `/v1/scan-context`, `/v1/scan-output`, `/v1/scan-tool` answer with the scan's event;
 * `GET /healthz` and `GET /metrics` hold no text and need no token.
 */
export function createApp(options: ServiceOptions): Hono {
  const { token, maxBytes, concurrency, now, elapsed } = options;
  const metrics = new ServiceMetrics();
  const judged = new WeakMap<Request, ScanResult>();
  const line = new WaitingLine({
    most: concurrency,
    mostUnits: LONGEST_LINE * maxBytes,
    pause: options.pause,
  });
  const { mostArriving: most = 256, bodyTimeout: timeout = 10_000 } = options;
  const arrivals = new Arrivals({ most, timeout, elapsed });
  const app = new Hono();

  const scanned = (scope: Scope, request: ScanRequest, raw: Request) => {
    const start = elapsed();
    const result = options.scan(scope, request.text, {
      canaries: request.canaries,
      suppliedUrls: request.supplied_urls,
      conversationValues: request.conversation_values,
    });
    metrics.scan({
      scope,
      verdict: result.verdict,
      rules: result.detections.map(({ id }) => id),
      characters: request.text.length,
      seconds: (elapsed() - start) / 1_000,
    });
    judged.set(raw, result);
    return toEvent(result, {
      text: request.text,
      time: now(),
      source: request.source ?? 'pab-serve',
      scannerVersion: options.scannerVersion,
      rulesetSize: options.rulesetSize(),
      user: request.user,
      sessionId: request.session_id,
      contentType: request.content_type,
      contentId: request.content_id,
      includeInput: request.include_input,
    });
  };

  app.use(async (context, next) => {
    const start = elapsed();
    await next();
    // Only known paths are named: a path may hold anything.
    const { path, method } = context.req;
    const route = KNOWN_ROUTES.has(path) ? path : 'other';
    const { status } = context.res;
    metrics.request(route, status);
    const result = judged.get(context.req.raw);
    options.log?.({
      time: now().toISOString(),
      method: /^[A-Z]{1,10}$/.test(method) ? method : 'other',
      route,
      status,
      ms: Math.round((elapsed() - start) * 1_000) / 1_000,
      ...(result === undefined ? {} : { verdict: result.verdict, score: result.score }),
    });
  });

  app.get('/healthz', (context) => context.json({ status: 'ok', rules: options.rulesetSize() }));
  app.get('/metrics', (context) =>
    context.text(metrics.text({ arriving: arrivals.count, waiting: line.count }), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    }),
  );

  for (const route of ['/healthz', '/metrics']) {
    app.all(route, (context) => {
      context.header('allow', 'GET, HEAD');
      return problem(context, 405, 'use GET');
    });
  }

  app.use('/v1/*', async (context, next) => {
    if (token !== undefined && !bearerMatches(context.req.header('authorization'), token)) {
      context.header('www-authenticate', 'Bearer');
      return problem(context, 401, 'a bearer token is needed');
    }
    metrics.enter();
    // It is under way until the answer has gone, or the client has.
    const answer = bindings(context)?.outgoing;
    answer?.once('close', () => {
      metrics.leave();
    });
    try {
      return await next();
    } finally {
      if (answer === undefined) metrics.leave();
    }
  });

  const bodyOf = async (context: Context) => {
    // Those that find no place are told so before they send a body, too.
    if (line.full) throw busy('scans are waiting');
    const arrival = arrivals.enter();
    if (arrival === undefined) throw busy('bodies are on their way');
    const incoming = bindings(context)?.incoming;
    try {
      return await readBody(context.req.raw, { maxBytes, incoming, signal: arrival.signal });
    } finally {
      arrival.leave();
    }
  };

  for (const [route, scope] of Object.entries(ROUTES)) {
    app.post(route, async (context) => {
      const body = await bodyOf(context);
      const request = parseScanRequest(body, scope);
      const event = line.run(body.length, () => scanned(scope, request, context.req.raw));
      if (event === undefined) throw busy('scans are waiting');
      return context.json(await event);
    });
    app.all(route, (context) => {
      context.header('allow', 'POST');
      return problem(context, 405, 'use POST');
    });
  }

  app.notFound((context) => problem(context, 404, 'there is no such path'));
  app.onError((error, context) => {
    if (error instanceof RequestProblem) {
      if (error.status === 429) context.header('retry-after', '1');
      // The rest of the body is not waited for.
      if (error.status === 408) context.header('connection', 'close');
      return problem(context, error.status, error.message);
    }
    // What the scanner refuses is a mistake of the client; its words hold nothing of the text.
    if (DetectError.is(error) && error.code === 'bad-option') {
      return problem(context, 400, error.message);
    }
    return problem(context, 500, 'the scan failed');
  });
  return app;
}
