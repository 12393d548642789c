/** UTF-8 bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BASE85 =
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

/** Groups of `width` bits as letters of an alphabet, the last filled with zeros. */
function packed(bytes: Uint8Array, width: number, alphabet: string): string {
  let out = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xffff;
    held += 8;
    while (held >= width) {
      held -= width;
      out += alphabet.charAt((bits >> held) & ((1 << width) - 1));
    }
  }
  if (held > 0) out += alphabet.charAt((bits << (width - held)) & ((1 << width) - 1));
  return out;
}

export function base64(text: string): string {
  const out = packed(bytesOf(text), 6, BASE64);
  return out + '='.repeat((4 - (out.length % 4)) % 4);
}

export function base64url(text: string): string {
  return base64(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function base32(text: string): string {
  const out = packed(bytesOf(text), 5, BASE32);
  return out + '='.repeat((8 - (out.length % 8)) % 8);
}

/** Base85 with the alphabet of RFC 1924, or Ascii85 when `alphabet` is left out. */
function base85Of(text: string, symbol: (digit: number) => string): string {
  const bytes = bytesOf(text);
  let out = '';
  for (let i = 0; i < bytes.length; i += 4) {
    const count = Math.min(4, bytes.length - i);
    let value = 0;
    for (let k = 0; k < 4; k += 1) value = value * 256 + (bytes[i + k] ?? 0);
    const digits: number[] = [];
    for (let k = 0; k < 5; k += 1) {
      digits.unshift(value % 85);
      value = Math.floor(value / 85);
    }
    out += digits
      .slice(0, count + 1)
      .map((digit) => symbol(digit))
      .join('');
  }
  return out;
}

export function base85(text: string): string {
  return base85Of(text, (digit) => BASE85.charAt(digit));
}

export function ascii85(text: string): string {
  return `<~${base85Of(text, (digit) => String.fromCharCode(33 + digit))}~>`;
}

/** Each byte in a base, padded to a width, put together with a separator. */
export function byteList(text: string, base: number, width: number, separator: string): string {
  return Array.from(bytesOf(text), (byte) => byte.toString(base).padStart(width, '0')).join(
    separator,
  );
}
