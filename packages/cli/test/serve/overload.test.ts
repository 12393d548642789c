import { afterEach, describe, expect, it } from 'vitest';
import { benign, gate, head, type Running, scanRequest, start, Wire } from './wire.js';

let service: Running | undefined;
const wires: Wire[] = [];

afterEach(async () => {
  for (const wire of wires.splice(0)) wire.socket.destroy();
  service?.stop();
  await service?.ended;
  service = undefined;
});

async function serve(...options: Parameters<typeof start>): Promise<number> {
  service = await start(...options);
  return service.port;
}

/** A connection that the service has already taken. */
async function connected(port: number): Promise<Wire> {
  const wire = new Wire(port);
  wires.push(wire);
  wire.send('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  expect((await wire.answer())?.status).toBe(200);
  return wire;
}

async function metric(port: number, name: string): Promise<string | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${port.toString()}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith(name));
}

describe('a service that is asked for more than it can do', () => {
  it.each([
    ['short', 'x'],
    ['long', 'x'.repeat(400_000)],
  ])('refuses with 429 what comes on top of %s texts, and recovers', async (_name, text) => {
    const { pause, open } = gate();
    const port = await serve({ concurrency: 2, pause });
    const many = await Promise.all(Array.from({ length: 24 }, () => connected(port)));
    let refusals = 0;
    for (const wire of many) wire.send(scanRequest(text));
    const answers = await Promise.all(
      many.map(async (wire) => {
        const answer = await wire.answer();
        if (answer?.status === 429) refusals += 1;
        if (refusals === 22) open();
        return answer;
      }),
    );
    const statuses = answers.map((answer) => answer?.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(22);
    const refused = answers.filter((answer) => answer?.status === 429);
    for (const answer of refused) expect(answer?.text).toMatch(/\r\nretry-after: 1\r\n/i);
    // The connections still serve, and no place is lost.
    for (const wire of many) {
      wire.send(scanRequest('x'));
      expect((await wire.answer())?.status).toBe(200);
    }
    expect(await metric(port, 'pab_in_flight')).toBe('pab_in_flight 0');
    expect(await metric(port, 'pab_requests_total{route="/v1/scan",status="429"}')).toMatch(/ 22$/);
  });

  it('keeps no place for a scan whose body is still coming', async () => {
    const port = await serve({ concurrency: 1 });
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => connected(port)));
    first?.send(`${head('content-length: 12')}{"text"`);
    second?.send(`${head('transfer-encoding: chunked')}3\r\n{"t\r\n`);
    await expect.poll(() => metric(port, 'pab_arriving')).toBe('pab_arriving 2');
    third?.send(scanRequest('x'));
    expect((await third?.answer())?.status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port.toString()}/healthz`)).status).toBe(200);
    second?.socket.destroy();
    await expect.poll(() => metric(port, 'pab_arriving')).toBe('pab_arriving 1');
    first?.send(':"y"}');
    expect((await first?.answer())?.status).toBe(200);
    expect(await metric(port, 'pab_in_flight')).toBe('pab_in_flight 0');
  });

  it('waits for a body so long and no longer, and ends with 408', async () => {
    const port = await serve({ bodyTimeout: 50 });
    const slow = await Promise.all([1, 2].map(() => connected(port)));
    slow[0]?.send(`${head('content-length: 12')}{"text"`);
    slow[1]?.send(`${head('transfer-encoding: chunked')}3\r\n{"t\r\n`);
    for (const wire of slow) {
      const answer = await wire.answer();
      expect(answer?.status).toBe(408);
      expect(answer?.text).toMatch(/\r\nconnection: close\r\n/i);
      expect(answer?.text).toContain('the body took longer than 0.05 seconds');
      expect(await wire.answer()).toBeUndefined();
    }
    expect(await metric(port, 'pab_arriving')).toBe('pab_arriving 0');
    expect(await metric(port, 'pab_requests_total{route="/v1/scan",status="408"}')).toMatch(/ 2$/);
  });

  it('lets the slowest body give way when there are too many', async () => {
    let clock = 0;
    const port = await serve({ mostArriving: 2, elapsed: () => clock });
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => connected(port)));
    const begin = `${head('content-length: 12')}{"text"`;
    first?.send(begin);
    await expect.poll(() => metric(port, 'pab_arriving')).toBe('pab_arriving 1');
    clock = 600;
    second?.send(begin);
    await expect.poll(() => metric(port, 'pab_arriving')).toBe('pab_arriving 2');
    // Nobody has had the second that each gets.
    third?.send(scanRequest('x'));
    const refused = await third?.answer();
    expect([refused?.status, refused?.text]).toEqual([
      429,
      expect.stringMatching(/retry-after: 1\r\n[\s\S]*too many bodies are on their way/),
    ]);
    clock = 1_100;
    third?.send(scanRequest('x'));
    expect((await third?.answer())?.status).toBe(200);
    expect((await first?.answer())?.status).toBe(408);
    second?.send(':"y"}');
    expect((await second?.answer())?.status).toBe(200);
  });

  it('lets no more text wait than four of the longest bodies', async () => {
    const { pause, open } = gate();
    const port = await serve({ concurrency: 64, maxBytes: 1_000, pause });
    const long = scanRequest('x'.repeat(900));
    const four = await Promise.all([1, 2, 3, 4].map(() => connected(port)));
    for (const wire of four) wire.send(long);
    await expect.poll(() => metric(port, 'pab_waiting')).toBe('pab_waiting 4');
    const other = await connected(port);
    other.send(long);
    expect((await other.answer())?.status).toBe(429);
    other.send(scanRequest('a short text'));
    await expect.poll(() => metric(port, 'pab_waiting')).toBe('pab_waiting 5');
    open();
    const answers = await Promise.all([...four, other].map((wire) => wire.answer()));
    expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('takes no more connections than it may, and makes room from those that do nothing', async () => {
    const port = await serve({}, { connections: 3 });
    const kept = await Promise.all([1, 2, 3].map(() => connected(port)));
    kept[0]?.send(`${head('content-length: 12')}{"text"`);
    await expect.poll(() => metric(port, 'pab_arriving').catch(() => '')).toBe('pab_arriving 1');
    // The two that did nothing have been closed for the one that asked; the one that sends stays.
    await expect.poll(() => kept.map(({ closed }) => closed)).toEqual([false, true, true]);
    kept[0]?.send(':"y"}');
    expect((await kept[0]?.answer())?.status).toBe(200);
  });

  it('answers /healthz between two scans, not after all of them', async () => {
    const order: string[] = [];
    let health: Wire | undefined;
    const port = await serve({
      concurrency: 10,
      scan: (scope, text) => {
        order.push('scan');
        // The thread is held, as by a long text: what is sent now has come by the end of the scan.
        if (order.length === 1) health?.send('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
        return benign(scope, text);
      },
    });
    health = await connected(port);
    const healthy = health;
    const many = await Promise.all(Array.from({ length: 10 }, () => connected(port)));
    const answered = (async () => {
      expect((await healthy.answer())?.status).toBe(200);
      order.push('healthz');
    })();
    for (const wire of many) wire.send(scanRequest('x'));
    await Promise.all([answered, ...many.map((wire) => wire.answer())]);
    expect(order).toHaveLength(11);
    expect(order.indexOf('healthz')).toBeLessThan(8);
  });

  it('refuses long bodies however they are announced, and the client gets to read why', async () => {
    const port = await serve({ maxBytes: 1_000 });
    const long = 'x'.repeat(600_000);
    const announced = await connected(port);
    announced.send(head('content-length: 600000') + long);
    expect((await announced.answer())?.status).toBe(413);
    // The rest of the body was read to nowhere, and the connection still serves.
    announced.send(scanRequest('x'));
    expect((await announced.answer())?.status).toBe(200);

    const chunked = await connected(port);
    chunked.send(`${head('transfer-encoding: chunked')}927c0\r\n${long}\r\n`);
    expect((await chunked.answer())?.status).toBe(413);
  });

  it('takes no more of a body than was announced', async () => {
    const seen: string[] = [];
    const port = await serve({
      scan: (scope, text) => {
        seen.push(text);
        return benign(scope, text);
      },
    });
    const wire = await connected(port);
    wire.send(`${head('content-length: 5')}{"text":"smuggled"}`);
    expect((await wire.answer())?.status).toBe(400);
    // What is left over is read as a request, is none, and ends the connection.
    expect([400, undefined]).toContain((await wire.answer())?.status);
    const both = await connected(port);
    both.send(
      `${head('content-length: 12', 'transfer-encoding: chunked')}c\r\n{"text":"y"}\r\n0\r\n\r\n`,
    );
    expect((await both.answer())?.status).toBe(400);
    expect(seen).toEqual([]);
  });
});
