import { judgeDecoded } from '../legibility.js';
import type { Decoder } from '../reading.js';
import { decodeBytes } from '../utf8.js';
import { type HiddenRun, showHidden, smuggled, strewn } from './hidden-text.js';
import { apart, FEW } from './variation-selectors.js';

/** Characters of no width, as a class for a pattern. */
const CLASS = [
  '\\u00ad',
  '\\u034f',
  '\\u180e',
  '\\u200b-\\u200f',
  '\\u202a-\\u202e',
  '\\u2060-\\u2064',
  '\\u206a-\\u206f',
  '\\ufeff',
].join('');
const ZERO_WIDTH = new RegExp(`[${CLASS}]`, 'u');

/** Fewest characters that can spell a word of three letters. */
const LEAST = 12;

interface Symbols {
  /** Index of each character among the distinct ones, in order of code point. */
  readonly values: readonly number[];
  readonly positions: readonly number[];
  readonly distinct: number;
}

function symbols(text: string, positions: readonly number[]): Symbols {
  const codes = [...new Set(positions.map((at) => text.charCodeAt(at)))].toSorted((a, b) => a - b);
  const index = new Map(codes.map((code, i) => [code, i]));
  const values = positions.map((at) => index.get(text.charCodeAt(at)) ?? 0);
  return { values, positions, distinct: codes.length };
}

interface Read {
  readonly text: string;
  /** Symbol at which each unit of the text begins. */
  readonly offsets: readonly number[];
}

function judged(bytes: readonly number[], begins: readonly number[]): Read | undefined {
  if (bytes.length < 3) return undefined;
  const decoded = decodeBytes(bytes);
  if (decoded === undefined || judgeDecoded(decoded.text, 6) === 'noise') return undefined;
  return { text: decoded.text, offsets: decoded.offsets.map((i) => begins[i] ?? 0) };
}

/** Groups of `width` symbols of `bits` bits each, most significant first. */
function grouped(
  values: readonly number[],
  width: number,
  bits: number,
  flip: number,
): Read | undefined {
  if (values.length % width !== 0) return undefined;
  const bytes: number[] = [];
  const begins: number[] = [];
  for (let i = 0; i < values.length; i += width) {
    let value = 0;
    for (let k = 0; k < width; k += 1) value = (value << bits) | ((values[i + k] ?? 0) ^ flip);
    // Code units of 16 bits are taken when they are Latin letters.
    if (value > 0xff) return undefined;
    bytes.push(value);
    begins.push(i);
  }
  return judged(bytes, begins);
}

/** Three kinds: one of them parts the numbers that the two others write. */
function separated(values: readonly number[], separator: number, one: number): Read | undefined {
  const bytes: number[] = [];
  const begins: number[] = [];
  let value = 0;
  let width = 0;
  for (let i = 0; i <= values.length; i += 1) {
    const symbol = values[i];
    if (symbol === undefined || symbol === separator) {
      if (width > 0) {
        if (value > 0xff || width > 16) return undefined;
        bytes.push(value);
        begins.push(i - width);
      }
      value = 0;
      width = 0;
    } else {
      value = ((value << 1) | (symbol === one ? 1 : 0)) & 0xffff;
      width += 1;
    }
  }
  return judged(bytes, begins);
}

function read({ values, distinct }: Symbols): Read | undefined {
  if (values.length < LEAST) return undefined;
  if (distinct === 2) {
    for (const width of [8, 7, 16]) {
      const found = grouped(values, width, 1, 0) ?? grouped(values, width, 1, 1);
      if (found !== undefined) return found;
    }
  }
  if (distinct === 3) {
    for (const separator of [2, 0, 1]) {
      for (const one of [0, 1, 2]) {
        if (one === separator) continue;
        const found = separated(values, separator, one);
        if (found !== undefined) return found;
      }
    }
  }
  if (distinct === 3 || distinct === 4) return grouped(values, 4, 2, 0) ?? grouped(values, 4, 2, 3);
  return undefined;
}

function hiddenRun(text: string, positions: readonly number[]): HiddenRun | undefined {
  const set = symbols(text, positions);
  const found = read(set);
  if (found === undefined) return undefined;
  return {
    start: positions[0] ?? 0,
    end: (positions.at(-1) ?? 0) + 1,
    text: found.text,
    positions: found.offsets.map((i) => positions[i] ?? 0),
  };
}

const WHAT = 'zero-width characters';

/**
 * Numbers written with characters of no width. Only a run that spells something counts: padding of
 * mails, joiners of Persian and Indic scripts and emoji, and direction marks do not.
 */
export const zeroWidthDecoder: Decoder = {
  decode(reading, notice) {
    const { text } = reading.source;
    if (!ZERO_WIDTH.test(text)) return undefined;
    const all: number[] = [];
    const hidden: HiddenRun[] = [];
    for (const match of text.matchAll(new RegExp(`[${CLASS}]+`, 'gu'))) {
      const positions: number[] = [];
      const end = match.index + match[0].length;
      for (let at = match.index; at < end; at += 1) positions.push(at);
      for (const at of positions) all.push(at);
      const run = positions.length >= LEAST ? hiddenRun(text, positions) : undefined;
      if (run !== undefined) hidden.push(run);
    }
    if (hidden.length === 0) {
      const whole = hiddenRun(text, all);
      if (whole !== undefined && whole.text.length > FEW) {
        const { found, shown } = strewn('decoded', WHAT, reading, whole);
        if (found !== undefined) notice(found);
        return shown;
      }
      if (whole !== undefined) hidden.push(...apart(whole));
    }
    const found = smuggled(reading, WHAT, hidden);
    if (found !== undefined) notice(found);
    return showHidden('decoded', reading, hidden);
  },
};
