import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly range: string | undefined;
}

export interface Loopback {
  readonly origin: string;
  readonly seen: Seen[];
  readonly close: () => Promise<void>;
}

/** An HTTP server on the loopback interface that remembers what it was asked. */
export async function loopback(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Loopback> {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    seen.push({
      method: request.method ?? '',
      path: request.url ?? '',
      authorization: request.headers.authorization,
      range: request.headers.range,
    });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const COMMIT = 'a'.repeat(40);

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface Behaviour {
  readonly content: Uint8Array;
  readonly etag?: string;
  readonly size?: number;
  /** The token that the hub wants. */
  readonly token?: string;
  /** Answer for those without it. */
  readonly refusal?: { readonly status: number; readonly code?: string };
  /** Breaks the connection of the first so many downloads after so many bytes. */
  readonly breaks?: { readonly times: number; readonly after: number };
  readonly ignoreRange?: boolean;
}

/** A hub with one data set `acme/set`, whose file lies on another origin, as on the real one. */
export async function fakeHub(
  behaviour: Behaviour,
): Promise<{ hub: Loopback; store: Loopback; close: () => Promise<void> }> {
  const { content } = behaviour;
  let broken = 0;
  const store = await loopback((request, response) => {
    const from = Number(/bytes=(\d+)-/u.exec(request.headers.range ?? '')?.[1] ?? 0);
    const start = behaviour.ignoreRange === true ? 0 : from;
    if (start >= content.length) {
      response.writeHead(416).end();
      return;
    }
    const body = content.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, { 'content-length': body.length });
    if (request.method === 'HEAD') response.end();
    else if (behaviour.breaks !== undefined && broken < behaviour.breaks.times) {
      broken += 1;
      // A reset throws away what the client has not read yet, so it is given time to read.
      response.write(body.subarray(0, behaviour.breaks.after), () =>
        setTimeout(() => response.destroy(), 250),
      );
    } else response.end(body);
  });
  const hub = await loopback((request, response) => {
    const path = request.url ?? '';
    if (
      behaviour.token !== undefined &&
      request.headers.authorization !== `Bearer ${behaviour.token}`
    ) {
      const { status = 401, code } = behaviour.refusal ?? {};
      response.writeHead(status, code === undefined ? {} : { 'x-error-code': code }).end();
    } else if (path === '/api/datasets/acme/set/parquet') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          default: {
            train: [
              'https://elsewhere.invalid/api/datasets/acme/set/parquet/default/train/0.parquet',
            ],
          },
        }),
      );
    } else if (path === '/api/datasets/acme/set') {
      response.end(JSON.stringify({ cardData: { license: 'mit' } }));
    } else if (path === '/api/datasets/acme/set/parquet/default/train/0.parquet') {
      response
        .writeHead(302, {
          location:
            '/datasets/acme/set/resolve/refs%2Fconvert%2Fparquet/default/train/0000.parquet',
        })
        .end();
    } else if (path.startsWith('/datasets/acme/set/resolve/')) {
      response
        .writeHead(302, {
          location: `${store.origin}/blob`,
          'x-repo-commit': COMMIT,
          'x-linked-size': behaviour.size ?? content.length,
          'x-linked-etag': `"${behaviour.etag ?? sha256(content)}"`,
        })
        .end();
    } else response.writeHead(404).end();
  });
  return { hub, store, close: async () => void (await Promise.all([hub.close(), store.close()])) };
}
