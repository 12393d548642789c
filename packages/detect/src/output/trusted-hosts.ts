import { parse } from 'tldts';

/** An entry such as `example.com`, `*.example.com`, `.example.com` or `https://example.com/` as an address. */
function addressOf(entry: string): URL | undefined {
  const bare = entry
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^(?:\*\.|\.)+/, '');
  const url = `http://${bare}`;
  return bare !== '' && URL.canParse(url) ? new URL(url) : undefined;
}

function hostOf(entry: string): string | undefined {
  const address = addressOf(entry);
  return address === undefined ? undefined : plainHost(address.hostname);
}

const MEND = 'write the name of a host, such as docs.example.com, or leave the entry out';

/** Says why an entry is no host that could be trusted: it would trust nobody, anybody, or more than it says. */
export function domainProblem(entry: string): string | undefined {
  const address = addressOf(entry);
  const host = address === undefined ? '' : plainHost(address.hostname);
  if (address === undefined || host === '' || !/^[^*%\s]+$/.test(host)) {
    return `that is no host, so nothing would be trusted; ${MEND}`;
  }
  const { pathname, search, hash, username, password } = address;
  if (pathname !== '/' || search + hash + username + password !== '') {
    return `all of the host ${host} would be trusted, and not only this address; write ${host} if you mean that`;
  }
  const { publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  if (publicSuffix === host && (isIcann === true || isPrivate === true)) {
    return `anybody may have a host under ${host}, and all of them would be trusted; ${MEND}`;
  }
  return undefined;
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
