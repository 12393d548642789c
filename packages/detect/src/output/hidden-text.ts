import { reverse } from './encodings.js';

const ALPHABET32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** Shorter tokens decode to something legible by chance. */
const LEAST_TOKEN = 12;
const LEAST_TEXT = 8;
const LEAST_PADDED = 5;
const LEAST_WIDE = 18;
/** Of a longer token the beginning and the end are read; a multiple of the grids of all encodings. */
export const MOST_READ = 1920;

const utf8 = new TextDecoder();

/** Whether bytes read as words or values rather than as noise. */
function legible(bytes: Uint8Array, least: number): string | undefined {
  if (bytes.length < least) return undefined;
  const text = utf8.decode(bytes);
  let good = 0;
  let poor = 0;
  let wide = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (
      code === 0xfffd ||
      (code < 32 && code !== 10 && code !== 13 && code !== 9) ||
      code === 127
    ) {
      return undefined;
    }
    if (/[\p{L}\p{N} ]/u.test(character)) good += 1;
    else poor += 1;
    if (code > 127) wide += 1;
  }
  // Random bytes make a few valid two-byte letters; real text of another script makes mostly those.
  if (wide > 0 && (bytes.length < LEAST_WIDE || good < 4 * (poor + 1))) return undefined;
  return good >= 2 * poor ? text : undefined;
}

/** The bytes of base64 in either alphabet, padded or not. */
export function fromBase64(token: string): Uint8Array | undefined {
  const plain = token
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  if (plain.length % 4 === 1 || !/^[a-z0-9+/]+$/i.test(plain)) return undefined;
  return Uint8Array.from(atob(plain), (unit) => unit.charCodeAt(0));
}

function fromHex(token: string): Uint8Array | undefined {
  if (token.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(token)) return undefined;
  const bytes = new Uint8Array(token.length / 2);
  for (let i = 0; i < bytes.length; i += 1) {
    bytes[i] = Number.parseInt(token.slice(i * 2, i * 2 + 2), 16);
  }
  return bytes;
}

function fromBase32(token: string): Uint8Array | undefined {
  // Words in camel case are made of the same letters; an encoder writes one case.
  if (!/^(?:[a-z2-7]+|[A-Z2-7]+)=*$/.test(token)) return undefined;
  const plain = token.toLowerCase().replace(/=+$/, '');
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const digit of plain) {
    held = ((held << 5) | ALPHABET32.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 255);
    }
  }
  return Uint8Array.from(bytes);
}

/** Codes written out (`104 117 110 …` in any grouping), or eight bits for each. */
function fromCodes(token: string): Uint8Array | undefined {
  if (/^(?:[01]{8})+$/.test(token)) {
    return Uint8Array.from({ length: token.length / 8 }, (_, i) =>
      Number.parseInt(token.slice(i * 8, i * 8 + 8), 2),
    );
  }
  if (!/^\d{2,3}(?:[-_.,+ ]\d{2,3})+$/.test(token)) return undefined;
  const codes = token.split(/[-_.,+ ]/).map(Number);
  return codes.every((code) => code >= 32 && code < 127) ? Uint8Array.from(codes) : undefined;
}

/**
 * The words that a token hides: base64 in either alphabet, hexadecimal, base32, or character codes, also one in
 * another and also reversed. `undefined` when it decodes to nothing legible, as hashes and random ids do.
 */
export function hiddenText(token: string, depth = 2): string | undefined {
  if (token.length < (token.endsWith('=') ? 8 : LEAST_TOKEN) || !/^[\w+/=., -]+$/.test(token))
    return undefined;
  if (token.length > MOST_READ) {
    return (
      hiddenText(token.slice(0, MOST_READ), depth) ?? hiddenText(token.slice(-MOST_READ), depth)
    );
  }
  // Padding says that it is an encoding, so less of it is enough.
  const least = /[^=]={1,2}$/.test(token) ? LEAST_PADDED : LEAST_TEXT;
  for (const written of [token, reverse(token)]) {
    for (const decode of [fromHex, fromBase64, fromBase32, fromCodes]) {
      const bytes = decode(written);
      const text = bytes === undefined ? undefined : legible(bytes, least);
      if (text === undefined) continue;
      return (depth > 1 && /^[\w+/=-]+$/.test(text) && hiddenText(text, depth - 1)) || text;
    }
  }
  return undefined;
}
