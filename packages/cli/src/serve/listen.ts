import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Aborting it stops the service gracefully. */
  readonly signal: AbortSignal;
  /** Told the port when the service is up. */
  readonly onListening: (port: number) => void;
}

/** Milliseconds that requests under way get when the service stops. */
const GRACE = 10_000;
/** Milliseconds in which a request must have arrived whole, so that slow senders cannot hold the places. */
const REQUEST_TIMEOUT = 15_000;

/** Serves until the signal is aborted and the requests under way are answered. */
export async function listen(app: Hono, options: ListenOptions): Promise<void> {
  const { host, port, signal, onListening } = options;
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.headersTimeout = REQUEST_TIMEOUT;
  server.maxRequestsPerSocket = 10_000;
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
  await new Promise<void>((resolve) => {
    const stop = () => {
      const late = setTimeout(() => server.closeAllConnections(), GRACE);
      server.close(() => {
        clearTimeout(late);
        resolve();
      });
      server.closeIdleConnections();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
