import { lazily } from './character-classes.js';
import { PlacedText } from './placed-text.js';

/**
 * Feeds bytes one at a time and says when they stop being printable UTF-8 (or UTF-16LE of Latin
 * letters), so that a decoder can give up at the first byte that makes no sense.
 */
export class ByteReader {
  readonly #out = new PlacedText();
  #point = 0;
  #missing = 0;
  #least = 0;
  #begin = 0;
  #last = 0;
  #count = 0;
  /** Control characters that were passed over. */
  #odd = 0;
  #wide = false;

  /** Forgets what was read, to be used again. */
  clear(): void {
    this.#out.clear();
    this.#missing = 0;
    this.#count = 0;
    this.#odd = 0;
    this.#wide = false;
  }

  /** `place`: what the byte stands for. False when it cannot follow; the reader then keeps what it had. */
  push(byte: number, place: number): boolean {
    if (byte >= 0x20 && byte < 0x7f && this.#missing === 0 && !this.#wide) {
      this.#out.put(byte, place);
      this.#last = place;
      this.#count += 1;
      return true;
    }
    if (!this.#pushOther(byte, place)) return false;
    this.#last = place;
    this.#count += 1;
    return true;
  }

  #pushOther(byte: number, place: number): boolean {
    const at = this.#count;
    if (this.#wide && at % 2 === 1) return byte === 0;
    if (byte === 0) {
      if (at !== 1 || this.#missing > 0) return false;
      this.#wide = true;
      return true;
    }
    if (this.#missing > 0) {
      if ((byte & 0xc0) !== 0x80) return false;
      this.#point = (this.#point << 6) | (byte & 0x3f);
      this.#missing -= 1;
      return this.#missing > 0 || this.#complete();
    }
    this.#begin = place;
    if (byte < 0x80) {
      if (byte === 0x7f || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13)) {
        return this.#passOver();
      }
      this.#out.put(byte, place);
    } else if (byte >= 0xc2 && byte <= 0xdf) this.#open(byte & 0x1f, 1, 0x80);
    else if (byte >= 0xe0 && byte <= 0xef) this.#open(byte & 0x0f, 2, 0x800);
    else if (byte >= 0xf0 && byte <= 0xf4) this.#open(byte & 0x07, 3, 0x10000);
    else return false;
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
    if (point < 0xa0) return this.#passOver();
    if (point > 0xffff) {
      const rest = point - 0x10000;
      this.#out.put(0xd800 + (rest >> 10), this.#begin);
      this.#out.put(0xdc00 + (rest & 0x3ff), this.#begin);
    } else this.#out.put(point, this.#begin);
    return true;
  }

  /** A control character within text is left out, as it is from the text itself; many of them are no text. */
  #passOver(): boolean {
    this.#odd += 1;
    return this.#count > 0 && this.#odd <= 1 + (this.#count >> 4);
  }

  /** Units so far, to come back to with `finish`. */
  get units(): number {
    return this.#out.size;
  }

  /** Adds a character that stands in no byte, such as the space between two pieces. */
  separate(): void {
    if (this.#missing > 0 || this.#out.size === 0) return;
    this.#out.put(0x20, this.#last);
  }

  /** Hands over what was read, and forgets it. */
  moveTo(out: PlacedText): void {
    out.append(this.#out);
    this.clear();
  }

  /** The text up to a number of units. */
  text(units = this.#out.size): string {
    return this.#out.text(units);
  }

  /** For each unit of the text the place of the byte at which it begins. */
  positions(units = this.#out.size): ArrayLike<number> {
    return this.#out.places(units);
  }
}

/** One that decoders use by turns: each is done with it when it returns. */
export const sharedReader: () => ByteReader = lazily(() => new ByteReader());
