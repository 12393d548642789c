import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const;

export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves one page on the loopback address. A request that does not name this address is refused, so that no web site can read the page
 * through a host name of its own that leads here.
 */
export async function servePage(page: string, port: number): Promise<PageServer> {
  const bytes = Buffer.from(page);
  let hosts: readonly string[] = [];
  const server: Server = createServer((request, response) => {
    const refuse = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
    };
    if (!hosts.includes(request.headers.host ?? '')) {
      refuse(403, 'This page is served to this machine only.');
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(405, 'There is nothing here but a page to read.');
    } else if (request.url !== '/') {
      refuse(404, 'There is one page here: /');
    } else {
      response.writeHead(200, { ...HEADERS, 'content-length': bytes.length });
      response.end(request.method === 'HEAD' ? undefined : bytes);
    }
  });
  await new Promise<void>((ready, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', ready);
  });
  const { port: bound } = server.address() as AddressInfo;
  hosts = [`127.0.0.1:${bound}`, `localhost:${bound}`];
  return {
    url: `http://127.0.0.1:${bound}/`,
    close: () =>
      new Promise((closed) => {
        server.close(() => {
          closed();
        });
        server.closeAllConnections();
      }),
  };
}
