import { judgeDecoded } from '../legibility.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';

/** Shortest run of symbols that is looked at. */
const LEAST = 16;
/** Longest run that is looked at whole. */
const MOST = 4096;
/** Symbols by which an attempt is given up. */
const HEAD = 8;
/** Bytes that cannot all be text by chance, when one of many ciphers is tried. */
const CERTAIN = 20;

const RUN = /[A-Za-z0-9+_-]{16,}(?:\/[A-Za-z0-9+_-]+)*/gu;

function sextet(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x61 && code <= 0x7a) return code - 0x47;
  if (code >= 0x30 && code <= 0x39) return code + 4;
  if (code === 0x2b || code === 0x2d) return 62;
  return code === 0x2f || code === 0x5f ? 63 : -1;
}

/** Printable text of base64 symbols, or the empty string. */
function decodeSymbols(symbols: string): string {
  let out = '';
  let bits = 0;
  let held = 0;
  for (let i = 0; i < symbols.length; i += 1) {
    const value = sextet(symbols.charCodeAt(i));
    if (value < 0) return '';
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    const byte = (bits >> held) & 0xff;
    if ((byte < 0x20 && byte !== 10 && byte !== 13 && byte !== 9) || byte > 0x7e) return '';
    out += String.fromCharCode(byte);
  }
  return out;
}

function decodePairs(digits: string): string {
  let out = '';
  for (let i = 0; i + 1 < digits.length; i += 2) {
    const byte = Number.parseInt(digits.slice(i, i + 2), 16);
    if (!(byte >= 0x20 && byte < 0x7f)) return '';
    out += String.fromCharCode(byte);
  }
  return out;
}

function backwards(text: string): string {
  return Array.from(text).toReversed().join('');
}

function shiftLetters(text: string, by: number): string {
  return text.replaceAll(/[a-z]/giu, (letter) => {
    const base = letter < 'a' ? 0x41 : 0x61;
    return String.fromCharCode(((letter.charCodeAt(0) - base + by) % 26) + base);
  });
}

function mirrorLetters(text: string): string {
  return text.replaceAll(/[a-z]/giu, (letter) =>
    String.fromCharCode((letter < 'a' ? 0x9b : 0xdb) - letter.charCodeAt(0)),
  );
}

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]+|[A-Z]+/gu, (run) =>
    run < 'a' ? run.toLowerCase() : run.toUpperCase(),
  );
}

/** What may have been done to the symbols after encoding. */
function undone(symbols: string): string[] {
  const list = [swapCase(symbols), mirrorLetters(symbols)];
  for (let by = 1; by < 26; by += 1) list.push(shiftLetters(symbols, by));
  return list;
}

/** Whether text is more than chance: words, or letters nearly throughout. */
function isText(text: string): boolean {
  const worth = judgeDecoded(text, CERTAIN);
  if (worth === 'legible') return text.length >= LEAST / 2;
  const letters = text.match(/[A-Za-z0-9 ]/gu)?.length ?? 0;
  return worth === 'step' && letters > text.length * 0.9;
}

function read(symbols: string): string {
  const head = symbols.slice(0, HEAD);
  if (decodeSymbols(head) !== '') {
    const text = decodeSymbols(symbols);
    if (text !== '' && isText(text)) return text;
  }
  const turned = backwards(symbols);
  if (decodeSymbols(turned.slice(0, HEAD)) !== '') {
    const text = decodeSymbols(turned);
    if (text !== '' && isText(text)) return text;
  }
  for (const [i, start] of undone(head).entries()) {
    if (decodeSymbols(start) === '') continue;
    const text = decodeSymbols(undone(symbols)[i] ?? '');
    if (text !== '' && isText(text)) return text;
  }
  return '';
}

/** Base64 that was shifted, mirrored or turned round afterwards, or stands within a path; and hexadecimal turned round. */
export const cipheredBase64Decoder: Decoder = {
  decode({ shown, tokens }) {
    if (tokens.longest < LEAST) return undefined;
    const { text } = shown;
    const edits: Edit[] = [];
    for (const match of text.matchAll(RUN)) {
      const [run] = match;
      if (run.length > MOST) continue;
      let at = match.index;
      for (const symbols of run.includes('/') ? [run, ...run.split('/')] : [run]) {
        const hex = symbols.length % 2 === 0 && /^[\da-f]+$/iu.test(symbols);
        const mixed = /\d/u.test(symbols) || (/[a-z]/u.test(symbols) && /[A-Z]/u.test(symbols));
        if (symbols.length < LEAST || !mixed) {
          if (symbols !== run) at += symbols.length + 1;
          continue;
        }
        const found = hex ? decodePairs(backwards(symbols)) : read(symbols);
        if (found !== '' && isText(found)) {
          const last = symbols.length - 1;
          const start = at;
          const step = symbols.length / found.length;
          const positions = Array.from(
            found,
            (_, k) => start + Math.min(last, Math.floor(k * step)),
          );
          edits.push({ start, end: start + symbols.length, text: found, positions });
          if (symbols === run) break;
        }
        if (symbols !== run) at += symbols.length + 1;
      }
    }
    if (edits.length === 0) return undefined;
    return { name: 'decoded', layer: applyEdits(shown, edits), legible: true };
  },
};
