import * as z from 'zod';
import { HarvestError } from '../errors.js';
import { fileSource } from '../file-source.js';
import type { ByteSource } from '../source.js';
import { HubCache, sizeOf } from './hub-cache.js';
import { download } from './hub-download.js';
import { endpointOf, type HubOptions, isOffline } from './hub-options.js';
import { hubGet } from './hub-request.js';

/** The Parquet files of a data set, on disk. */
export interface HubDataset {
  readonly sources: readonly ByteSource[];
  /** Commit of the files, where the hub named one. */
  readonly revision: string | null;
  readonly licence: string | null;
}

const Listing = z.record(z.string(), z.record(z.string(), z.array(z.string())));
const Info = z.object({
  cardData: z.object({ license: z.union([z.string(), z.array(z.string())]).nullish() }).nullish(),
  tags: z.array(z.string()).nullish(),
});
const NAME = /^[\w.-]{1,96}(?:\/[\w.-]{1,96})?$/u;

interface Wanted {
  readonly config: string;
  readonly split: string;
  readonly path: string;
  readonly url: URL;
}

async function getJson(url: URL, options: HubOptions): Promise<unknown> {
  const { response } = await hubGet(url, options);
  try {
    return await response.json();
  } catch (error) {
    throw new HarvestError(
      'hub-failed',
      `the hub answered ${options.dataset} with something that is not JSON`,
      { cause: error },
    );
  }
}

/** The link of a listing, moved to the endpoint in use: a mirror lists links to the hub that it mirrors. */
function onEndpoint(link: string, endpoint: URL): URL {
  const url = new URL(link, endpoint);
  const prefix = endpoint.pathname.replace(/\/+$/u, '');
  return new URL(`${prefix}${url.pathname}${url.search}`, endpoint.origin);
}

function choose(listing: z.output<typeof Listing>, endpoint: URL, options: HubOptions): Wanted[] {
  const wanted: Wanted[] = [];
  for (const [config, splits] of Object.entries(listing)) {
    if (options.config !== undefined && options.config !== config) continue;
    for (const [split, links] of Object.entries(splits)) {
      if (options.split !== undefined && options.split !== split) continue;
      for (const [index, link] of links.entries()) {
        const path = `${config}/${split}/${String(index).padStart(4, '0')}.parquet`;
        wanted.push({ config, split, path, url: onEndpoint(link, endpoint) });
      }
    }
  }
  if (wanted.length > 0) return wanted;
  const has = Object.entries(listing).map(
    ([config, splits]) => `${config}: ${Object.keys(splits).join(', ')}`,
  );
  throw new HarvestError(
    'not-found',
    `${options.dataset} has no such configuration or split; it has ${has.join('; ') || 'no Parquet files'}`,
  );
}

async function licenceOf(endpoint: URL, options: HubOptions): Promise<string | null> {
  try {
    const parsed = Info.safeParse(
      await getJson(onEndpoint(`/api/datasets/${options.dataset}`, endpoint), options),
    );
    if (!parsed.success) return null;
    const stated = parsed.data.cardData?.license;
    const text = Array.isArray(stated) ? stated.join(' OR ') : stated;
    return (
      text ??
      parsed.data.tags?.find((tag) => tag.startsWith('license:'))?.slice('license:'.length) ??
      null
    );
  } catch (error) {
    // The rows are worth having where only the card is missing.
    if (HarvestError.is(error)) return null;
    throw error;
  }
}

async function named(file: string, path: string, { dataset }: HubOptions): Promise<ByteSource> {
  const source = await fileSource(file, `${dataset}/${path}`);
  // The cache is no folder of the source's own files.
  return { ...source, sibling: async () => null };
}

async function fromCache(cache: HubCache, options: HubOptions): Promise<HubDataset | null> {
  const held = await cache.files();
  if (held === null) return null;
  const files = held.files.filter(({ path }) => {
    const steps = path.split('/');
    const config = options.config === undefined || steps[0] === options.config;
    return (
      config &&
      (options.split === undefined ||
        steps.some((step) => step === options.split || step.startsWith(`${options.split}-`)))
    );
  });
  if (files.length === 0) return null;
  const sources = await Promise.all(files.map(({ file, path }) => named(file, path, options)));
  return { sources, revision: held.commit, licence: null };
}

/**
 * The Parquet files of a data set on the Hugging Face hub, from the cache where they are whole, otherwise downloaded into it.
 *
 * @throws HarvestError `gated`, `not-found`, `offline` (and nothing in the cache), `hash-mismatch`, `hub-failed`
 */
export async function hubSources(options: HubOptions): Promise<HubDataset> {
  if (!NAME.test(options.dataset) || options.dataset.includes('..')) {
    throw new HarvestError(
      'bad-option',
      `${JSON.stringify(options.dataset)} is not the name of a data set; write owner/name`,
    );
  }
  const cache = new HubCache(options);
  const endpoint = endpointOf(options.env);
  if (isOffline(options)) {
    const held = await fromCache(cache, options);
    if (held !== null) return held;
    throw new HarvestError(
      'offline',
      `${options.dataset} is not in the cache, and --offline forbids to ask the hub`,
    );
  }
  let listing: unknown;
  try {
    listing = await getJson(
      onEndpoint(`/api/datasets/${options.dataset}/parquet`, endpoint),
      options,
    );
  } catch (error) {
    // What was fetched before is as good when the hub is out of reach.
    const held =
      HarvestError.is(error) && error.code === 'offline' ? await fromCache(cache, options) : null;
    if (held !== null) return held;
    throw error;
  }
  const parsed = Listing.safeParse(listing);
  if (!parsed.success)
    throw new HarvestError(
      'hub-failed',
      `the hub's list of the files of ${options.dataset} has another form than expected`,
    );
  const licence = await licenceOf(endpoint, options);
  const sources: ByteSource[] = [];
  let revision: string | null = null;
  for (const { path, url } of choose(parsed.data, endpoint, options)) {
    const got =
      (await inCache(cache, path, url, options)) ?? (await download(url, path, cache, options));
    revision ??= got.commit;
    if (got.commit !== null) await cache.remember(got.commit);
    sources.push(await named(got.file, path, options));
  }
  return { sources, revision, licence };
}

/** The whole file in the cache, where it is the one that the hub has now. */
async function inCache(
  cache: HubCache,
  path: string,
  url: URL,
  options: HubOptions,
): Promise<{ file: string; commit: string } | null> {
  const { response, linked } = await hubGet(url, options, { method: 'HEAD' });
  await response.body?.cancel();
  if (linked.commit === null) return null;
  const file = cache.snapshot(linked.commit, path);
  const size = await sizeOf(file);
  return size > 0 && (linked.size === null || size === linked.size)
    ? { file, commit: linked.commit }
    : null;
}
