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

const ASCII85 = Array.from({ length: 85 }, (_, i) => String.fromCharCode(33 + i)).join('');
/** The alphabet of RFC 1924, as Python's `b85encode` has it. */
const BASE85 =
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

/** The same for both alphabets of base85, whose grid is four bytes wide. */
function base85Readings(bytes: Uint8Array): string[] {
  return [0, 1, 2, 3].flatMap((lead) =>
    [ASCII85, BASE85].map((alphabet) => {
      let out = '';
      // Groups that are shared with a neighbour are left out.
      for (let at = (4 - lead) % 4; at + 4 <= bytes.length; at += 4) {
        let value = 0;
        for (let i = 0; i < 4; i += 1) value = value * 256 + (bytes[at + i] ?? 0);
        let group = '';
        for (let i = 0; i < 5; i += 1) {
          group = alphabet.charAt(value % 85) + group;
          value = Math.floor(value / 85);
        }
        out += group;
      }
      return out;
    }),
  );
}

/** Turns letters by some places, from 0 to 25, and leaves the rest. */
function shifted(text: string, places: number): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter < 'a' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + places) % 26) + base);
  });
}

/** Turns letters by 13 places; a second turn gives the text back. */
export function rot13(text: string): string {
  return shifted(text, 13);
}

/** Turns printable ASCII by 47 places; a second turn gives the text back. */
function rot47(text: string): string {
  return text.replaceAll(/[!-~]/g, (sign) =>
    String.fromCharCode(((sign.charCodeAt(0) - 33 + 47) % 94) + 33),
  );
}

/** The alphabet from its end: `a` is `z`. */
function atbash(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter < 'a' ? 65 : 97;
    return String.fromCharCode(base + 25 - (letter.charCodeAt(0) - base));
  });
}

/** By code point, so that no surrogate pair is torn. */
export function reverse(text: string): string {
  return Array.from(text).toReversed().join('');
}

const utf8 = new TextEncoder();

/**
 * A value with its letters turned by any number of places, or from the end of the alphabet, as it is and reversed. Short
 * words may become others: compare only those that are long.
 */
export function ciphers(value: string): string[] {
  return [value, reverse(value)].flatMap((text) => [
    atbash(text),
    ...Array.from({ length: 25 }, (_, i) => shifted(text, i + 1)),
  ]);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Spellings under which a value can travel: as it is, reversed, rot13, rot47, base64 (also twice), base32, base85,
 * hexadecimal, decimal, octal, binary, and the escapes of C, JavaScript, HTML and URLs. Compare them after `fold`.
 */
export function spellings(value: string): string[] {
  const found = new Set<string>();
  const lower = value.toLowerCase();
  for (const text of [value, reverse(value)]) {
    found.add(text);
    found.add(rot13(text));
    found.add(rot47(text));
  }
  for (const reading of base85Readings(utf8.encode(value))) found.add(reading);
  for (const inner of base64Readings(utf8.encode(value))) {
    for (const reading of base64Readings(utf8.encode(inner))) found.add(reading);
    found.add(hexOf(utf8.encode(inner)));
  }
  for (const inner of [hexOf(utf8.encode(value)), hexOf(utf8.encode(value)).toUpperCase()]) {
    for (const reading of base64Readings(utf8.encode(inner))) found.add(reading);
  }
  for (const text of new Set([value, lower, value.toUpperCase(), reverse(value)])) {
    const bytes = utf8.encode(text);
    const each = (radix: number, width: number, before: string): string =>
      Array.from(bytes, (byte) => before + byte.toString(radix).padStart(width, '0')).join('');
    for (const reading of base64Readings(bytes)) found.add(reading);
    for (const reading of base32Readings(bytes)) found.add(reading);
    found.add(hexOf(bytes));
    found.add(each(16, 2, 'x'));
    found.add(each(16, 2, '0x'));
    found.add(each(16, 4, 'u'));
    found.add(each(16, 2, 'u'));
    found.add(each(10, 1, ''));
    found.add(each(8, 3, ''));
    found.add(each(8, 1, ''));
    found.add(each(2, 8, ''));
  }
  return [...found];
}
