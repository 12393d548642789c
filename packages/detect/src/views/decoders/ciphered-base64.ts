import { lazily } from '../character-classes.js';
import { judgeDecoded } from '../legibility.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { LONG_MIXED_RUN } from '../run-traits.js';
import { MIXED } from '../tokens.js';
import { isLetter, sextet } from './symbol-values.js';

/** Shortest run of symbols that is looked at. */
const LEAST = 16;
/** Longest run that is looked at whole. */
const MOST = 4096;
/** Bytes that cannot all be text by chance, when one of many ciphers is tried. */
const CERTAIN = 20;

function tableOf(change: (letter: number, base: number) => number): Int8Array {
  const table = new Int8Array(128);
  for (let code = 0; code < 128; code += 1) {
    const base = code < 0x61 ? 0x41 : 0x61;
    table[code] = sextet(isLetter(code) ? change(code - base, base) : code);
  }
  return table;
}

/** Six bits of each symbol: as it is, letters shifted by 1 to 25, mirrored, and in the other case. */
const tables: () => readonly Int8Array[] = lazily(() => {
  const list = [tableOf((letter, base) => base + letter)];
  for (let by = 1; by < 26; by += 1) {
    list.push(tableOf((letter, base) => base + ((letter + by) % 26)));
  }
  list.push(tableOf((letter, base) => base + 25 - letter));
  list.push(tableOf((letter, base) => (base ^ 0x20) + letter));
  return list;
});

/** Printable text of the symbols; the empty string at the first byte that is none. */
function decode(
  text: string,
  start: number,
  end: number,
  table: Int8Array,
  turned: boolean,
): string {
  let out = '';
  let bits = 0;
  let held = 0;
  for (let k = start; k < end; k += 1) {
    const code = text.charCodeAt(turned ? start + end - 1 - k : k);
    const value = code < 128 ? (table[code] ?? -1) : -1;
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

/** Bytes written as pairs of hexadecimal digits, all of it back to front. */
function turnedPairs(text: string, start: number, end: number): string {
  if ((end - start) % 2 !== 0 || !/^[\da-f]+$/iu.test(text.slice(start, end))) return '';
  let out = '';
  for (let at = end - 1; at > start; at -= 2) {
    const byte = Number.parseInt(text.charAt(at) + text.charAt(at - 1), 16);
    if (!(byte >= 0x20 && byte < 0x7f)) return '';
    out += String.fromCharCode(byte);
  }
  return out;
}

/** Whether text is more than chance: words, or letters nearly throughout. */
function isText(text: string): boolean {
  if (text.length < LEAST / 2) return false;
  const worth = judgeDecoded(text, CERTAIN);
  if (worth === 'legible') return true;
  const letters = text.match(/[A-Za-z0-9 ]/gu)?.length ?? 0;
  return worth === 'step' && letters > text.length * 0.9;
}

function read(text: string, start: number, end: number): string {
  if (end - start < LEAST || end - start > MOST) return '';
  for (const [k, table] of tables().entries()) {
    for (const turned of k === 0 ? [false, true] : [false]) {
      const found = decode(text, start, end, table, turned);
      if (found !== '' && isText(found)) return found;
    }
  }
  const pairs = turnedPairs(text, start, end);
  return isText(pairs) ? pairs : '';
}

/** Where a row of symbols around `[start, end)` begins and ends; what stands before `least` was looked at. */
function around(
  text: string,
  start: number,
  end: number,
  slashes: boolean,
  least: number,
): [number, number] {
  const isSymbol = (at: number): boolean => {
    const code = text.charCodeAt(at);
    return sextet(code) >= 0 && (slashes || code !== 0x2f);
  };
  let from = start;
  let to = end;
  while (from > least && end - from < MOST && isSymbol(from - 1)) from -= 1;
  while (to < text.length && to - from < MOST && isSymbol(to)) to += 1;
  return [from, to];
}

/** Base64 that was shifted, mirrored or turned round afterwards, or stands in a path; hexadecimal turned round. */
export const cipheredBase64Decoder: Decoder = {
  needs: 0,
  needsRuns: LONG_MIXED_RUN,
  decode({ shown, tokens }) {
    const { text } = shown;
    const edits: Edit[] = [];
    let done = 0;
    let row = 0;
    for (let i = 0; i < tokens.count; i += 1) {
      const at = tokens.start[i] ?? 0;
      const stop = tokens.end[i] ?? 0;
      if (at < done || stop - at < LEAST || ((tokens.shape[i] ?? 0) & MIXED) === 0) continue;
      let found = '';
      let [start, end] = [at, stop];
      // The whole row first, slashes among its symbols, then the part of it that holds the token.
      if (at >= row) {
        [start, end] = around(text, at, stop, true, done);
        row = end;
        found = read(text, start, end);
      }
      if (found === '') {
        [start, end] = around(text, at, stop, false, done);
        found = read(text, start, end);
      }
      done = end;
      if (found === '') continue;
      const step = (end - start) / found.length;
      const from = start;
      const last = end - 1;
      const positions = Array.from(found, (_, k) => Math.min(last, from + Math.floor(k * step)));
      edits.push({ start, end, text: found, positions });
    }
    if (edits.length === 0) return undefined;
    return { name: 'decoded', layer: applyEdits(shown, edits), legible: true };
  },
};
