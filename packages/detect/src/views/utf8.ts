/** Text made from bytes; `offsets[i]` is the byte at which unit `i` begins. */
export interface DecodedBytes {
  readonly text: string;
  readonly offsets: readonly number[];
}

/**
 * Feeds bytes one at a time and says when they stop being printable UTF-8 (or UTF-16LE of Latin
 * letters), so that a decoder can give up at the first byte that makes no sense.
 */
export class ByteReader {
  #units: number[] = [];
  #offsets: number[] = [];
  #point = 0;
  #missing = 0;
  #least = 0;
  #begin = 0;
  #count = 0;
  #wide = false;

  get length(): number {
    return this.#count;
  }

  /** False when the byte cannot follow; the reader then keeps what it had. */
  push(byte: number): boolean {
    const at = this.#count;
    if (this.#wide && at % 2 === 1) {
      if (byte !== 0) return false;
      this.#count += 1;
      return true;
    }
    if (byte === 0) {
      if (at !== 1 || this.#missing > 0) return false;
      this.#wide = true;
      this.#count += 1;
      return true;
    }
    if (this.#missing > 0) {
      if ((byte & 0xc0) !== 0x80) return false;
      this.#point = (this.#point << 6) | (byte & 0x3f);
      this.#missing -= 1;
      this.#count += 1;
      return this.#missing > 0 || this.#complete();
    }
    this.#begin = at;
    if (byte < 0x80) {
      if (byte === 0x7f || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13)) return false;
      this.#units.push(byte);
      this.#offsets.push(at);
    } else if (byte >= 0xc2 && byte <= 0xdf) this.#open(byte & 0x1f, 1, 0x80);
    else if (byte >= 0xe0 && byte <= 0xef) this.#open(byte & 0x0f, 2, 0x800);
    else if (byte >= 0xf0 && byte <= 0xf4) this.#open(byte & 0x07, 3, 0x10000);
    else return false;
    this.#count += 1;
    return true;
  }

  #open(bits: number, missing: number, least: number): void {
    this.#point = bits;
    this.#missing = missing;
    this.#least = least;
  }

  #complete(): boolean {
    const point = this.#point;
    if (point < this.#least || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
      return false;
    }
    if (point < 0xa0) return false;
    if (point > 0xffff) {
      const rest = point - 0x10000;
      this.#units.push(0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
      this.#offsets.push(this.#begin, this.#begin);
    } else {
      this.#units.push(point);
      this.#offsets.push(this.#begin);
    }
    return true;
  }

  /** Units so far, to come back to with `finish`. */
  get units(): number {
    return this.#units.length;
  }

  /** Adds a character that stands in no byte, such as the space between two pieces. */
  separate(): void {
    if (this.#missing > 0 || this.#units.length === 0) return;
    this.#units.push(0x20);
    this.#offsets.push(Math.max(0, this.#count - 1));
  }

  /** The text up to a number of units. */
  finish(units = this.#units.length): DecodedBytes {
    let text = '';
    for (let i = 0; i < units; i += 4096) {
      text += String.fromCharCode(...this.#units.slice(i, Math.min(units, i + 4096)));
    }
    return { text, offsets: this.#offsets.slice(0, units) };
  }
}

/** Bytes as printable UTF-8, or undefined when they are not. */
export function decodeBytes(bytes: readonly number[]): DecodedBytes | undefined {
  const reader = new ByteReader();
  for (const byte of bytes) if (!reader.push(byte)) return undefined;
  return reader.finish();
}
