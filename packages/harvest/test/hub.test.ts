import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HubOptions, hubSources } from '../src/index.js';
import { readWhole } from '../src/source.js';
import { type Behaviour, COMMIT, fakeHub, loopback, sha256 } from './hub-server.js';

const CONTENT = Buffer.from('PAR1 some bytes of a file '.repeat(2000));
const SECRET = 'hub-token-for-tests';

describe('the hub', () => {
  let cache = '';
  let closing: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'pab-hub-'));
    closing = [];
  });
  afterEach(async () => {
    for (const close of closing) await close();
    await rm(cache, { recursive: true, force: true });
  });

  async function start(behaviour: Partial<Behaviour> = {}) {
    const server = await fakeHub({ content: CONTENT, ...behaviour });
    closing.push(server.close);
    const options = (extra: Partial<HubOptions> = {}): HubOptions => ({
      dataset: 'acme/set',
      env: { HF_ENDPOINT: server.hub.origin },
      fetch: globalThis.fetch,
      cache,
      ...extra,
    });
    return { ...server, options };
  }

  it('gives the Parquet files with their commit and licence, over two redirects', async () => {
    const { options } = await start();
    const found = await hubSources(options());
    expect(found).toMatchObject({ revision: COMMIT, licence: 'mit' });
    expect(found.sources.map(({ name, size }) => [name, size])).toEqual([
      ['acme/set/default/train/0000.parquet', CONTENT.length],
    ]);
    const [source] = found.sources;
    expect(source === undefined ? null : await readWhole(source, 1e9)).toEqual(
      new Uint8Array(CONTENT),
    );
  });

  it('sends the token to the hub and to no other origin', async () => {
    const { hub, store, options } = await start({ token: SECRET });
    await hubSources(options({ env: { HF_ENDPOINT: hub.origin, HF_TOKEN: SECRET } }));
    expect(hub.seen.every(({ authorization }) => authorization === `Bearer ${SECRET}`)).toBe(true);
    expect(store.seen.length).toBeGreaterThan(0);
    expect(store.seen.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('takes the file from the cache the second time, and works offline then', async () => {
    const { hub, store, options } = await start();
    await hubSources(options());
    const before = store.seen.filter(({ method }) => method === 'GET').length;
    await hubSources(options());
    expect(store.seen.filter(({ method }) => method === 'GET')).toHaveLength(before);
    const asked = hub.seen.length;
    const offline = await hubSources(options({ offline: true, split: 'train' }));
    expect(offline.sources).toHaveLength(1);
    expect(offline.revision).toBe(COMMIT);
    const byVariable = await hubSources(
      options({ env: { HF_ENDPOINT: hub.origin, HF_HUB_OFFLINE: '1' } }),
    );
    expect(byVariable.sources).toHaveLength(1);
    expect(hub.seen).toHaveLength(asked);
  });

  it('uses the cache when the hub is out of reach, and says so when there is none', async () => {
    const { options } = await start();
    await hubSources(options());
    const away = { HF_ENDPOINT: 'http://127.0.0.1:9' };
    expect((await hubSources(options({ env: away }))).sources).toHaveLength(1);
    await expect(hubSources(options({ env: away, dataset: 'acme/other' }))).rejects.toMatchObject({
      code: 'offline',
      message:
        'cannot reach http://127.0.0.1:9: the machine is offline, or the endpoint is wrong (HF_ENDPOINT)',
    });
    await expect(
      hubSources(options({ offline: true, dataset: 'acme/other' })),
    ).rejects.toMatchObject({ code: 'offline' });
  });

  it('takes up a broken download where it broke', async () => {
    const { store, options } = await start({ breaks: { times: 2, after: 10_000 } });
    const waits: number[] = [];
    const found = await hubSources(options({ sleep: async (ms) => void waits.push(ms) }));
    const ranges = store.seen.filter(({ method }) => method === 'GET').map(({ range }) => range);
    expect(ranges[0]).toBeUndefined();
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/u.test(range ?? ''))).toBe(true);
    expect(waits).toEqual([1000, 2000]);
    expect(found.sources[0]?.size).toBe(CONTENT.length);
  });

  it('keeps what it has for the next run when the connection breaks every time', async () => {
    const first = await start({ breaks: { times: 99, after: 3000 } });
    await expect(hubSources(first.options())).rejects.toThrow(/broke/u);
    const next = await start();
    await hubSources(next.options());
    const get = next.store.seen.find(({ method }) => method === 'GET');
    expect(get?.range).toMatch(/^bytes=[1-9]\d{3,}-$/u);
  });

  it('begins anew where the server knows no ranges', async () => {
    const { options } = await start({ breaks: { times: 1, after: 5000 }, ignoreRange: true });
    expect((await hubSources(options())).sources[0]?.size).toBe(CONTENT.length);
  });

  it.each([
    ['hash', { etag: sha256(Buffer.from('other')) }, 'does not have the hash that the hub says'],
    [
      'size',
      { size: CONTENT.length - 5, etag: 'opaque' },
      `where the hub says ${CONTENT.length - 5}`,
    ],
    ['git hash', { etag: 'b'.repeat(40) }, 'does not have the hash that the hub says'],
  ])('throws away a file with the wrong %s', async (_name, behaviour, message) => {
    const { options } = await start(behaviour);
    await expect(hubSources(options())).rejects.toMatchObject({ code: 'hash-mismatch' });
    await expect(hubSources(options())).rejects.toThrow(message);
    const left = await readdir(cache, { recursive: true });
    expect(
      left.filter((name) => /parquet|incomplete/u.test(name) && !name.includes('refs')),
    ).toEqual([]);
  });

  it.each([
    [
      401,
      'GatedRepo',
      undefined,
      /^acme\/set is gated: accept its terms at http:\S+\/datasets\/acme\/set, then set HF_TOKEN$/u,
    ],
    [403, 'GatedRepo', 'wrong', /HF_TOKEN is set, but it does not give access$/u],
    [401, undefined, undefined, /private or gated, or does not exist; set HF_TOKEN$/u],
  ])('says plainly that a set is gated: HTTP %i, %s', async (status, code, token, message) => {
    const { hub, options } = await start({
      token: SECRET,
      refusal: { status, ...(code === undefined ? {} : { code }) },
    });
    const env = { HF_ENDPOINT: hub.origin, ...(token === undefined ? {} : { HF_TOKEN: token }) };
    const asked = hubSources(options({ env }));
    await expect(asked).rejects.toMatchObject({ code: 'gated' });
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.not.toThrow(SECRET);
  });

  it('names the configurations and splits that there are', async () => {
    const { options } = await start();
    await expect(hubSources(options({ split: 'test' }))).rejects.toMatchObject({
      code: 'not-found',
      message: 'acme/set has no such configuration or split; it has default: train',
    });
    await expect(hubSources(options({ dataset: 'acme/none' }))).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it.each(['', 'a/b/c', '../x', 'a b', 'acme/..'])('refuses %j as a name', async (dataset) => {
    const { options } = await start();
    await expect(hubSources(options({ dataset }))).rejects.toMatchObject({ code: 'bad-option' });
  });

  it.each([
    ['a loop', (origin: string) => `${origin}/api/datasets/acme/set/parquet`],
    ['another protocol', () => 'ftp://127.0.0.1/file'],
  ])('does not follow %s', async (_name, location) => {
    const server = await loopback((request, response) => {
      response.writeHead(302, { location: location(`http://${request.headers.host ?? ''}`) }).end();
    });
    closing.push(server.close);
    const asked = hubSources({
      dataset: 'acme/set',
      env: { HF_ENDPOINT: server.origin },
      fetch: globalThis.fetch,
      cache,
    });
    await expect(asked).rejects.toMatchObject({ code: 'hub-failed' });
  });

  it('refuses a list of another form', async () => {
    const server = await loopback((_request, response) => void response.end('{"default": "all"}'));
    closing.push(server.close);
    const asked = hubSources({
      dataset: 'acme/set',
      env: { HF_ENDPOINT: server.origin },
      fetch: globalThis.fetch,
      cache,
    });
    await expect(asked).rejects.toThrow('has another form than expected');
  });

  it('keeps names that a hostile hub gives inside the cache', async () => {
    const server = await loopback((request, response) => {
      const path = request.url ?? '';
      if (path.endsWith('/parquet'))
        response.end(JSON.stringify({ '../../../escape': { '..': ['/api/file'] } }));
      else if (path === '/api/file')
        response.writeHead(200, { 'x-repo-commit': '../../evil' }).end('PAR1');
      else response.writeHead(404).end();
    });
    closing.push(server.close);
    await hubSources({
      dataset: 'acme/set',
      env: { HF_ENDPOINT: server.origin },
      fetch: globalThis.fetch,
      cache,
    });
    const names = await readdir(cache, { recursive: true });
    expect(names.every((name) => name.startsWith('datasets--acme--set'))).toBe(true);
    const file = names.find((name) => name.includes('snapshots') && name.endsWith('.parquet'));
    expect(await readFile(join(cache, file ?? ''), 'utf8')).toBe('PAR1');
  });
});
