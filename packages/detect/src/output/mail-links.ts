import { percentDecoded } from './links.js';
import { pairsOf } from './url-pieces.js';

const RECIPIENTS = new Set(['to', 'cc', 'bcc']);
/** Recipients beyond this many are not told apart: one that nobody knows is enough. */
const MOST_RECIPIENTS = 64;

/** An address that mail programs read in one way only: no quoted name, no second `@`, nothing that is still escaped. */
const PLAIN_ADDRESS = /^[^@\s%"<>()[\]\\:\p{C}]+@[\p{L}\p{M}\p{N}._-]+$/u;

/**
 * The mail that a `mailto:` link opens, as addresses to the host of its first recipient that is not `known`, with what is before the `@` as
 * their path and the fields as parameters. There is more than one where a plus can be read as itself or not. None
 * when all are known or there is none, so that the user says who gets it.
 *
 * @param known is asked about addresses in lower case. Nobody knows one that could go to somebody else than it seems to.
 */
export function mailReadings(link: string, known: (address: string) => boolean): string[] {
  const [, to = '', query = ''] = /^mailto:([^?#]*)\??([^#]*)/i.exec(link) ?? [];
  const fields = pairsOf(query.replaceAll('+', '%2B'));
  const named = fields.filter(({ name }) => RECIPIENTS.has(name)).map(({ value }) => value);
  const stranger = [percentDecoded(to), ...named]
    .join(',')
    .split(/[,;]/, MOST_RECIPIENTS)
    .map((one) => one.trim())
    .find((one) => one !== '' && !(PLAIN_ADDRESS.test(one) && known(one.toLowerCase())));
  if (stranger === undefined) return [];
  const at = stranger.lastIndexOf('@');
  const local = stranger.slice(0, Math.max(0, at));
  const host = hostOf(stranger.slice(at + 1));
  // A plus sets a tag off, and stands for a space where forms write the link.
  const read = (path: string, pairs: readonly { name: string; value: string }[]): string => {
    const rest = pairs
      .filter(({ name }) => !RECIPIENTS.has(name))
      .map(({ name, value }) => `${encoded(name)}=${encoded(value)}`);
    return `https://${host}/${path}?${rest.join('&')}`;
  };
  const readings = [read(encoded(local), fields)];
  if (local.includes('+') || query.includes('+')) {
    readings.push(read(local.split('+').map(encoded).join('/'), pairsOf(query)));
  }
  return readings;
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
