import { judgeDecoded } from '../legibility.js';
import { PlacedText } from '../placed-text.js';
import type { Decoder } from '../reading.js';
import { HIDDEN } from '../traits.js';
import { ByteReader } from '../utf8.js';
import { type HiddenRun, showHidden, smuggled, strewn } from './hidden-text.js';
import { apart, FEW } from './variation-selectors.js';

function isZeroWidth(code: number): boolean {
  if (code < 0x2000) {
    return code === 0xad || code === 0x34f || code === 0x115f || code === 0x1160 || code === 0x180e;
  }
  if (code > 0x206f) return code === 0x3164 || code === 0xfeff || code === 0xffa0;
  if (code < 0x2060)
    return (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e);
  return code <= 0x2064 || code >= 0x206a;
}

const ZERO_WIDTH =
  /[\u034f\u00ad\u115f\u1160\u180e\u3164\uffa0\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff]/u;

/** Fewest characters that can spell a word of three letters. */
const LEAST = 12;

interface Symbols {
  /** Index of each character among the distinct ones, in order of code point. */
  readonly values: Uint8Array;
  /** Where each stands in the text. */
  readonly positions: Int32Array;
  readonly distinct: number;
}

/** Kinds of characters beyond which no spelling is known. */
const MOST_KINDS = 4;

function symbols(text: string, positions: Int32Array): Symbols {
  const codes: number[] = [];
  const values = new Uint8Array(positions.length);
  for (let i = 0; i < positions.length; i += 1) {
    const code = text.charCodeAt(positions[i] ?? 0);
    if (codes.includes(code)) continue;
    codes.push(code);
    if (codes.length > MOST_KINDS) return { values, positions, distinct: codes.length };
  }
  codes.sort((a, b) => a - b);
  for (let i = 0; i < positions.length; i += 1) {
    values[i] = codes.indexOf(text.charCodeAt(positions[i] ?? 0));
  }
  return { values, positions, distinct: codes.length };
}

/** One way to read symbols; it gives up at the first byte that is no text. */
class SymbolReader {
  readonly #reader = new ByteReader();
  readonly #symbols: Symbols;

  constructor(found: Symbols) {
    this.#symbols = found;
  }

  #place(i: number): number {
    return this.#symbols.positions[i] ?? 0;
  }

  #judged(bytes: number): HiddenRun | undefined {
    if (bytes < 3) return undefined;
    const text = this.#reader.text();
    if (judgeDecoded(text, 6) === 'noise') return undefined;
    const { positions } = this.#symbols;
    return {
      start: positions[0] ?? 0,
      end: (positions.at(-1) ?? 0) + 1,
      text,
      positions: this.#reader.positions(),
    };
  }

  /** Groups of `width` symbols of `bits` bits each, most significant first. */
  grouped(width: number, bits: number, flip: number): HiddenRun | undefined {
    const { values } = this.#symbols;
    if (values.length % width !== 0) return undefined;
    this.#reader.clear();
    for (let i = 0; i < values.length; i += width) {
      let value = 0;
      for (let k = 0; k < width; k += 1) value = (value << bits) | ((values[i + k] ?? 0) ^ flip);
      // Code units of 16 bits are taken when they are Latin letters.
      if (value > 0xff || !this.#reader.push(value, this.#place(i))) return undefined;
    }
    return this.#judged(values.length / width);
  }

  /** Three kinds: one of them parts the numbers that the two others write. */
  separated(separator: number, one: number): HiddenRun | undefined {
    const { values } = this.#symbols;
    this.#reader.clear();
    let bytes = 0;
    let value = 0;
    let width = 0;
    for (let i = 0; i <= values.length; i += 1) {
      const symbol = i < values.length ? values[i] : separator;
      if (symbol !== separator) {
        value = ((value << 1) | (symbol === one ? 1 : 0)) & 0xffff;
        width += 1;
        continue;
      }
      if (width > 0) {
        if (value > 0xff || width > 16) return undefined;
        if (!this.#reader.push(value, this.#place(i - width))) return undefined;
        bytes += 1;
      }
      value = 0;
      width = 0;
    }
    return this.#judged(bytes);
  }
}

function hiddenRun(text: string, positions: Int32Array): HiddenRun | undefined {
  if (positions.length < LEAST) return undefined;
  const found = symbols(text, positions);
  const { distinct } = found;
  if (distinct < 2 || distinct > MOST_KINDS) return undefined;
  const reader = new SymbolReader(found);
  if (distinct === 2) {
    for (const width of [8, 7, 16]) {
      const run = reader.grouped(width, 1, 0) ?? reader.grouped(width, 1, 1);
      if (run !== undefined) return run;
    }
    return undefined;
  }
  if (distinct === 3) {
    for (const separator of [2, 0, 1]) {
      for (const one of [0, 1, 2]) {
        const run = one === separator ? undefined : reader.separated(separator, one);
        if (run !== undefined) return run;
      }
    }
  }
  return reader.grouped(4, 2, 0) ?? reader.grouped(4, 2, 3);
}

const WHAT = 'zero-width characters';

/**
 * Numbers written with characters of no width. Only a run that spells something counts: padding of
 * mails, joiners of Persian and Indic scripts and emoji, and direction marks do not.
 */
export const zeroWidthDecoder: Decoder = {
  needs: HIDDEN,
  needsRuns: 0,
  decode(reading, notice) {
    const { text } = reading.source;
    if (!ZERO_WIDTH.test(text)) return undefined;
    const all = new PlacedText();
    const hidden: HiddenRun[] = [];
    let at = 0;
    while (at < text.length) {
      if (!isZeroWidth(text.charCodeAt(at))) {
        at += 1;
        continue;
      }
      const start = at;
      const first = all.size;
      for (; at < text.length && isZeroWidth(text.charCodeAt(at)); at += 1) all.put(0, at);
      if (all.size - first < LEAST) continue;
      const positions = new Int32Array(at - start);
      for (let i = 0; i < positions.length; i += 1) positions[i] = start + i;
      const run = hiddenRun(text, positions);
      if (run !== undefined) hidden.push(run);
    }
    if (hidden.length === 0) {
      const whole = hiddenRun(text, Int32Array.from(all.places()));
      if (whole !== undefined && whole.text.length > FEW) {
        const { found, shown } = strewn('decoded', WHAT, reading, whole);
        if (found !== undefined) notice(found);
        return shown;
      }
      if (whole !== undefined) for (const one of apart(whole)) hidden.push(one);
    }
    const found = smuggled(reading, WHAT, hidden);
    if (found !== undefined) notice(found);
    return showHidden('decoded', reading, hidden);
  },
};
