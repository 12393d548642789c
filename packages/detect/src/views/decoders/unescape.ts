import { decodeHTML } from 'entities';
import { PlacedText } from '../placed-text.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { EQUALS as EQUALS_SIGNS, ESCAPES } from '../traits.js';
import { ByteReader } from '../utf8.js';
import { hexValue } from './symbol-values.js';

const AMPERSAND = 0x26;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const EQUALS = 0x3d;
/** Longest character reference that is looked at; the longest name has 31 letters. */
const MAX_REFERENCE = 34;

/** Value of exactly `count` hexadecimal digits at `at`, or -1. */
function hexAt(text: string, at: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i += 1) {
    const digit = hexValue(text.charCodeAt(at + i));
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** The escape that was read last; one for all of a text, since hostile ones have nothing else. */
class Escape {
  end = 0;
  /** A byte of UTF-8, or a code point. */
  value = 0;
  byte = false;

  #take(end: number, value: number, byte: boolean): boolean {
    this.end = end;
    this.value = value;
    this.byte = byte;
    return value >= 0 && value <= 0x10ffff;
  }

  #braced(text: string, open: number): boolean {
    let at = open;
    let value = 0;
    while (at < open + 8) {
      const digit = hexValue(text.charCodeAt(at));
      if (digit < 0) break;
      value = value * 16 + digit;
      at += 1;
    }
    return at > open && text.charAt(at) === '}' && this.#take(at + 1, value, false);
  }

  /** `\x41`, `\u0041`, `\u{41}`, `\U00000041`, `\101`. */
  #backslash(text: string, at: number): boolean {
    const kind = text.charAt(at + 1);
    if (kind === 'x' || kind === 'X') {
      if (text.charAt(at + 2) === '{') return this.#braced(text, at + 3);
      return this.#take(at + 4, hexAt(text, at + 2, 2), true);
    }
    if (kind === 'u' && text.charAt(at + 2) === '{') return this.#braced(text, at + 3);
    if (kind === 'u') return this.#take(at + 6, hexAt(text, at + 2, 4), false);
    if (kind === 'U') return this.#take(at + 10, hexAt(text, at + 2, 8), false);
    if (kind === 'n' || kind === 'r' || kind === 't') return this.#take(at + 2, 0x0a, false);
    if (kind < '0' || kind > '3') return false;
    let value = 0;
    for (let i = 1; i <= 3; i += 1) {
      const digit = text.charCodeAt(at + i) - 0x30;
      if (!(digit >= 0 && digit <= 7)) return false;
      value = value * 8 + digit;
    }
    return this.#take(at + 4, value, true);
  }

  /** Reads the escape at a place: `%41` and `%u0041` among them; false when there is none. */
  read(text: string, at: number, quoted: boolean): boolean {
    const code = text.charCodeAt(at);
    if (code === PERCENT) {
      if (text.charAt(at + 1) === 'u') return this.#take(at + 6, hexAt(text, at + 2, 4), false);
      return this.#take(at + 3, hexAt(text, at + 1, 2), true);
    }
    if (code === BACKSLASH) return this.#backslash(text, at);
    return code === EQUALS && quoted && this.#take(at + 3, hexAt(text, at + 1, 2), true);
  }
}

/** Whether the text looks like quoted-printable rather than like assignments. */
function isQuotedPrintable(text: string): boolean {
  if (/=\r?\n/u.test(text)) return true;
  let count = 0;
  let at = text.indexOf('=');
  while (at >= 0 && count < 3) {
    if (hexAt(text, at + 1, 2) >= 0) count += 1;
    at = text.indexOf('=', at + 1);
  }
  return count >= 3;
}

/** Text that escapes spell, with the place of each unit; used for one run after another. */
class Spelled {
  readonly out = new PlacedText();
  readonly escape = new Escape();
  readonly #reader = new ByteReader();

  clear(): void {
    this.out.size = 0;
    this.#reader.clear();
  }

  /** False when the byte is no text. */
  byte(value: number, at: number): boolean {
    if (this.#reader.push(value, at)) return true;
    if (value < 0x20 || value === 0x7f) return false;
    // Not UTF-8: read the byte as Latin-1.
    this.flush();
    this.out.put(value, at);
    return true;
  }

  point(value: number, at: number): void {
    this.flush();
    this.out.putText(String.fromCodePoint(value), at);
  }

  /** Ends a row of bytes. */
  flush(): void {
    this.#reader.moveTo(this.out);
  }
}

/** Reads a run of escapes that follow one another; the whole run is one edit. */
function readRun(text: string, start: number, quoted: boolean, spelled: Spelled): Edit | undefined {
  const { escape } = spelled;
  if (!escape.read(text, start, quoted)) return undefined;
  spelled.clear();
  let at = start;
  do {
    if (!escape.byte) spelled.point(escape.value, at);
    else if (!spelled.byte(escape.value, at)) break;
    at = escape.end;
  } while (escape.read(text, at, quoted));
  spelled.flush();
  const { out } = spelled;
  if (out.size === 0) return undefined;
  return { start, end: at, text: out.text(), positions: out.places() };
}

function referenceAt(text: string, start: number): Edit | undefined {
  const kind = text.charCodeAt(start + 1);
  if (kind !== 0x23 && !((kind | 0x20) >= 0x61 && (kind | 0x20) <= 0x7a)) return undefined;
  let end = start + 1;
  while (end < start + MAX_REFERENCE) {
    const code = text.charCodeAt(end);
    const inside =
      code === 0x23 ||
      (code >= 0x30 && code <= 0x39) ||
      ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
    if (!inside) break;
    end += 1;
  }
  if (text.charAt(end) === ';') end += 1;
  else if (kind !== 0x23) return undefined;
  const written = text.slice(start, end);
  const decoded = decodeHTML(written);
  return decoded === written ? undefined : { start, end, text: decoded };
}

/**
 * Character references, URL, `\x`, `\u`, `\u{}`, octal and quoted-printable escapes, in one pass.
 * Each look at one place is bounded by the longest escape.
 */
export const unescapeDecoder: Decoder = {
  needs: ESCAPES | EQUALS_SIGNS,
  needsRuns: 0,
  decode({ source, traits }) {
    const { text } = source;
    const quoted = (traits & EQUALS_SIGNS) !== 0 && isQuotedPrintable(text);
    if (!quoted && (traits & ESCAPES) === 0) return undefined;
    const edits: Edit[] = [];
    const spelled = new Spelled();
    const begins = quoted ? /[&%\\=]/gu : /[&%\\]/gu;
    while (begins.test(text)) {
      const at = begins.lastIndex - 1;
      const code = text.charCodeAt(at);
      let edit: Edit | undefined;
      if (code === AMPERSAND) edit = referenceAt(text, at);
      else if (code === PERCENT || code === BACKSLASH) edit = readRun(text, at, quoted, spelled);
      else if (code === EQUALS && quoted)
        edit = softBreak(text, at) ?? readRun(text, at, quoted, spelled);
      if (edit === undefined) continue;
      edits.push(edit);
      begins.lastIndex = edit.end;
    }
    if (edits.length === 0) return undefined;
    return { name: 'unescaped', layer: applyEdits(source, edits), legible: true };
  },
};

/** `=` before a line break continues the line in quoted-printable. */
function softBreak(text: string, at: number): Edit | undefined {
  const next = text.charCodeAt(at + 1);
  if (next === 0x0a) return { start: at, end: at + 2, text: '' };
  if (next === 0x0d && text.charCodeAt(at + 2) === 0x0a)
    return { start: at, end: at + 3, text: '' };
  return undefined;
}
