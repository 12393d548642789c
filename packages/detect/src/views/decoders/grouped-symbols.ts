import { countWordsOf, judgeDecoded } from '../legibility.js';
import { PlacedText } from '../placed-text.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { DENSE } from '../run-traits.js';
import { MIXED, type Tokens } from '../tokens.js';
import { quintet, sextet } from './symbol-values.js';

/** Groups in a row that make one piece. */
const LEAST = 5;
/** Longest group. */
const MOST = 32;
/** Printable characters that are no chance. */
const CERTAIN = 16;

interface Group {
  readonly start: number;
  readonly end: number;
}

function isSymbol(code: number): boolean {
  const small = code | 0x20;
  if ((small >= 0x61 && small <= 0x7a) || (code >= 0x30 && code <= 0x39)) return true;
  return code === 0x2b || code === 0x2f || code === 0x3d;
}

interface Spelled {
  readonly text: string;
  readonly positions: ArrayLike<number>;
}

/**
 * How many bytes the symbols of groups give, put to what was read before where that is kept; -1 when one of them is not
 * printable.
 */
function readBytes(text: string, groups: readonly Group[], width: 5 | 6, out?: PlacedText): number {
  let bits = 0;
  let held = 0;
  let bytes = 0;
  for (const { start, end } of groups) {
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 0x3d) continue;
      const value = width === 6 ? sextet(code) : quintet(code);
      if (value < 0) return -1;
      bits = ((bits << width) | value) & 0xffff;
      held += width;
      if (held < 8) continue;
      held -= 8;
      const byte = (bits >> held) & 0xff;
      if ((byte < 0x20 && byte !== 10) || byte > 0x7e) return -1;
      out?.put(byte, at);
      bytes += 1;
    }
  }
  return bytes;
}

/** Groups as one piece; undefined when they are no text. */
function decode(text: string, groups: readonly Group[], width: 5 | 6): Spelled | undefined {
  const out = new PlacedText();
  if (readBytes(text, groups, width, out) <= 0) return undefined;
  return { text: out.text(), positions: out.places() };
}

/** Each group a word by itself. */
function wordwise(text: string, groups: readonly Group[], width: 5 | 6): Spelled | undefined {
  const out = new PlacedText();
  for (const group of groups) {
    if (out.size > 0) out.put(0x20, group.start);
    if (readBytes(text, [group], width, out) <= 0) return undefined;
  }
  return { text: out.text(), positions: out.places() };
}

function isText({ text }: Spelled): boolean {
  return text.length >= 8 && judgeDecoded(text, CERTAIN) !== 'noise';
}

function hasLetterBeyondHex(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const small = text.charCodeAt(at) | 0x20;
    if (small > 0x66 && small <= 0x7a) return true;
  }
  return false;
}

/** A row of groups of one length, the last perhaps shorter, read as one piece. */
function together(text: string, groups: readonly Group[]): Edit | undefined {
  const start = groups[0]?.start ?? 0;
  const end = groups.at(-1)?.end ?? start;
  if (!hasLetterBeyondHex(text, start, end)) return undefined;
  for (const width of [6, 5] as const) {
    const found = decode(text, groups, width);
    if (found !== undefined && isText(found)) return { start, end, ...found };
  }
  return undefined;
}

/** A row of groups of which each is a word. */
function apart(text: string, groups: readonly Group[]): Edit | undefined {
  const start = groups[0]?.start ?? 0;
  const end = groups.at(-1)?.end ?? start;
  for (const width of [6, 5] as const) {
    const found = wordwise(text, groups, width);
    if (found === undefined) continue;
    const { known, triggers } = countWordsOf(found.text);
    if (known >= 3 && triggers > 0) return { start, end, ...found };
  }
  return undefined;
}

/** Whether a group by itself decodes to text: what nearly no word does. */
function isEncoded(text: string, start: number, end: number): boolean {
  return isPrintable(text, start, end, 6) || isPrintable(text, start, end, 5);
}

/** As {@link readBytes} of one group, without what is made for it. */
function isPrintable(text: string, start: number, end: number, width: 5 | 6): boolean {
  let bits = 0;
  let held = 0;
  let bytes = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x3d) continue;
    const value = width === 6 ? sextet(code) : quintet(code);
    if (value < 0) return false;
    bits = ((bits << width) | value) & 0xffff;
    held += width;
    if (held < 8) continue;
    held -= 8;
    const byte = (bits >> held) & 0xff;
    if ((byte < 0x20 && byte !== 10) || byte > 0x7e) return false;
    bytes += 1;
  }
  return bytes > 0;
}

/** Tokens among which three are mixed, and those that are looked at on both sides. */
const NEAR = 12;

/** Where mixed tokens stand near each other: first and last unit of each such stretch, one after another. */
function denseParts(text: string, { count, start, end, shape }: Tokens): number[] {
  const parts: number[] = [];
  let last = -NEAR;
  let second = -NEAR;
  for (let i = 0; i < count; i += 1) {
    if (((shape[i] ?? 0) & MIXED) === 0) continue;
    const near = i - second < NEAR;
    const first = second;
    second = last;
    last = i;
    if (!near) continue;
    let from = start[Math.max(0, first - NEAR)] ?? 0;
    const to = end[Math.min(count - 1, i + NEAR)] ?? text.length;
    const before = parts.at(-1) ?? -1;
    while (from > before && from > 0 && isSymbol(text.charCodeAt(from - 1))) from -= 1;
    if (before < from) parts.push(from, to);
    else parts[parts.length - 1] = to;
  }
  return parts;
}

/**
 * Base64 and base32 cut into groups by separators, or written word by word.
 */
export const groupedSymbolsDecoder: Decoder = {
  needs: 0,
  // Five groups of a sentence hold three in which letters and digits, or capitals and small letters, mix.
  needsRuns: DENSE,
  decode({ shown, tokens }) {
    const { text } = shown;
    const edits: Edit[] = [];
    let even: Group[] = [];
    let words: Group[] = [];
    let separator = '';
    let done = 0;
    const close = (groups: readonly Group[], read: typeof apart): void => {
      if (groups.length < LEAST || (groups[0]?.start ?? 0) < done) return;
      const edit = read(text, groups);
      if (edit === undefined) return;
      edits.push(edit);
      done = edit.end;
    };
    const parts = denseParts(text, tokens);
    let part = 0;
    let at = 0;
    while (at < text.length) {
      if (at >= (parts[part + 1] ?? text.length)) part += 2;
      if (at < (parts[part] ?? text.length)) {
        at = parts[part] ?? text.length;
        continue;
      }
      if (!isSymbol(text.charCodeAt(at))) {
        at += 1;
        continue;
      }
      const start = at;
      while (at < text.length && isSymbol(text.charCodeAt(at))) at += 1;
      const group = { start, end: at };
      const last = even.at(-1);
      const gap = last !== undefined && start - last.end === 1 ? text.charAt(last.end) : '';
      const size = last === undefined ? 0 : last.end - last.start;
      const follows = gap.length === 1 && (even.length < 2 || gap === separator);
      const shorter = follows && at - start < size;
      if (follows && at - start === size) {
        separator = gap;
        even.push(group);
      } else {
        close(shorter && even.length >= LEAST ? [...even, group] : even, together);
        even = at - start <= MOST ? [group] : [];
      }
      const before = words.at(-1);
      const next = before === undefined || start - before.end === 1;
      if (at - start <= MOST * 2 && isEncoded(text, start, at)) {
        if (!next) {
          close(words, apart);
          words = [];
        }
        words.push(group);
      } else {
        close(words, apart);
        words = [];
      }
    }
    close(even, together);
    close(words, apart);
    if (edits.length === 0) return undefined;
    edits.sort((a, b) => a.start - b.start);
    return { name: 'decoded', layer: applyEdits(shown, edits), legible: true };
  },
};
