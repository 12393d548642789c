const ALPHABET64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const ALPHABET32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The digits that a group of bits makes, without padding; `skip` bits of unknown neighbours stand before. */
function groups(bytes: Uint8Array, alphabet: string, width: 5 | 6, lead: number): string {
  const bits = lead * 8 + bytes.length * 8;
  const first = Math.ceil((lead * 8) / width);
  // Digits that mix with a neighbour on either side are left out: they cannot be known.
  const last = Math.floor(bits / width);
  let digitsOut = '';
  for (let digit = first; digit < last; digit += 1) {
    let value = 0;
    for (let bit = digit * width; bit < (digit + 1) * width; bit += 1) {
      const byte = bytes[Math.floor(bit / 8) - lead] ?? 0;
      value = value * 2 + ((byte >> (7 - (bit % 8))) & 1);
    }
    digitsOut += alphabet.charAt(value);
  }
  return digitsOut;
}

/**
 * What is fixed in the base64 of any longer text that contains these bytes: one reading for each of the three
 * ways in which they can lie on the grid of three bytes.
 */
export function base64Readings(bytes: Uint8Array): string[] {
  return [0, 1, 2].map((lead) => groups(bytes, ALPHABET64, 6, lead));
}

/** The same for base32, whose grid is five bytes wide. */
export function base32Readings(bytes: Uint8Array): string[] {
  return [0, 1, 2, 3, 4].map((lead) => groups(bytes, ALPHABET32, 5, lead));
}

/** Turns letters by 13 places; a second turn gives the text back. */
export function rot13(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter < 'a' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** By code point, so that no surrogate pair is torn. */
export function reverse(text: string): string {
  return Array.from(text).toReversed().join('');
}

const utf8 = new TextEncoder();

/**
 * Spellings under which a value can travel: as it is, reversed, rot13, base64, base32, hexadecimal, decimal,
 * octal, binary, and the escapes of C, JavaScript, HTML and URLs. Compare them after `fold`.
 */
export function spellings(value: string): string[] {
  const found = new Set<string>();
  const lower = value.toLowerCase();
  for (const text of [value, reverse(value)]) {
    found.add(text);
    found.add(rot13(text));
  }
  for (const text of new Set([value, lower, value.toUpperCase(), reverse(value)])) {
    const bytes = utf8.encode(text);
    const each = (radix: number, width: number, before: string): string =>
      Array.from(bytes, (byte) => before + byte.toString(radix).padStart(width, '0')).join('');
    for (const reading of base64Readings(bytes)) found.add(reading);
    for (const reading of base32Readings(bytes)) found.add(reading);
    found.add(each(16, 2, ''));
    found.add(each(16, 2, 'x'));
    found.add(each(16, 2, '0x'));
    found.add(each(16, 4, 'u'));
    found.add(each(16, 2, 'u'));
    found.add(each(10, 1, ''));
    found.add(each(8, 3, ''));
    found.add(each(2, 8, ''));
  }
  return [...found];
}
