import { type ReplyOptions, Scanner, type ScanResult, type Scope } from '@pab/detect';
import { describe, expect, it } from 'vitest';
import { createApp, type LogLine, type ServiceOptions } from '../../src/serve/app.js';
import { gate } from './wire.js';

const finding = (scope: Scope, text: string): ScanResult => ({
  verdict: text.includes('hostile') ? 'malicious' : 'benign',
  score: text.includes('hostile') ? 54 : 0,
  detections: text.includes('hostile')
    ? [
        {
          id: 'PI-001',
          title: 'Override',
          severity: 'high',
          confidence: 0.9,
          tags: { atlas: ['AML.T0051.000'], owasp: ['LLM01:2026'] },
          matched: 'hostile',
          span: { start: 0, end: 7 },
          view: 'original',
        },
      ]
    : [],
  scope,
  inputLength: text.length,
  notes: [],
});

function service(options: Partial<ServiceOptions> = {}) {
  const log: LogLine[] = [];
  const seen: { scope: Scope; text: string; compared: ReplyOptions }[] = [];
  let clock = 0;
  const app = createApp({
    scan: (scope, text, compared) => {
      seen.push({ scope, text, compared });
      return finding(scope, text);
    },
    rulesetSize: () => 21,
    scannerVersion: '1.2.3',
    maxBytes: 1_000,
    concurrency: 2,
    now: () => new Date('2026-01-02T03:04:05Z'),
    elapsed: () => (clock += 2),
    log: (line) => log.push(line),
    ...options,
  });
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    app.request(path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  return { app, log, post, seen };
}

describe('the detector service', () => {
  it('answers a scan with its event', async () => {
    const { post, seen } = service();
    const body = JSON.stringify({
      text: 'hostile words',
      canaries: ['pbc-7k2m9q'],
      user: 'u1',
      session_id: 's1',
    });
    const response = await post('/v1/scan', body);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      TimeGenerated: '2026-01-02T03:04:05.000Z',
      EventType: 'PromptInjectionScan',
      Source: 'pab-serve',
      Direction: 'input',
      User: 'u1',
      SessionId: 's1',
      verdict: 'malicious',
      score: 54,
      input_length: 13,
      scanner_version: '1.2.3',
      ruleset_size: 21,
    });
    const compared = { canaries: ['pbc-7k2m9q'], suppliedUrls: [], conversationValues: [] };
    expect(seen).toEqual([{ scope: 'input', text: 'hostile words', compared }]);
  });

  it('has a path for every direction', async () => {
    const { post, seen } = service();
    for (const path of ['/v1/scan', '/v1/scan-context', '/v1/scan-output', '/v1/scan-tool']) {
      expect((await post(path, '{"text":"x"}')).status).toBe(200);
    }
    expect(seen.map(({ scope }) => scope)).toEqual(['input', 'context', 'output', 'tool']);
  });

  it('gives the raw text back only on request', async () => {
    const { post } = service();
    const without: unknown = await (await post('/v1/scan', '{"text":"plain"}')).json();
    const asked: unknown = await (
      await post('/v1/scan', '{"text":"plain","include_input":true}')
    ).json();
    expect(without).not.toHaveProperty('input');
    expect(asked).toHaveProperty('input', 'plain');
  });

  it.each([
    ['not json', 'the body is not JSON'],
    ['', 'the body is not JSON'],
    ['[]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['{}', 'text must be a string'],
    ['{"text":1}', 'text must be a string'],
    ['{"text":"x","txet":"y"}', 'unknown field'],
    ['{"text":"x","__proto__":{"a":1}}', 'unknown field'],
    ['{"text":"x","canaries":"y"}', 'canaries must be'],
    ['{"text":"x","canaries":[1]}', 'canaries must be'],
    ['{"text":"x","supplied_urls":{}}', 'supplied_urls must be at most 256 strings'],
    ['{"text":"x","conversation_values":[7]}', 'conversation_values must be at most 64 strings of'],
    ['{"text":"x","include_input":"yes"}', 'include_input must be'],
    ['{"text":"x","user":7}', 'user must be a string'],
  ])('refuses the body %s with 400', async (body, words) => {
    const { post, seen } = service();
    const response = await post('/v1/scan', body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(words);
    expect(seen).toEqual([]);
  });

  it('refuses a long body with 413, announced or not', async () => {
    const { app, post } = service();
    const long = JSON.stringify({ text: 'x'.repeat(2_000) });
    expect((await post('/v1/scan', long)).status).toBe(413);
    expect((await post('/v1/scan', long, { 'content-length': '2011' })).status).toBe(413);
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let index = 0; index < 20; index += 1) controller.enqueue(new Uint8Array(100));
        controller.close();
      },
    });
    const request = new Request('http://x/v1/scan', {
      method: 'POST',
      body: stream,
      duplex: 'half',
    });
    expect((await app.fetch(request)).status).toBe(413);
  });

  it('wants the token, and no other', async () => {
    const { post, app } = service({ token: 'secret-token' });
    const body = '{"text":"x"}';
    const missing = await post('/v1/scan', body);
    expect(missing.status).toBe(401);
    expect(missing.headers.get('www-authenticate')).toBe('Bearer');
    for (const header of [
      'Bearer wrong',
      'Bearer ',
      'secret-token',
      'Basic secret-token',
      'Bearer secret-token2',
    ]) {
      expect((await post('/v1/scan', body, { authorization: header })).status).toBe(401);
    }
    expect((await post('/v1/scan', body, { authorization: 'Bearer secret-token' })).status).toBe(
      200,
    );
    expect((await app.request('/healthz')).status).toBe(200);
  });

  it('answers 429 while it has its hands full, and recovers', async () => {
    const { pause, open } = gate();
    const { post } = service({ concurrency: 1, pause });
    const first = post('/v1/scan', '{"text":"x"}');
    await expect.poll(async () => (await post('/v1/scan', '{"text":"x"}')).status).toBe(429);
    const second = await post('/v1/scan', '{"text":"x"}');
    expect(second.headers.get('retry-after')).toBe('1');
    expect(await second.text()).toBe('{"error":"too many scans are waiting; try again"}');
    open();
    expect((await first).status).toBe(200);
    expect((await post('/v1/scan', '{"text":"x"}')).status).toBe(200);
  });

  it.each(['text/xml', 'text/html', 'application/jsonp', 'multipart/form-data; boundary=x'])(
    'refuses %s with 415',
    async (type) => {
      const { post, seen } = service();
      const response = await post('/v1/scan', '{"text":"x"}', { 'content-type': type });
      expect([response.status, await response.text()]).toEqual([
        415,
        '{"error":"send JSON with the header content-type: application/json"}',
      ]);
      expect(seen).toEqual([]);
    },
  );

  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.x+json'])(
    'takes %s',
    async (type) => {
      const { post } = service();
      const response = await post('/v1/scan', '{"text":"x"}', { 'content-type': type });
      expect(response.status).toBe(200);
    },
  );

  const unsaid = ['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', undefined];
  const from = (type: string | undefined, headers: Record<string, string> = {}) => ({
    method: 'POST',
    // Bytes, to which no content type is given.
    body: new TextEncoder().encode('{"text":"x=1&y"}'),
    headers: { ...(type === undefined ? {} : { 'content-type': type }), ...headers },
  });

  it.each(unsaid)('takes JSON that comes as %s, as from `curl -d`', async (type) => {
    const { app, seen } = service();
    expect((await app.request('/v1/scan', from(type))).status).toBe(200);
    expect(seen.map(({ text }) => text)).toEqual(['x=1&y']);
    const other = await app.request('/v1/scan', { ...from(type), body: 'text=hello' });
    expect(other.status).toBe(400);
    expect(await other.text()).toContain('the body is not JSON; send an object such as');
  });

  it.each(unsaid)(
    'refuses %s from a page in a browser, which needs no leave to send it',
    async (type) => {
      const { app, seen } = service();
      for (const header of [
        { origin: 'https://page.example' },
        { 'sec-fetch-site': 'cross-site' },
      ]) {
        expect((await app.request('/v1/scan', from(type, header))).status).toBe(415);
      }
      expect(seen).toEqual([]);
      const asked = from('application/json', { origin: 'https://page.example' });
      expect((await app.request('/v1/scan', asked)).status).toBe(200);
    },
  );

  it('refuses a packed body with 415, and one that is not UTF-8 with 400', async () => {
    const { app, post } = service();
    const packed = await post('/v1/scan', '{"text":"x"}', { 'content-encoding': 'gzip' });
    expect(packed.status).toBe(415);
    const bytes = Uint8Array.of(...new TextEncoder().encode('{"text":"'), 0xff, 0x22, 0x7d);
    const other = await app.request('/v1/scan', { method: 'POST', body: bytes });
    expect([other.status, await other.text()]).toEqual([400, '{"error":"the body is not UTF-8"}']);
  });

  it('says that a body broke off', async () => {
    const { app } = service();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    const request = new Request('http://x/v1/scan', { method: 'POST', body, duplex: 'half' });
    expect((await app.fetch(request)).status).toBe(400);
  });

  it('takes a body as deep as it can be long', async () => {
    const { post } = service({ maxBytes: 2_000_000 });
    const deep = `{"text":${'['.repeat(500_000)}${']'.repeat(500_000)}}`;
    expect((await post('/v1/scan', deep)).status).toBe(400);
  });

  it('refuses canaries where none are looked for', async () => {
    const { post } = service();
    for (const path of ['/v1/scan-context', '/v1/scan-tool']) {
      const response = await post(path, '{"text":"x","canaries":["pbc-7k2m9q"]}');
      expect([response.status, await response.text()]).toEqual([
        400,
        '{"error":"canaries are looked for in prompts and replies only"}',
      ]);
    }
  });

  it('passes on what the scanner says of a canary', async () => {
    const scanner = new Scanner();
    const { post } = service({
      scan: (_scope, text, { canaries }) => scanner.scan(text, { canaries }),
    });
    const response = await post('/v1/scan', '{"text":"x","canaries":["ab"]}');
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('a canary needs at least 6 letters and digits');
  });

  it('says no to other methods and paths', async () => {
    const { app } = service();
    for (const path of ['/healthz', '/metrics']) {
      const other = await app.request(path, { method: 'POST' });
      expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect((await app.request(path, { method: 'HEAD' })).status).toBe(200);
    }
    const get = await app.request('/v1/scan');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await app.request('/v2')).status).toBe(404);
  });

  it('answers 500 without a word of the text when a scan fails', async () => {
    const { post, log } = service({
      scan: () => {
        throw new Error('hostile words inside');
      },
    });
    const response = await post('/v1/scan', '{"text":"hostile words"}');
    expect([response.status, await response.text()]).toEqual([500, '{"error":"the scan failed"}']);
    expect(JSON.stringify(log)).not.toContain('hostile');
  });

  it('logs route, status and verdict, and nothing that a client wrote', async () => {
    const { app, post, log } = service();
    await post('/v1/scan-context', JSON.stringify({ text: 'hostile words', user: 'u-77' }));
    await app.request('/v1/hostile?text=hostile');
    expect(log.every(({ ms }) => ms > 0)).toBe(true);
    expect(log.map(({ ms: _ms, ...line }) => line)).toEqual([
      {
        time: '2026-01-02T03:04:05.000Z',
        method: 'POST',
        route: '/v1/scan-context',
        status: 200,
        verdict: 'malicious',
        score: 54,
      },
      {
        time: '2026-01-02T03:04:05.000Z',
        method: 'GET',
        route: 'other',
        status: 404,
      },
    ]);
  });

  it('counts for Prometheus', async () => {
    const { app, post } = service();
    await post('/v1/scan', '{"text":"hostile"}');
    await post('/v1/scan', '{"text":"plain"}');
    await post('/v1/scan', 'broken');
    const response = await app.request('/metrics');
    expect(response.headers.get('content-type')).toContain('version=0.0.4');
    const lines = (await response.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '# TYPE pab_requests_total counter',
        'pab_requests_total{route="/v1/scan",status="200"} 2',
        'pab_requests_total{route="/v1/scan",status="400"} 1',
        'pab_scans_total{scope="input",verdict="malicious"} 1',
        'pab_scans_total{scope="input",verdict="benign"} 1',
        'pab_detections_total{rule="PI-001"} 1',
        'pab_scanned_characters_total 12',
        'pab_scan_seconds_bucket{le="0.001"} 0',
        'pab_scan_seconds_bucket{le="0.0025"} 2',
        'pab_scan_seconds_bucket{le="+Inf"} 2',
        'pab_scan_seconds_count 2',
        'pab_in_flight 0',
      ]),
    );
  });

  it('writes metrics that Prometheus can read', async () => {
    const { app, post } = service();
    await post('/v1/scan', '{"text":"hostile"}');
    await app.request('/no/such"path\\');
    const lines = (await (await app.request('/metrics')).text()).split('\n');
    expect(lines.pop()).toBe('');
    const [words, values] = [true, false].map((word) =>
      lines.filter((line) => line.startsWith('#') === word),
    );
    for (const line of words ?? []) expect(line).toMatch(/^# (?:HELP|TYPE) pab_\w+ \S/);
    const types = (words ?? []).filter((line) => line.startsWith('# TYPE'));
    const typed = new Set(types.map((line) => line.split(' ')[2]));
    for (const line of values ?? []) {
      expect(line).toMatch(/^pab_\w+(?:\{(?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)+\})? [\d.e+-]+$/);
      const family = (/^\w+/.exec(line)?.[0] ?? '').replace(/_(?:bucket|sum|count)$/, '');
      expect(typed).toContain(family);
    }
    const samples = (values ?? []).map((line) => line.replace(/ \S+$/, ''));
    expect(samples.length).toBeGreaterThan(10);
    expect(new Set(samples).size).toBe(samples.length);
  });
});
