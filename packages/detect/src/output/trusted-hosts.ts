/** The host of an entry such as `example.com`, `*.example.com`, `.example.com` or `https://example.com/`. */
function hostOf(entry: string): string | undefined {
  const bare = entry
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^(?:\*\.|\.)+/, '');
  const url = `http://${bare}`;
  if (bare === '' || !URL.canParse(url)) return undefined;
  return plainHost(new URL(url).hostname);
}

/** A name is the same with and without its final dot. */
export function plainHost(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/**
 * Tests a host against trusted names: it is one of them or ends in a dot and one of them. Names are compared in
 * the form that is looked up, so a host of look-alike letters is another host.
 */
export function trustedHosts(domains: readonly string[]): (hostname: string) => boolean {
  const names = new Set(domains.map(hostOf).filter((host) => host !== undefined));
  return (hostname) => {
    if (names.size === 0) return false;
    let host = plainHost(hostname);
    for (;;) {
      if (names.has(host)) return true;
      const dot = host.indexOf('.');
      if (dot === -1) return false;
      host = host.slice(dot + 1);
    }
  };
}
