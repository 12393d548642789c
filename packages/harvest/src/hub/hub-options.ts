/** Everything that the hub source takes from its surroundings. */
export interface HubOptions {
  /** `owner/name`, or a bare name of an old data set. */
  readonly dataset: string;
  /** Configuration; left out: all of them. */
  readonly config?: string;
  /** Split; left out: all of them. */
  readonly split?: string;
  /** `HF_TOKEN`, `HF_ENDPOINT`, `HF_HUB_OFFLINE`, `HF_HUB_CACHE`, `HF_HOME`, `XDG_CACHE_HOME` and `HOME` are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
  /** Cache folder; left out: that of `huggingface_hub`, from `env`. */
  readonly cache?: string;
  /** Reads the cache only. */
  readonly offline?: boolean;
  /** Waits before another attempt at a broken download. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (file: string, received: number, total: number | null) => void;
}

const DEFAULT_ENDPOINT = 'https://huggingface.co';

export function endpointOf(env: HubOptions['env']): URL {
  return new URL(env['HF_ENDPOINT']?.trim() || DEFAULT_ENDPOINT);
}

export function isOffline({ offline, env }: HubOptions): boolean {
  return offline === true || /^(?:1|true|yes|on)$/iu.test(env['HF_HUB_OFFLINE'] ?? '');
}
