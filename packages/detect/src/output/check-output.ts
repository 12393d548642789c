import { type CanaryMatch, findCanary, prepareCanaries } from '../canary.js';
import { checkOutputOptions } from '../check-output-options.js';
import { checkText } from '../check-values.js';
import type { Detection, Tags } from '../types.js';
import { credentialRequest } from './credential-request.js';
import { isInvitation } from './invitations.js';
import { absoluteUrl, extractLinks, isMailLink, type Link } from './links.js';
import { mailAddresses, mailReadings } from './mail-links.js';
import { spelledOut } from './spelled-out.js';
import { taintedBy } from './taint.js';
import { trustedHosts } from './trusted-hosts.js';
import { dataIn, type Evidence } from './url-data.js';
import { nestedUrls } from './url-pieces.js';

export interface OutputOptions {
  /** Tripwires that must not appear in a reply. */
  readonly canaries?: readonly string[] | undefined;
  /** Hosts, with all below them, to which data may go. */
  readonly trustedDomains?: readonly string[] | undefined;
  /** URLs that the user or a tool gave, or texts that hold them; the same URLs may stand in the reply. */
  readonly suppliedUrls?: readonly string[] | undefined;
  /** Values of the conversation that must not travel in a URL, see `ReplyOptions`. */
  readonly conversationValues?: readonly string[] | undefined;
}

const CANARY_TAGS: Tags = { atlas: ['AML.T0056'], owasp: ['LLM08:2026'] };
/** Tags of everything that carries data out. */
export const EXFIL_TAGS: Tags = { atlas: ['AML.T0077'], owasp: ['LLM10:2026', 'LLM02:2026'] };

function canonical(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).href : undefined;
}

function suppliedIn(texts: readonly string[]): ReadonlySet<string> {
  const supplied = new Set<string>();
  for (const text of texts) {
    const whole = absoluteUrl(text);
    for (const url of [whole, ...extractLinks(text).map((link) => link.url)]) {
      const href = url === undefined ? undefined : canonical(url);
      if (href !== undefined) supplied.add(href);
    }
  }
  return supplied;
}

interface LinkCheck {
  /** Whether mail may go there: somebody gave the address, or its host is trusted. */
  readonly known: (recipient: string) => boolean;
  readonly trusted: (hostname: string) => boolean;
  readonly supplied: ReadonlySet<string>;
  readonly tainted: (url: string) => boolean;
}

/** Shortest part after the host, and shortest host, in which any data is seen. */
const LEAST_REST = 7;
const LEAST_HOST = 16;

/** Whether an address has room for data; spares parsing the many that do not. */
function hasRoom(address: string): boolean {
  const host = /^[^:]{0,8}:[/\\]*[^/\\?#]*/.exec(address)?.[0].length ?? 0;
  return address.length - host >= LEAST_REST || host >= LEAST_HOST;
}

/** Data in a mail that waits to be sent to somebody whom neither the user nor a tool named. */
function leakInMail(link: string, check: LinkCheck): Evidence | undefined {
  for (const address of mailReadings(link, check.known)) {
    if (!URL.canParse(address)) continue;
    if (check.tainted(address)) return { reason: 'a value of the conversation' };
    const found = dataIn(address, false, { drafted: true });
    if (found !== undefined && found.weak !== true) return found;
  }
  return undefined;
}

function leakInOne(
  url: URL,
  address: string,
  loads: boolean,
  check: LinkCheck,
): Evidence | undefined {
  if (check.supplied.has(url.href) || check.trusted(url.hostname)) return undefined;
  if (check.tainted(url.href)) return { reason: 'a value of the conversation' };
  if (!loads && isInvitation(url)) return undefined;
  return dataIn(address, loads, { url });
}

function untrusted(address: string, { trusted, supplied }: LinkCheck): boolean {
  if (isMailLink(address) || !URL.canParse(address)) return false;
  const url = new URL(address);
  return !trusted(url.hostname) && !supplied.has(url.href);
}

/** Whether an address, or one that it redirects to, carries data to a host that is not trusted. */
function leakIn(address: string, loads: boolean, check: LinkCheck): Evidence | undefined {
  if (!hasRoom(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (check.supplied.has(url.href)) return undefined;
  if (isMailLink(address)) return leakInMail(address, check);
  let weak = leakInOne(url, address, loads, check);
  if (weak !== undefined && weak.weak !== true) return weak;
  for (const nested of nestedUrls(url)) {
    if (!hasRoom(nested) || !URL.canParse(nested)) continue;
    const found = leakInOne(new URL(nested), nested, loads, check);
    if (found !== undefined && found.weak !== true) return found;
    weak ??= found;
  }
  return weak;
}

/** PB-CANARY. */
export function canaryDetection(canary: CanaryMatch, text: string): Detection {
  return {
    id: 'PB-CANARY',
    title: canary.split ? 'A canary leaked in pieces' : 'A canary leaked',
    severity: 'critical',
    confidence: 1,
    tags: CANARY_TAGS,
    matched: text.slice(canary.span.start, canary.span.end),
    span: canary.span,
    view: 'original',
  };
}

function exfiltration(link: Link, text: string): Detection {
  const kind = link.loads ? 'Content that loads by itself' : 'A link';
  return {
    id: link.loads ? 'PB-EXFIL-IMAGE' : 'PB-EXFIL-LINK',
    title: `${kind} carries data to a host that is not trusted`,
    severity: link.loads ? 'high' : 'medium',
    confidence: link.loads ? 0.9 : 0.7,
    tags: EXFIL_TAGS,
    matched: text.slice(link.start, link.end),
    span: { start: link.start, end: link.end },
    view: 'original',
  };
}

/** A finding of its own, so that alerts on leaks do not go off for charts. */
function drawn(link: Link, text: string): Detection {
  return {
    ...exfiltration(link, text),
    id: 'PB-DRAWING',
    title: 'A drawing is made of words of the reply by a host that is not trusted',
    severity: 'low',
    confidence: 0.6,
  };
}

function lure(link: Link, text: string): Detection {
  return {
    id: 'PB-CREDENTIALS',
    title: 'Asks for credentials behind a link to a host that is not trusted',
    severity: 'medium',
    confidence: 0.7,
    tags: { atlas: ['AML.T0052'], owasp: ['LLM10:2026'] },
    matched: text.slice(link.start, link.end),
    span: { start: link.start, end: link.end },
    view: 'original',
  };
}

/** A text in, findings out; options were prepared once. */
export type OutputChecker = (text: string) => Detection[];

export interface LinkCheckOptions {
  /** Judges targets that a later part of the text could make an image as if it had. */
  readonly definitionsLoad?: boolean;
}

/** Prepares the checks for URLs alone. */
export function linkChecker(
  options: OutputOptions = {},
): (text: string, how?: LinkCheckOptions) => Detection[] {
  const { trustedDomains = [], suppliedUrls = [], conversationValues = [] } = options;
  const trusted = trustedHosts(trustedDomains);
  const given = new Set(suppliedUrls.flatMap(mailAddresses));
  const check: LinkCheck = {
    known: (recipient) =>
      given.has(recipient) || trusted(recipient.slice(recipient.lastIndexOf('@') + 1)),
    trusted,
    supplied: suppliedIn(suppliedUrls),
    tainted: taintedBy(conversationValues),
  };
  const counts = (address: string): boolean => untrusted(address, check);
  return (text, { definitionsLoad = false } = {}) => {
    const detections: Detection[] = [];
    const links = extractLinks(text, { definitionsLoad, trusted: check.trusted });
    const loading = new Set(links.filter((link) => link.loads).map((link) => link.url));
    // Targets that load, and others: the limits differ.
    const seen = [new Set<string>(), new Set<string>()] as const;
    let image = false;
    let click = false;
    let drawing: Link | undefined;
    for (const link of links) {
      if (link.loads ? image : click || loading.has(link.url)) continue;
      const before = seen[link.loads ? 0 : 1];
      if (before.has(link.url)) continue;
      before.add(link.url);
      const evidence = leakIn(link.url, link.loads, check);
      if (evidence === undefined) continue;
      if (evidence.weak === true) {
        if (drawing === undefined || (link.loads && !drawing.loads)) drawing = link;
        continue;
      }
      detections.push(exfiltration(link, text));
      if (link.loads) image = true;
      else click = true;
    }
    const spelled = image ? undefined : spelledOut(links, counts);
    if (spelled !== undefined) detections.push(exfiltration(spelled, text));
    const reported = drawing?.loads === true ? image || spelled !== undefined : click;
    if (drawing !== undefined && !reported) detections.push(drawn(drawing, text));
    const asks = credentialRequest(text, links, counts);
    if (asks !== undefined) detections.push(lure(asks, text));
    return detections;
  };
}

/**
 * Prepares the checks of {@link checkOutput} for many texts.
 *
 * @throws DetectError `bad-option` for an option that is unknown or of a wrong type, and for a trusted domain that would
 *   trust everybody or nobody.
 */
export function outputChecker(options: OutputOptions = {}): OutputChecker {
  checkOutputOptions(options, 'outputChecker');
  const canaries = prepareCanaries(options.canaries ?? []);
  const checkLinks = linkChecker(options);
  return (text) => {
    checkText(text);
    const canary = findCanary(text, canaries);
    const links = checkLinks(text);
    return canary === undefined ? links : [canaryDetection(canary, text), ...links];
  };
}

/**
 * Checks a reply before anyone sees it: leaked canaries, and URLs that carry data to a host that is not trusted.
 * Each check is reported once, at its first place. Linear in the text; never throws for a text.
 *
 * @throws DetectError as {@link outputChecker} does, and `bad-text` for what is no string.
 */
export function checkOutput(text: string, options: OutputOptions = {}): Detection[] {
  return outputChecker(options)(text);
}
