import { getDomain } from 'tldts';
import { percentDecoded } from './links.js';
import { plainHost } from './trusted-hosts.js';

/** One part of a URL in which data can travel, decoded. */
export interface Piece {
  readonly where: 'subdomain' | 'path' | 'query' | 'fragment' | 'userinfo';
  /** Name of the parameter, lower-cased; empty elsewhere. */
  readonly name: string;
  readonly value: string;
}

/** Parts beyond this many are taken together as one, so that a URL cannot be made costly. */
const MOST_PARTS = 64;

function split(text: string, separator: RegExp): string[] {
  const parts = text.split(separator);
  if (parts.length <= MOST_PARTS) return parts;
  return [...parts.slice(0, MOST_PARTS), parts.slice(MOST_PARTS).join('')];
}

export function pairsOf(text: string): { name: string; value: string }[] {
  return split(text, /[&;]/).map((pair) => {
    const equals = pair.indexOf('=');
    const name = equals === -1 ? '' : pair.slice(0, equals);
    const value = pair.slice(equals + 1).replaceAll('+', ' ');
    return { name: percentDecoded(name).toLowerCase(), value: percentDecoded(value) };
  });
}

/** The labels before the name that somebody registered, in the case in which they are written. */
function labelsOf(hostname: string, address: string): string[] {
  const host = plainHost(hostname);
  const owned = getDomain(host, { allowPrivateDomains: true });
  if (owned === null || owned === host) return [];
  const written = /^[^:]{0,8}:[/\\]*(?:[^/\\?#@]*@)*([^/\\?#:@]*)/.exec(address)?.[1] ?? '';
  const cased = written.toLowerCase().startsWith(host) ? written : host;
  return cased
    .slice(0, host.length - owned.length - 1)
    .split('.')
    .slice(0, MOST_PARTS);
}

/** Takes a valid URL apart. A parameter with no name, and a fragment that is none, are one value. */
export function piecesOf(address: string, url: URL): Piece[] {
  const pieces: Piece[] = [];
  for (const value of labelsOf(url.hostname, address))
    pieces.push({ where: 'subdomain', name: '', value });
  for (const part of [url.username, url.password]) {
    if (part !== '') pieces.push({ where: 'userinfo', name: '', value: percentDecoded(part) });
  }
  for (const segment of split(url.pathname, /\//)) {
    if (segment === '') continue;
    // Matrix parameters: `/path;name=value`.
    const [first = '', ...rest] = segment.split(';');
    pieces.push({ where: 'path', name: '', value: percentDecoded(first) });
    for (const { name, value } of rest.flatMap(pairsOf)) {
      pieces.push({ where: 'query', name, value });
    }
  }
  if (url.search.length > 1) {
    for (const { name, value } of pairsOf(url.search.slice(1))) {
      pieces.push({ where: 'query', name, value });
      // The name of a parameter can be the data.
      if (name.length >= 12 && value !== '') pieces.push({ where: 'query', name: '', value: name });
    }
  }
  if (url.hash.length > 1) {
    for (const { name, value } of pairsOf(url.hash.slice(1))) {
      pieces.push({ where: 'fragment', name, value });
    }
  }
  return pieces;
}

/**
 * Addresses within an address: what redirects would go to, also escaped once or twice. Each ends where the next
 * begins; the first is also given with all that follows it.
 */
export function nestedUrls(url: URL): string[] {
  const rest = url.href.slice(url.origin.length);
  // Most addresses have no room for another one.
  if (!/:|%|[/\\]{2}/.test(rest)) return [];
  const once = percentDecoded(rest);
  const found = new Set<string>();
  for (const reading of new Set([rest, once, percentDecoded(once)])) {
    const starts = Array.from(
      reading.matchAll(/(?:https?|ftp|wss?):[/\\]{1,2}|(?<==)[/\\]{2}(?=[^/\\])/gi),
      (match) => match.index,
    );
    const first = starts[0];
    if (first !== undefined) found.add(reading.slice(first));
    for (const [i, start] of starts.entries()) found.add(reading.slice(start, starts[i + 1]));
  }
  return Array.from(found, (one) => (/^[/\\]/.test(one) ? `https:${one}` : one));
}
