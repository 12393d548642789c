import type { Span } from '../../types.js';
import { NOT_HEX } from '../character-classes.js';
import type { Layer } from '../layer.js';
import { countWordsOf, judgeDecoded } from '../legibility.js';
import { PlacedText } from '../placed-text.js';
import { applyEdits, type Decoded, type Decoder, type Edit, type Reading } from '../reading.js';
import { CODES } from '../run-traits.js';
import { hexValue } from './symbol-values.js';

/** Digits in a text below which there is no row. */
const LEAST_DIGITS = 16;
/** Characters that a row must spell. */
const LEAST_TEXT = 6;

interface Spelled {
  readonly text: string;
  readonly positions: ArrayLike<number>;
}

interface Code {
  readonly at: number;
  readonly digits: string;
}

function isText(point: number): boolean {
  return (point >= 0x20 && point < 0x7f) || point === 10 || point === 13 || point === 9;
}

/** What codes spell in a base; undefined at the first that is no text. */
function spell(codes: readonly Code[], base: number): Spelled | undefined {
  const out = new PlacedText();
  for (const { at, digits } of codes) {
    let point = 0;
    for (let i = 0; i < digits.length; i += 1)
      point = point * base + hexValue(digits.charCodeAt(i));
    // Zero bytes are the upper halves of UTF-16.
    if (point === 0) continue;
    if (!isText(point)) return undefined;
    out.put(point, at);
  }
  return spelled(out);
}

function worth({ text }: Spelled): number {
  if (text.length < LEAST_TEXT || judgeDecoded(text, 12) === 'noise') return 0;
  const { known, triggers } = countWordsOf(text);
  return known + triggers;
}

/** The reading that shows most words. */
function best(readings: readonly (Spelled | undefined)[]): Spelled | undefined {
  let found: Spelled | undefined;
  let most = 0;
  for (const reading of readings) {
    const value = reading === undefined ? 0 : worth(reading);
    if (value > most) {
      most = value;
      found = reading;
    }
  }
  return found;
}

/** Reads digits in pieces of one width, wherever white space stands between them; false at the first that is no text. */
function readCut(
  text: string,
  { start, end }: Span,
  width: number,
  base: number,
  out: PlacedText,
): boolean {
  let value = 0;
  let held = 0;
  let from = start;
  for (let at = start; at < end; at += 1) {
    const digit = hexValue(text.charCodeAt(at));
    if (digit < 0) continue;
    if (digit >= base) return false;
    if (held === 0) from = at;
    value = value * base + digit;
    held += 1;
    if (held < width) continue;
    // Zero bytes are the upper halves of UTF-16.
    if (value !== 0) {
      if (!isText(value)) return false;
      out.put(value, from);
    }
    value = 0;
    held = 0;
  }
  return held === 0;
}

function spelled(out: PlacedText): Spelled {
  return { text: out.text(), positions: out.places() };
}

function spellCut(
  text: string,
  row: Span,
  width: number,
  base: number,
  out: PlacedText,
): Spelled | undefined {
  out.size = 0;
  return readCut(text, row, width, base, out) ? spelled(out) : undefined;
}

/** Each run of digits a word by itself. */
function spellWords(text: string, { start, end }: Span, out: PlacedText): Spelled | undefined {
  out.size = 0;
  let at = start;
  while (at < end) {
    if (hexValue(text.charCodeAt(at)) < 0) {
      at += 1;
      continue;
    }
    const from = at;
    while (at < end && hexValue(text.charCodeAt(at)) >= 0) at += 1;
    if (out.size > 0) out.put(0x20, from);
    if (!readCut(text, { start: from, end: at }, 2, 16, out)) return undefined;
  }
  return spelled(out);
}

/** Whether two blocks that a few units part are of one row. */
function isBetween(text: string, start: number, end: number): boolean {
  if (end - start < 1 || end - start > 3) return false;
  for (let at = start; at < end; at += 1) if (!SEPARATORS.includes(text.charAt(at))) return false;
  return true;
}

const SEPARATORS = ' ,:|_-';

function readRow(text: string, row: Span, out: PlacedText): Edit | undefined {
  let binary = true;
  let decimal = true;
  let digits = false;
  for (let at = row.start; at < row.end; at += 1) {
    const code = text.charCodeAt(at);
    const digit = code >= 0x30 && code <= 0x39;
    if (digit) digits = true;
    else decimal = false;
    if (binary && hexValue(code) > 1) binary = false;
  }
  if (!digits) return undefined;
  const found = best(
    binary
      ? [spellCut(text, row, 8, 2, out), spellCut(text, row, 7, 2, out)]
      : [
          spellWords(text, row, out),
          spellCut(text, row, 2, 16, out),
          ...(decimal ? [spellCut(text, row, 3, 10, out), spellCut(text, row, 3, 8, out)] : []),
        ],
  );
  return found === undefined ? undefined : { start: row.start, end: row.end, ...found };
}

/** Rows of hexadecimal digits in blocks of any length. */
function readBlocks({ shown: { text }, tokens }: Reading): Edit[] {
  const edits: Edit[] = [];
  const out = new PlacedText();
  let from = -1;
  let digits = 0;
  for (let i = 0; i <= tokens.count; i += 1) {
    const hex = i < tokens.count && ((tokens.shape[i] ?? 0) & NOT_HEX) === 0;
    if (from >= 0 && !(hex && isBetween(text, tokens.end[i - 1] ?? 0, tokens.start[i] ?? 0))) {
      const row = { start: tokens.start[from] ?? 0, end: tokens.end[i - 1] ?? 0 };
      const edit = digits >= LEAST_DIGITS ? readRow(text, row, out) : undefined;
      if (edit !== undefined) edits.push(edit);
      from = -1;
      digits = 0;
    }
    if (!hex) continue;
    if (from < 0) from = i;
    digits += (tokens.end[i] ?? 0) - (tokens.start[i] ?? 0);
  }
  return edits;
}

/** A line of a dump: an offset, then up to sixteen bytes. */
const DUMPED =
  /^[ \t>]{0,8}(?:0x)?([\da-f]{4,8}):?[ \t]{1,3}((?:[\da-f]{2,8}[ \t]{1,2}){1,15}[\da-f]{2,8})/gimu;
const ROW = 16;

/** Digits two by two; none when one is left over. */
function pairsIn(text: string, start: number, end: number): Code[] {
  const codes: Code[] = [];
  let first = -1;
  for (let at = start; at < end; at += 1) {
    if (hexValue(text.charCodeAt(at)) < 0) continue;
    if (first < 0) first = at;
    else {
      codes.push({ at: first, digits: text.charAt(first) + text.charAt(at) });
      first = -1;
    }
  }
  return first < 0 ? codes : [];
}

/** The bytes of a dump as one text. */
function readDump(text: string): Edit[] {
  const codes: Code[] = [];
  let start = -1;
  let end = 0;
  for (const match of text.matchAll(DUMPED)) {
    const [line, offset = '', bytes = ''] = match;
    const value = Number.parseInt(offset, 16);
    if (start >= 0 && (value !== codes.length || match.index - end > 64)) break;
    if (start < 0 && value !== 0) continue;
    if (start < 0) start = match.index;
    const from = match.index + line.length - bytes.length;
    for (const code of pairsIn(text, from, from + bytes.length).slice(0, ROW)) codes.push(code);
    end = match.index + line.length;
  }
  const found = start < 0 ? undefined : best([spell(codes, 16)]);
  return found === undefined ? [] : [{ start, end, ...found }];
}

/** Codes that each have a mark before or after them: `#49`, `\151`, `U+0069`, `69h`, `(105)`. */
const MARKED =
  /(?:0x[\da-f]{2}){6,}|(?:u\+?00[\da-f]{2}){6,}|(?:(?:0x|u\+?|#x?|\$|\\[u+']{0,2}|[{[(])[\da-f]{2,6}(?:[?;,h)\]}\s]{0,3})){6,}|(?:[\da-f]{2}h[,\s]{1,2}){5,}[\da-f]{2}h/giu;

const GLUED = /(?<=0x|u\+?00)[\da-f]{2}/giu;
/** What may stand before the digits of a code, and what may not stand after them. */
const BEFORE = " ,uUxX#$\\+'{[(";
const AFTER = 'gGiIwWyYzZ';
const MOST_DIGITS = 6;

/** Codes of two to six digits that are parted from one another. */
function codesApart(row: string, offset: number): Code[] {
  const codes: Code[] = [];
  let at = 0;
  while (at < row.length) {
    const from = at;
    while (hexValue(row.charCodeAt(at)) >= 0) at += 1;
    const size = at - from;
    const parted = from === 0 || BEFORE.includes(row.charAt(from - 1));
    const ends = at === row.length || !AFTER.includes(row.charAt(at));
    if (size >= 2 && size <= MOST_DIGITS && parted && ends) {
      codes.push({ at: offset + from, digits: row.slice(from, at) });
    }
    at += 1;
  }
  return codes;
}

function codesGlued(row: string, offset: number): Code[] {
  return Array.from(row.matchAll(GLUED), (code) => ({ at: offset + code.index, digits: code[0] }));
}

/** One more than the largest digit. */
function leastBase(codes: readonly Code[]): number {
  let top = 0;
  for (const { digits } of codes) {
    for (let i = 0; i < digits.length; i += 1) top = Math.max(top, hexValue(digits.charCodeAt(i)));
  }
  return top + 1;
}

function readMarked(text: string): Edit[] {
  const edits: Edit[] = [];
  for (const match of text.matchAll(MARKED)) {
    const [row] = match;
    const glued = /^(?:0x|u\+?00)[\da-f]{2}[0u]/iu.test(row);
    const codes = glued ? codesGlued(row, match.index) : codesApart(row, match.index);
    if (codes.length < LEAST_TEXT) continue;
    const least = leastBase(codes);
    const found = best([
      least > 8 ? undefined : spell(codes, 8),
      least > 10 ? undefined : spell(codes, 10),
      spell(codes, 16),
    ]);
    if (found !== undefined)
      edits.push({ start: match.index, end: match.index + row.length, ...found });
  }
  return edits;
}

/**
 * Bytes in layouts that are no plain list: blocks of many digits, bits one by one, dumps with offsets, codes with
 * a mark before each.
 */
export const byteRowsDecoder: Decoder = {
  needs: 0,
  needsRuns: CODES,
  decode(reading) {
    const { source, shown, tokens } = reading;
    if (tokens.numerals >= LEAST_DIGITS) {
      const dump = source.text.includes('0000') ? readDump(source.text) : [];
      if (dump.length > 0) return decoded(source, dump);
      const blocks = readBlocks(reading);
      if (blocks.length > 0) return decoded(shown, blocks);
    }
    if (!/[#\\$][\da-f]{2}|0x|u\+|u00|\dh/iu.test(shown.text)) return undefined;
    const marked = readMarked(shown.text);
    return marked.length > 0 ? decoded(shown, marked) : undefined;
  },
};

function decoded(layer: Layer, edits: readonly Edit[]): Decoded {
  return { name: 'decoded', layer: applyEdits(layer, edits), legible: true };
}
