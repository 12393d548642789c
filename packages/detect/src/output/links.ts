import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { attributePlaces, stylePlaces } from './attributes.js';
import { bareUrls } from './bare-urls.js';
import { bracketPlaces } from './brackets.js';
import type { Place } from './places.js';

/** A target of a link or of something that is loaded. */
export interface Link {
  /** Absolute, as written but decoded; not yet parsed. */
  readonly url: string;
  /** UTF-16 range in the text. */
  readonly start: number;
  readonly end: number;
  /** Loaded when the reply is shown, with no click. */
  readonly loads: boolean;
}

/** HTML in an attribute (`srcdoc`, `data:`) may hold HTML in an attribute; deeper than this nobody looks. */
const DEEPEST = 2;

/** Targets with less than a scheme, a host and one more character lead nowhere. */
const SHORTEST = 8;

function decodeCss(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replaceAll(
    /\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi,
    (_all, hex: unknown, plain: unknown) => {
      if (typeof hex !== 'string') return String(plain);
      const code = Number.parseInt(hex, 16);
      return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
    },
  );
}

function decodeMarkdown(value: string): string {
  const plain = value.includes('\\') ? value.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1') : value;
  return plain.includes('&') ? decodeHTML(plain) : plain;
}

function decodeAttribute(value: string): string {
  return value.includes('&') ? decodeHTMLAttribute(value) : value;
}

/** The URL when the value is one with a host of its own, or opens a mail; a browser drops tabs and line breaks anywhere. */
export function absoluteUrl(value: string): string | undefined {
  const head = /[\t\n\r]/.test(value) ? value.replaceAll(/[\t\n\r]/g, '') : value;
  const match = /^[\0-\x20]*(?:(https?|ftp|wss?|mailto):|([/\\]{2})|(www\.))/i.exec(head);
  if (match === null) return undefined;
  const url = head.trim();
  if (match[1] !== undefined) return url;
  return match[2] === undefined ? `http://${url}` : `https:${url}`;
}

/** Whether a target opens a mail that is ready to be sent. */
export function isMailLink(address: string): boolean {
  return /^mailto:/i.test(address);
}

/** UTF-16 units of a path of a base that are put before addresses at most; the base is judged itself, too. */
const LONGEST_BASE = 256;

/** What a `<base>` puts before addresses that name no host, if it names one. */
function baseAt(place: Place, text: string): URL | undefined {
  const address = decodeAttribute(text.slice(place.start, place.end)).replaceAll(/[\t\n\r]/g, '');
  const url = /^[\0-\x20]*www\./i.test(address) ? undefined : absoluteUrl(address);
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return URL.canParse(origin)
    ? new URL(pathname.length > LONGEST_BASE ? '/' : pathname, origin)
    : undefined;
}

/**
 * The first base with a host, and of those the first that is not trusted: which one a browser sees depends on what it
 * takes for a comment or for code.
 */
function baseOf(
  text: string,
  places: readonly Place[],
  trusted: (hostname: string) => boolean,
): URL | undefined {
  let first: URL | undefined;
  for (const place of places) {
    if (place.base !== true) continue;
    const base = baseAt(place, text);
    if (base !== undefined && !trusted(base.hostname)) return base;
    first ??= base;
  }
  return first;
}

/** Where a browser finds an address that is not one by itself. */
function resolved(value: string, base: URL): string | undefined {
  const head = value.replaceAll(/[\t\n\r]/g, '').trim();
  // `https:` with no slashes goes to the base as well, when that has the same scheme.
  if (/^(?:(?:https?|ftp|wss?):)?[/\\]{2}/i.test(head) || head === '') return undefined;
  if (/^(?!(?:https?|ftp|wss?):)[a-z][a-z0-9+.-]*:/i.test(head)) return undefined;
  return URL.canParse(head, base.href) ? new URL(head, base).href : undefined;
}

/** The text of a `data:` URL that a browser would show as a document. */
function dataDocument(value: string): string | undefined {
  const match =
    /^\s*data:(?:text\/html|image\/svg\+xml|text\/css|application\/xhtml\+xml)([^,]{0,64}),/i.exec(
      value,
    );
  if (match === null) return undefined;
  const body = value.slice(match[0].length);
  if (/;base64$/i.test(match[1] ?? '')) {
    try {
      return atob(body.replaceAll(/[^\w+/]/g, ''));
    } catch {
      return undefined;
    }
  }
  return percentDecoded(body);
}

/** Percent escapes undone where they are well formed; anything else stays. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
      const bytes = Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16));
      return new TextDecoder().decode(bytes);
    });
  }
}

interface Around {
  /** How many documents are around this one. */
  readonly depth: number;
  readonly base: URL | undefined;
  readonly trusted: (hostname: string) => boolean;
}

function addresses(value: string, base: URL | undefined): string[] {
  const found = [absoluteUrl(value), base === undefined ? undefined : resolved(value, base)];
  return found.filter((url) => url !== undefined);
}

function targetsOf(
  place: Place,
  raw: string,
  around: Around,
): { readonly url: string; readonly loads: boolean }[] {
  const { loads } = place;
  const base = place.needsHost === true || place.base === true ? undefined : around.base;
  switch (place.form) {
    case 'bare':
      return addresses(raw, undefined).map((url) => ({ url, loads }));
    case 'markdown':
    case 'attribute':
    case 'css': {
      const value =
        place.form === 'css'
          ? decodeCss(raw)
          : place.form === 'markdown'
            ? decodeMarkdown(raw)
            : decodeAttribute(raw);
      const urls = addresses(value, base);
      // A mail is opened by a click, whatever the link stands in.
      if (urls.length > 0) return urls.map((url) => ({ url, loads: loads && !isMailLink(url) }));
      const document = dataDocument(value);
      // Such a document has a base of its own, or none.
      return document === undefined ? [] : nested(document, { ...around, base: undefined });
    }
    case 'srcset':
      return decodeAttribute(raw)
        .split(/[\s,]+(?=\S)/)
        .filter((one) => !/^[\d.]+[wxh],?$/i.test(one))
        .flatMap((one) => addresses(one.replace(/,+$/, ''), base))
        .map((url) => ({ url, loads }));
    case 'style':
    case 'html':
      return nested(decodeAttribute(raw), around);
    default:
      return place.form satisfies never;
  }
}

function nested(html: string, around: Around): Link[] {
  return around.depth < DEEPEST ? linksWithin(html, { ...around, depth: around.depth + 1 }) : [];
}

function writtenPlaces(text: string): Place[] {
  return [...bracketPlaces(text), ...attributePlaces(text), ...stylePlaces(text)];
}

function linksWithin(text: string, around: Around, definitionsLoad = false): Link[] {
  const links: Link[] = [];
  const written = writtenPlaces(text);
  const base = baseOf(text, written, around.trusted) ?? around.base;
  const shortest = base === undefined ? SHORTEST : 1;
  const places = written
    .filter(({ start, end }) => end - start >= shortest)
    .map((place) =>
      definitionsLoad && place.definition === true ? { ...place, loads: true } : place,
    )
    .toSorted((a, b) => a.start - b.start);
  const here = { ...around, base };
  /** Written targets by where they start: a URL that stands there is the same one. */
  const starts = new Map<number, { loads: boolean; end: number }>();
  for (const place of places) {
    const { start, end } = place;
    for (const { url, loads } of targetsOf(place, text.slice(start, end), here)) {
      links.push({ url, start, end, loads });
    }
    const known = starts.get(start);
    starts.set(start, {
      loads: place.loads || (known?.loads ?? false),
      end: Math.max(end, known?.end ?? 0),
    });
  }
  for (const place of bareUrls(text)) {
    const same = starts.get(place.start);
    if (same !== undefined && same.end >= place.end) continue;
    const url = absoluteUrl(text.slice(place.start, place.end));
    if (url === undefined) continue;
    links.push({ url, start: place.start, end: place.end, loads: same?.loads ?? false });
  }
  return links.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

export interface LinkOptions {
  /** Takes every target of a reference for one that loads. */
  readonly definitionsLoad?: boolean;
  /** Hosts on which a base is passed over when there is another. */
  readonly trusted?: (hostname: string) => boolean;
}

/**
 * Every target with a host in a text, its own or that of a `<base>`: Markdown inline and by reference, HTML, SVG and
 * CSS, autolinks and bare URLs. Linear in the text; each character is read by four passes.
 */
export function extractLinks(text: string, options: LinkOptions = {}): Link[] {
  const { definitionsLoad = false, trusted = () => false } = options;
  return linksWithin(text, { depth: 0, base: undefined, trusted }, definitionsLoad);
}

/** Pictures within the text send nothing, however long they are. */
const PICTURE = /^\s*data:image\/(?!svg)[a-z.+-]{2,20};/i;

/** Targets of all kinds that could carry something, whether they lead anywhere or not. */
export function heldTargets(text: string): Place[] {
  return [...writtenPlaces(text), ...bareUrls(text)].filter(
    ({ start }) => !PICTURE.test(text.slice(start, start + 48)),
  );
}

/**
 * Start of the first target that more text could make longer, or that is longer than `most` UTF-16 units; it
 * may be at the very end of the text.
 */
export function unfinishedTarget(text: string, most: number): number | undefined {
  let first: number | undefined;
  for (const { open, start, end } of heldTargets(text)) {
    if (open || end - start > most) first = Math.min(first ?? start, start);
  }
  return first;
}
