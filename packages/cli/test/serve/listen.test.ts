import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/serve/listen.js';

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
    let served: Promise<void> | undefined;
    const port = await new Promise<number>((resolve) => {
      served = listen(app, {
        host: '127.0.0.1',
        port: 0,
        signal: stop.signal,
        onListening: resolve,
      });
    });
    const answer = fetch(`http://127.0.0.1:${port}/slow`);
    await underWay;
    stop.abort();
    release();
    expect(await (await answer).text()).toBe('done');
    await served;
    await expect(fetch(`http://127.0.0.1:${port}/slow`)).rejects.toThrow('fetch failed');
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
