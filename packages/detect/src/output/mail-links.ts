import { percentDecoded } from './links.js';
import { pairsOf } from './url-pieces.js';

const RECIPIENTS = new Set(['to', 'cc', 'bcc']);
/** Recipients beyond this many are not told apart: one that nobody knows is enough. */
const MOST_RECIPIENTS = 64;

export interface MailLink {
  /** Addresses in lower case, of all fields. */
  readonly recipients: readonly string[];
  /**
   * The mail as an address to the host of its first recipient that is not `known`, with what is before the `@` as its path and the fields as
   * parameters; `undefined` when all are known or there is none, so that the user says who gets it.
   */
  readonly address: string | undefined;
}

/** Takes a `mailto:` link apart. */
export function mailLink(link: string, known: (address: string) => boolean): MailLink {
  const [, to = '', query = ''] = /^mailto:([^?#]*)\??([^#]*)/i.exec(link) ?? [];
  // A plus is itself here, and no space.
  const fields = pairsOf(query.replaceAll('+', '%2B'));
  const named = fields.filter(({ name }) => RECIPIENTS.has(name)).map(({ value }) => value);
  const recipients = [percentDecoded(to), ...named]
    .join(',')
    .split(/[,;]/, MOST_RECIPIENTS)
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '');
  const stranger = recipients.find((one) => !known(one));
  if (stranger === undefined) return { recipients, address: undefined };
  const at = stranger.lastIndexOf('@');
  const written = percentDecoded(to)
    .split(/[,;]/)
    .find((one) => one.trim().toLowerCase() === stranger);
  const local = (written ?? stranger).trim().slice(0, Math.max(0, at));
  const host = hostOf(stranger.slice(at + 1));
  const rest = fields
    .filter(({ name }) => !RECIPIENTS.has(name))
    .map(({ name, value }) => `${encoded(name)}=${encoded(value)}`);
  return { recipients, address: `https://${host}/${encoded(local)}?${rest.join('&')}` };
}

/** What no host may be called, it is not called here either. */
function hostOf(domain: string): string {
  return URL.canParse(`https://${domain}/`) ? domain : 'mail.invalid';
}

/** Lone halves of surrogate pairs have no bytes. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'));
}

/** The mail addresses that stand in a text, in lower case. */
export function mailAddresses(text: string): string[] {
  const found = text.match(/[\p{L}\p{N}._%+'-]{1,64}@[\p{L}\p{N}.-]{1,253}/gu) ?? [];
  return found.map((one) => one.toLowerCase().replace(/\.+$/, ''));
}
