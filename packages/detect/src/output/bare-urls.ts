import type { Place } from './places.js';

const SLASH = 47;
const BACKSLASH = 92;
const SCHEMES = ['http', 'https', 'ftp', 'ws', 'wss', 'mailto'];
const WIDE_STOPS =
  '\u3001\u3002\uff0c\uff0e\uff1b\uff1a\uff01\uff1f\uff09\u3011\u300b\u300d\u300f\u201d\u2019\u00bb';

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** Start of the scheme that ends before the colon at `colon`, or -1. */
function schemeStart(text: string, colon: number): number {
  let start = colon;
  while (start > 0 && colon - start < 6 && isLetter(text.charCodeAt(start - 1))) start -= 1;
  const word = text.slice(start, colon).toLowerCase();
  // The longest that fits, so that a letter glued to the front does not hide it.
  for (const scheme of ['https', 'http', 'wss', 'ftp', 'ws']) {
    if (word.endsWith(scheme)) return colon - scheme.length;
  }
  return -1;
}

const MAIL = 'mailto';

/** Whether the colon ends the scheme of a mail. */
function isMail(text: string, colon: number): boolean {
  return text.slice(Math.max(0, colon - MAIL.length), colon).toLowerCase() === MAIL;
}

/** End of the URL that starts at `start`, before closing punctuation; and whether the text ends first. */
function urlEnd(text: string, start: number, from: number): { end: number; stop: number } {
  const before = text.charAt(start - 1);
  let stop = from;
  while (stop < text.length) {
    const code = text.charCodeAt(stop);
    if (code <= 32 || code === 60 || code === 62 || code === 34 || code === 96) break;
    if (code === 93 && text.charCodeAt(stop + 1) === 40) break;
    if (code === 39 && before === "'") break;
    if (code > 127 && (WIDE_STOPS.includes(text.charAt(stop)) || /\s/.test(text.charAt(stop))))
      break;
    stop += 1;
  }
  let end = stop;
  let excess = 0;
  for (let at = start; at < end; at += 1) {
    const character = text.charAt(at);
    if (character === '(' || character === '[' || character === '{') excess -= 1;
    else if (character === ')' || character === ']' || character === '}') excess += 1;
  }
  while (end > from) {
    const last = text.charAt(end - 1);
    if (')]}'.includes(last)) {
      if (excess <= 0) break;
      excess -= 1;
    } else if (!".,;:!?*_~'|\\".includes(last)) break;
    end -= 1;
  }
  return { end, stop };
}

/**
 * URLs that stand in the text with their scheme, or with `www.`. A scheme within a URL belongs to that URL, so
 * every character is read once.
 */
export function bareUrls(text: string): Place[] {
  const places: Place[] = [];
  let at = 0;
  let colon = text.indexOf(':');
  const www = /www\./gi;
  let web = www.exec(text);
  while (colon !== -1 || web !== null) {
    let start: number;
    let from: number;
    if (web !== null && (colon === -1 || web.index < colon)) {
      start = web.index;
      from = start + 4;
      const glued = start > 0 && /[\p{L}\p{N}/.@-]/u.test(text.charAt(start - 1));
      web = www.exec(text);
      if (glued || start < at) continue;
    } else {
      start = -1;
      from = colon + 1;
      const next = text.charCodeAt(from);
      if (colon >= at && (next === SLASH || next === BACKSLASH)) start = schemeStart(text, colon);
      else if (colon >= at && isMail(text, colon)) start = colon - MAIL.length;
      colon = text.indexOf(':', from);
      if (start === -1 || start < at) continue;
      while (text.charCodeAt(from) === SLASH || text.charCodeAt(from) === BACKSLASH) from += 1;
    }
    const { end, stop } = urlEnd(text, start, from);
    places.push({ start, end, loads: false, form: 'bare', open: stop >= text.length });
    at = stop;
  }
  return places;
}

/** Start of a last word that could yet become a URL (`htt`, `https:`, `ww`), or the length of the text. */
export function unfinishedScheme(text: string): number {
  const tail = text.slice(-8);
  const match = /(?:[a-z]{1,6}:?|w{1,3}\.?)$/i.exec(tail);
  if (match === null) return text.length;
  const word = match[0].toLowerCase();
  for (let cut = 0; cut < word.length; cut += 1) {
    const rest = word.slice(cut);
    const fits = [...SCHEMES.map((scheme) => `${scheme}:`), 'www.'].some((one) =>
      one.startsWith(rest),
    );
    if (fits) return text.length - rest.length;
  }
  return text.length;
}
