import { lazily } from '../character-classes.js';
import { judgeDecoded } from '../legibility.js';
import type { Tokens } from '../tokens.js';
import { type ByteReader, sharedReader } from '../utf8.js';
import { isText, type Piece } from './base64.js';

const CERTAIN = 14;
/** Shortest run of symbols that is looked at. */
const LEAST_BASE85 = 10;

const DIGITS = '0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';

function inverse(alphabet: string): Int8Array {
  const table = new Int8Array(128).fill(-1);
  for (let i = 0; i < alphabet.length; i += 1) table[alphabet.charCodeAt(i)] = i;
  return table;
}

/** Ascii85, the alphabet of RFC 1924, and Z85. */
const alphabets: () => readonly Int8Array[] = lazily(() => {
  const ascii85 = new Int8Array(128).fill(-1);
  for (let i = 0; i < 85; i += 1) ascii85[33 + i] = i;
  return [
    ascii85,
    inverse(`${DIGITS}${UPPER}${LOWER}!#$%&()*+-;<=>?@^_\`{|}~`),
    inverse(`${DIGITS}${LOWER}${UPPER}.-:+=^!/*?&<>()[]{}@%$#`),
  ];
});

interface Attempt {
  readonly text: string;
  readonly positions: ArrayLike<number>;
  readonly end: number;
}

/** Reads the first bytes of a group of four; false at one that is no text. */
function emit(value: number, bytes: number, reader: ByteReader, begin: number): boolean {
  for (let i = 0; i < bytes; i += 1) {
    if (!reader.push((value >>> (24 - 8 * i)) & 0xff, begin)) return false;
  }
  return true;
}

function attempt(
  text: string,
  start: number,
  stop: number,
  table: Int8Array,
  reader: ByteReader,
): Attempt | undefined {
  reader.clear();
  let value = 0;
  let symbols = 0;
  let begin = start;
  let end = start;
  let at = start;
  for (; at < stop; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x20) continue;
    const digit = code < 128 ? (table[code] ?? -1) : -1;
    if (digit < 0) break;
    if (symbols === 0) begin = at;
    value = value * 85 + digit;
    symbols += 1;
    if (symbols < 5) continue;
    if (value > 0xffffffff || !emit(value, 4, reader, begin)) break;
    symbols = 0;
    value = 0;
    end = at + 1;
  }
  if (symbols >= 2 && at >= stop) {
    const bytes = symbols - 1;
    for (; symbols < 5; symbols += 1) value = value * 85 + 84;
    if (value <= 0xffffffff && emit(value, bytes, reader, begin)) end = stop;
  }
  // What ends within the first symbols is no piece, whatever it says.
  if (end - start < LEAST_BASE85) return undefined;
  return { text: reader.text(), positions: reader.positions(), end };
}

/** Signs that may follow a word as punctuation. */
const TRAILING = 2;

/** Stretches as long as a piece, in a text without `<~`. */
function stretches(text: string, { count, start, end }: Tokens): Piece[] {
  const pieces: Piece[] = [];
  const long = /[^ ]{10,}/gu;
  let i = 0;
  while (long.test(text)) {
    const stop = long.lastIndex;
    const from = text.lastIndexOf(' ', stop - 1) + 1;
    while (i < count && (start[i] ?? 0) < from) i += 1;
    if (i >= count) break;
    const first = start[i] ?? 0;
    if (first >= stop || (first === from && stop - (end[i] ?? 0) <= TRAILING)) continue;
    const piece = best(text, from, stop, from, stop);
    if (piece !== undefined) pieces.push(piece);
  }
  return pieces;
}

/** Words of ten or more printable characters with signs in them, and what stands between `<~` and `~>`. */
export function base85Pieces(text: string, tokens: Tokens): Piece[] {
  if (!text.includes('<~')) return stretches(text, tokens);
  const pieces: Piece[] = [];
  let at = 0;
  // One failed search for a closing mark is enough: there is none further on either.
  let closes = true;
  // The next space, looked for once however many pieces stand before it.
  let space = -1;
  for (let i = 0; i < tokens.count; i += 1) {
    const first = tokens.start[i] ?? 0;
    if (first < at) continue;
    let from = first;
    while (from > at && text.charCodeAt(from - 1) !== 0x20) from -= 1;
    let start = from;
    let stop = tokens.end[i] ?? 0;
    if (stop > space) {
      const next = text.indexOf(' ', stop);
      space = next < 0 ? text.length : next;
    }
    stop = space;
    let after = stop;
    if (closes && text.startsWith('<~', from)) {
      const close = text.indexOf('~>', from + 2);
      if (close < 0) closes = false;
      else {
        start = from + 2;
        stop = close;
        after = close + 2;
      }
    }
    at = after;
    if (stop - start < LEAST_BASE85) continue;
    // A word of prose, with a stop or a bracket after it.
    const plain = start === first && stop - (tokens.end[i] ?? 0) <= TRAILING;
    const piece = plain ? undefined : best(text, start, stop, from, after);
    if (piece !== undefined) pieces.push(piece);
  }
  return pieces;
}

/** Whether the first five symbols give a byte that text can begin with. */
function mayBegin(text: string, start: number, table: Int8Array): boolean {
  let value = 0;
  for (let i = 0; i < 5; i += 1) {
    const code = text.charCodeAt(start + i);
    const digit = code < 128 ? (table[code] ?? -1) : -1;
    if (digit < 0) return false;
    value = value * 85 + digit;
  }
  const byte = Math.floor(value / 0x1000000);
  const next = (value >>> 16) & 0xff;
  if (byte >= 0xc2 && byte <= 0xf4) return next >= 0x80 && next <= 0xbf;
  return isText(byte) && (next === 0 || next >= 0xc2 || isText(next));
}

function best(
  text: string,
  start: number,
  stop: number,
  from: number,
  after: number,
): Piece | undefined {
  let found: Attempt | undefined;
  for (const table of alphabets()) {
    if (!mayBegin(text, start, table)) continue;
    const tried = attempt(text, start, stop, table, sharedReader());
    if (tried !== undefined && tried.text.length > (found?.text.length ?? 0)) found = tried;
  }
  if (found === undefined) return undefined;
  const worth = judgeDecoded(found.text, CERTAIN);
  if (worth === 'noise') return undefined;
  const end = found.end >= stop ? after : found.end;
  return {
    start: from,
    end,
    text: found.text,
    positions: found.positions,
    legible: worth === 'legible',
  };
}
