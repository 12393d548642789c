import { isUtf8 } from 'node:buffer';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The encoding that the first bytes announce, and how long their mark is. */
export function sniffEncoding(head: Uint8Array): { encoding: Encoding; markLength: number } {
  const [a, b, c] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', markLength: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', markLength: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', markLength: 2 };
  // Without a mark, ASCII in UTF-16 shows as a zero in every other byte.
  const length = Math.min(head.length & ~1, 256);
  if (length >= 4) {
    let even = 0;
    let odd = 0;
    for (let i = 0; i < length; i += 2) {
      if (head[i] === 0) even += 1;
      if (head[i + 1] === 0) odd += 1;
    }
    const half = length / 2;
    if (odd > half * 0.7 && even === 0) return { encoding: 'utf-16le', markLength: 0 };
    if (even > half * 0.7 && odd === 0) return { encoding: 'utf-16be', markLength: 0 };
  }
  return { encoding: 'utf-8', markLength: 0 };
}

const INVALID_BYTE = /[\udc80-\udcff]/u;

/**
 * The first byte that was not UTF-8 in a text from `decodeText`, or null.
 * Undecodable bytes travel as the lone surrogates U+DC80–U+DCFF, which no valid UTF-8 yields, so the
 * row that holds them can be refused by name while its neighbours are read.
 */
export function invalidByte(text: string): number | null {
  const found = INVALID_BYTE.exec(text);
  return found === null ? null : found[0].charCodeAt(0) - 0xdc00;
}

/** How many bytes at the end of a chunk begin a character that is not complete yet. */
function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const need = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return need > back ? back : 0;
    }
  }
  return 0;
}

function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

function decodeMarkingInvalid(bytes: Buffer): string {
  const pieces: string[] = [];
  let start = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    pieces.push(bytes.toString('utf8', start, at), String.fromCharCode(0xdc00 + (bytes[at] ?? 0)));
    at += 1;
    start = at;
  }
  pieces.push(bytes.toString('utf8', start));
  return pieces.join('');
}

function decodeUtf8(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : decodeMarkingInvalid(bytes);
}

async function* decodeUtf16(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  // Not `ignoreBOM: false`: the mark was cut off before, and a second one is content.
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

async function* decodeUtf8Chunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let carry: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const bytes = carry.length === 0 ? view : Buffer.concat([carry, view]);
    const tail = incompleteTail(bytes);
    const text = decodeUtf8(bytes.subarray(0, bytes.length - tail));
    carry = tail === 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(bytes.length - tail));
    if (text !== '') yield text;
  }
  if (carry.length > 0) yield decodeUtf8(carry);
}

/** Text of a byte stream whose mark was cut off. Undecodable UTF-8 bytes: see `invalidByte`. */
export function decodeText(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  return encoding === 'utf-8' ? decodeUtf8Chunks(chunks) : decodeUtf16(chunks, encoding);
}
