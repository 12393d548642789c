import { connect } from 'node:net';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/serve/listen.js';

async function serving(app: Hono, signal: AbortSignal) {
  let served: Promise<void> | undefined;
  const port = await new Promise<number>((resolve) => {
    served = listen(app, { host: '127.0.0.1', port: 0, signal, onListening: resolve });
  });
  return { served, port };
}

describe('listen', () => {
  it('serves on loopback, and when stopped first answers what is under way', async () => {
    const app = new Hono();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = () => {};
    const underWay = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    app.get('/slow', async (context) => {
      arrived();
      await gate;
      return context.text('done');
    });
    const stop = new AbortController();
    const { served, port } = await serving(app, stop.signal);
    const answer = fetch(`http://127.0.0.1:${port}/slow`);
    await underWay;
    stop.abort();
    release();
    expect(await (await answer).text()).toBe('done');
    await served;
    await expect(fetch(`http://127.0.0.1:${port}/slow`)).rejects.toThrow('fetch failed');
  });

  it('answers what came while it was busy, when it is stopped then', async () => {
    const app = new Hono();
    const stop = new AbortController();
    const block = (ms: number) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    app.get('/busy', (context) => {
      stop.abort();
      // Meanwhile the others connect and send, and nobody reads them.
      block(300);
      return context.text('done');
    });
    const { served, port } = await serving(app, stop.signal);
    const answers = Array.from({ length: 6 }, async () => {
      const response = await fetch(`http://127.0.0.1:${port}/busy`);
      return response.text();
    });
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 6 }, () => 'done'));
    await served;
  });

  it('cuts off a client that does not read its answer', async () => {
    const app = new Hono();
    app.get('/long', (context) => context.body(new Uint8Array(50_000_000)));
    const stop = new AbortController();
    let served: Promise<void> | undefined;
    const port = await new Promise<number>((resolve) => {
      served = listen(app, {
        host: '127.0.0.1',
        port: 0,
        idle: 100,
        signal: stop.signal,
        onListening: resolve,
      });
    });
    const socket = connect(port, '127.0.0.1');
    let read = 0;
    const gone = new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      socket.once('error', () => {});
    });
    socket.once('readable', () => {
      // It has begun to come; nothing is taken until the service has given up.
      setTimeout(() => {
        socket.on('data', (piece: Buffer) => {
          read += piece.length;
        });
      }, 600);
    });
    socket.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n');
    await gone;
    expect(read).toBeLessThan(50_000_000);
    stop.abort();
    await served;
  });

  it('reports a port that is taken', async () => {
    const stop = new AbortController();
    const app = new Hono();
    let first: Promise<void> | undefined;
    const port = await new Promise<number>((resolve) => {
      first = listen(app, {
        host: '127.0.0.1',
        port: 0,
        signal: stop.signal,
        onListening: resolve,
      });
    });
    await expect(
      listen(app, { host: '127.0.0.1', port, signal: stop.signal, onListening: () => {} }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE' });
    stop.abort();
    await first;
  });
});
