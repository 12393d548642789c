import { decodeEntities } from './decode-markup.js';

/** A URL as it stands in a text, with the host that it goes to. */
export interface VisibleUrl {
  readonly url: string;
  /** Lower case, without port and credentials. */
  readonly host: string;
}

const ENDS_URL = /[\s<>"`]/;

function schemeBefore(text: string, slashes: number): number {
  let start = slashes;
  if (text[start - 1] === ':') {
    start -= 1;
    while (start > 0 && slashes - start < 20 && /[a-z0-9+.-]/i.test(text.charAt(start - 1))) {
      start -= 1;
    }
  }
  return start;
}

/** Where a URL ends: at white space, quotes or angle brackets, or at a bracket that it did not open. */
function endOf(text: string, from: number): number {
  let round = 0;
  let square = 0;
  let at = from;
  for (; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (ENDS_URL.test(char)) break;
    if (char === '(') round += 1;
    else if (char === '[') square += 1;
    else if (char === ')') {
      if (round === 0) break;
      round -= 1;
    } else if (char === ']') {
      if (square === 0) break;
      square -= 1;
    }
  }
  while (at > from && /[.,;:!?'*_]/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

function hostOf(afterSlashes: string): string {
  const authority = /^[^/?#\\]*/.exec(afterSlashes)?.[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  let plain = host;
  try {
    plain = decodeURIComponent(host);
  } catch {
    // A host with stray percent signs is taken as it stands.
  }
  return plain
    .normalize('NFKC')
    .replaceAll('。', '.')
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/\.+$/, '');
}

/** URLs with two slashes (any scheme, or none), in order; HTML entities are read, and `\` counts as `/`, as in a browser. */
export function visibleUrls(markdown: string): VisibleUrl[] {
  const text = decodeEntities(markdown);
  const urls: VisibleUrl[] = [];
  const slashes = /[/\\]{2,}/g;
  for (let match = slashes.exec(text); match !== null; match = slashes.exec(text)) {
    const start = schemeBefore(text, match.index);
    const rest = match.index + match[0].length;
    const end = endOf(text, rest);
    const host = hostOf(text.slice(rest, end));
    if (host !== '') urls.push({ url: text.slice(start, end), host });
    slashes.lastIndex = Math.max(end, rest);
  }
  return urls;
}

const WITHOUT_SCHEME =
  /(?:mailto:|www\.)[^\s<>"`]+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+[/?#][^\s<>"`]+/giu;

/** Everything in a text that a reader or a program would take for an address: URLs, `mailto:`, and `host.tld/path` without a scheme. */
export function addressesIn(text: string): string[] {
  const addresses = visibleUrls(text).map(({ url }) => url);
  for (const word of text.split(/[\s<>"`]+/)) {
    // Long words are bounded here, so that the pattern stays linear.
    if (word.length > 2 && /[./:]/.test(word) && !word.includes('//')) {
      const match = word.slice(0, 4096).match(WITHOUT_SCHEME);
      if (match !== null) for (const one of match) addresses.push(one);
    }
  }
  return addresses;
}

/** Whether a host is the named one or lies under it. */
export function isUnder(host: string, named: string): boolean {
  const parent = named.toLowerCase().replace(/:\d*$/, '').replace(/\.+$/, '');
  return host === parent || host.endsWith(`.${parent}`);
}
