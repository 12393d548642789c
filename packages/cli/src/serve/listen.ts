import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Aborting it stops the service gracefully. */
  readonly signal: AbortSignal;
  /** Milliseconds after which a connection on which nothing moves is cut, so that who reads no answer holds no place. */
  readonly idle?: number;
  /** Connections at once, 1,024. Further ones are closed. */
  readonly connections?: number;
  /** Milliseconds that the service gives a body to come, 10,000; a request that has not ended some time after is cut. */
  readonly bodyTimeout?: number;
  /** Told the port when the service is up. */
  readonly onListening: (port: number) => void;
}

/** Milliseconds that requests under way get when the service stops. */
const GRACE = 10_000;
/** Longer than a full line of scans takes. */
const IDLE = 120_000;
/** Milliseconds between looks for requests that are late; Node's own 30 seconds would double the time below. */
const CHECK_INTERVAL = 1_000;
/** Milliseconds for the headers of a request, and for a new connection to begin one. */
const HEADERS_TIMEOUT = 5_000;
/**
 * Milliseconds in which what has reached the machine is read when the service stops: while a scan runs, neither
 * connections are taken nor requests read, and those that wait are to be answered too.
 */
const SETTLE = 50;
/** Milliseconds more than headers and body may take; what was refused is still read to nowhere meanwhile. */
const MARGIN = 5_000;

/** What answers requests; a Hono app is one. */
export interface Service {
  readonly fetch: Parameters<typeof createAdaptorServer>[0]['fetch'];
}

/** Serves until the signal is aborted and the requests under way are answered. */
export async function listen(app: Service, options: ListenOptions): Promise<void> {
  const { host, port, signal, onListening } = options;
  const server = createAdaptorServer({
    fetch: app.fetch,
    // It would cut a connection whose body was refused unread, before the client has seen the answer. Node reads such a
    // body to nowhere, and cuts it at the timeout.
    autoCleanupIncoming: false,
    serverOptions: {
      requestTimeout: HEADERS_TIMEOUT + (options.bodyTimeout ?? 10_000) + MARGIN,
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: CHECK_INTERVAL,
    },
  }) as Server;
  server.maxRequestsPerSocket = 10_000;
  server.timeout = options.idle ?? IDLE;
  server.maxConnections = options.connections ?? 1_024;
  // Those that are kept for a next request make room.
  server.on('drop', () => server.closeIdleConnections());
  // A kept-alive connection would hold up the end of a stopping service once its answer is out.
  server.on('request', (_request, response) => {
    response.once('close', () => {
      if (signal.aborted) setImmediate(() => server.closeIdleConnections());
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  onListening(typeof address === 'object' && address !== null ? address.port : port);
  await aborted(signal);
  const late = setTimeout(() => server.closeAllConnections(), GRACE);
  await settled();
  const closed = new Promise<void>((resolve) => {
    // Node's own method for HTTP would cut connections whose requests it has not read yet.
    NetServer.prototype.close.call(server, () => resolve());
  });
  await settled();
  server.closeIdleConnections();
  await closed;
  clearTimeout(late);
  // It is closed; this ends its timers.
  server.close(() => undefined);
}

/** Waits until nothing keeps the process from reading, so that no request stands unread any more. */
async function settled(): Promise<void> {
  const end = performance.now() + GRACE;
  for (let begin = performance.now(); begin < end; begin = performance.now()) {
    await delay(SETTLE);
    if (performance.now() - begin < 2 * SETTLE) return;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
