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

/** Length of the UTF-8 sequence of a printable character at `at`, or 0 when there is none. */
function printableAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return lead >= 0x20 ? (lead === 0x7f ? 0 : 1) : lead >= 9 && lead <= 13 ? 1 : 0;
  const length =
    lead >= 0xc2 && lead <= 0xdf
      ? 2
      : lead >= 0xe0 && lead <= 0xef
        ? 3
        : lead >= 0xf0 && lead <= 0xf4
          ? 4
          : 0;
  for (let next = 1; next < length; next += 1) {
    if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

/**
 * The stretches of printable text of at least so many bytes, a line each. What is no text falls out here, so that reading prose as if
 * it were an encoding costs little.
 */
function textIn(
  bytes: Uint8Array,
  least: number,
  decoder: InstanceType<typeof TextDecoder>,
): string {
  const found: string[] = [];
  let start = 0;
  let at = 0;
  while (at <= bytes.length) {
    const length = at < bytes.length ? printableAt(bytes, at) : 0;
    if (length === 0) {
      if (at - start >= least) found.push(decoder.decode(bytes.subarray(start, at)));
      start = at + 1;
      at += 1;
    } else at += length;
  }
  return found.join('\n');
}

/**
 * Everything that the text may say in this alphabet, read from every alignment. Zero bytes are dropped, so that UTF-16 reads as
 * the text that it is.
 */
export function decodeAlphabet(
  text: string,
  { bits, period, values }: Alphabet,
  bytes: number,
  skip: (code: number) => boolean,
): string[] {
  const runs = runsOf(text, { bits, period, values }, bytes, skip);
  if (runs.length === 0) return [];
  const decoder = new TextDecoder();
  const texts: string[] = [];
  for (let offset = 0; offset < period; offset += 1) {
    const read = runs
      .map((run) => {
        const decoded = bytesOf(run.subarray(offset), bits);
        return textIn(
          decoded.includes(0) ? decoded.filter((byte) => byte !== 0) : decoded,
          bytes,
          decoder,
        );
      })
      .filter((line) => line !== '');
    if (read.length > 0) texts.push(read.join('\n'));
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
