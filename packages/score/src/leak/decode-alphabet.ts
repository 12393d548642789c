/** A way to write bytes with the letters of an alphabet, so many bits to a letter. */
interface Alphabet {
  readonly bits: number;
  /** Letters whose groups come out even; an encoding can begin at any of so many places of a run. */
  readonly period: number;
  /** Value by UTF-16 code, -1 for what is no letter. */
  readonly values: Int8Array;
}

function alphabetOf(bits: number, period: number, ...spellings: readonly string[]): Alphabet {
  const values = new Int8Array(128).fill(-1);
  for (const letters of spellings) {
    for (let index = 0; index < letters.length; index += 1) {
      values[letters.charCodeAt(index)] = index;
    }
  }
  return { bits, period, values };
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();

/** Both alphabets of RFC 4648 at once: no text mixes them by chance in a way that would matter. */
export const BASE64: Alphabet = alphabetOf(
  6,
  4,
  `${UPPER}${LOWER}0123456789+/`,
  `${UPPER}${LOWER}0123456789-_`,
);
export const BASE32: Alphabet = alphabetOf(5, 8, `${UPPER}234567`, `${LOWER}234567`);
export const HEX: Alphabet = alphabetOf(4, 2, '0123456789ABCDEF', '0123456789abcdef');

/** Stretches of letters of the alphabet that can hold at least `bytes` bytes; what `skip` matches is passed over. */
function runsOf(
  text: string,
  { values, bits }: Alphabet,
  bytes: number,
  skip: (code: number) => boolean,
): Uint8Array[] {
  const least = Math.ceil((bytes * 8) / bits);
  const runs: Uint8Array[] = [];
  const letters = new Uint8Array(text.length);
  let length = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const code = index < text.length ? text.charCodeAt(index) : 0;
    const value = code < 128 ? (values[code] ?? -1) : -1;
    if (value >= 0) {
      letters[length] = value;
      length += 1;
    } else if (index === text.length || !skip(code)) {
      if (length >= least) runs.push(letters.slice(0, length));
      length = 0;
    }
  }
  return runs;
}

function bytesOf(letters: Uint8Array, bits: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor((letters.length * bits) / 8));
  let held = 0;
  let count = 0;
  let at = 0;
  for (const value of letters) {
    held = ((held << bits) | value) & 0xffff;
    count += bits;
    if (count >= 8) {
      count -= 8;
      bytes[at] = (held >> count) & 0xff;
      at += 1;
    }
  }
  return bytes;
}

/**
 * Everything that the text may say in this alphabet, read from every alignment. Zero bytes are dropped, so that UTF-16 reads as
 * the text that it is.
 */
export function decodeAlphabet(
  text: string,
  alphabet: Alphabet,
  bytes: number,
  skip: (code: number) => boolean,
): string[] {
  const runs = runsOf(text, alphabet, bytes, skip);
  if (runs.length === 0) return [];
  const decoder = new TextDecoder();
  const texts: string[] = [];
  for (let offset = 0; offset < alphabet.period; offset += 1) {
    texts.push(
      runs
        .map((run) => decoder.decode(bytesOf(run.subarray(offset), alphabet.bits)))
        .join('\n')
        .replaceAll('\0', ''),
    );
  }
  return texts;
}

const SPACE = 32;

/** Line breaks and indents, by which encoders wrap long lines. */
export function isWhiteSpace(code: number): boolean {
  return code === SPACE || (code >= 9 && code <= 13);
}

export function isNothing(): boolean {
  return false;
}

/** What is put between the bytes of a hex dump. */
export function isHexSeparator(code: number): boolean {
  return isWhiteSpace(code) || code === 0x3a || code === 0x2d || code === 0x2c || code === 0x5f;
}
