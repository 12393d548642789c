import { NOT_HEX } from '../character-classes.js';
import type { Layer } from '../layer.js';
import { countWords, judgeDecoded } from '../legibility.js';
import { applyEdits, type Decoded, type Decoder, type Edit, type Reading } from '../reading.js';
import { tokenize } from '../tokens.js';
import { CODE_MARKS, DIGITS, NUMERALS } from '../traits.js';

/** Digits in a text below which there is no row. */
const LEAST_DIGITS = 16;
/** Characters that a row must spell. */
const LEAST_TEXT = 6;

interface Spelled {
  readonly text: string;
  readonly positions: readonly number[];
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
  let text = '';
  const positions: number[] = [];
  for (const { at, digits } of codes) {
    const point = Number.parseInt(digits, base);
    // Zero bytes are the upper halves of UTF-16.
    if (point === 0) continue;
    if (!isText(point)) return undefined;
    text += String.fromCharCode(point);
    positions.push(at);
  }
  return { text, positions };
}

function worth({ text }: Spelled): number {
  if (text.length < LEAST_TEXT || judgeDecoded(text, 12) === 'noise') return 0;
  const { known, triggers } = countWords(tokenize(text));
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

/** Digits cut into pieces of one width, wherever white space stands between them. */
function cut(text: string, start: number, end: number, width: number): Code[] | undefined {
  const codes: Code[] = [];
  let digits = '';
  let from = start;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const digit =
      (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
    if (!digit) continue;
    if (digits === '') from = at;
    digits += text.charAt(at);
    if (digits.length < width) continue;
    codes.push({ at: from, digits });
    digits = '';
  }
  return digits === '' ? codes : undefined;
}

function spellCut(
  text: string,
  from: number,
  to: number,
  width: number,
  base: number,
): Spelled | undefined {
  const codes = cut(text, from, to, width);
  return codes === undefined ? undefined : spell(codes, base);
}

/** Each run of digits a word by itself. */
function spellWords(text: string, start: number, end: number): Spelled | undefined {
  let out = '';
  const positions: number[] = [];
  for (const match of text.slice(start, end).matchAll(/[\da-f]+/giu)) {
    const from = start + match.index;
    const word = spellCut(text, from, from + match[0].length, 2, 16);
    if (word === undefined) return undefined;
    if (out !== '') {
      out += ' ';
      positions.push(from);
    }
    out += word.text;
    for (const one of word.positions) positions.push(one);
  }
  return { text: out, positions };
}

/** Between two blocks of one row. */
const BETWEEN = /^[\s,:|_-]{1,3}(?:0[xb])?$/iu;

function readRow(text: string, start: number, end: number): Edit | undefined {
  const row = text.slice(start, end);
  if (!/\d/u.test(row)) return undefined;
  const readings: (Spelled | undefined)[] = [];
  const add = (width: number, base: number): void => {
    readings.push(spellCut(text, start, end, width, base));
  };
  if (/^[01\s,:|_-]+$/u.test(row)) {
    add(8, 2);
    add(7, 2);
  } else {
    readings.push(spellWords(text, start, end));
    add(2, 16);
    if (/^\d+$/u.test(row)) {
      add(3, 10);
      add(3, 8);
    }
  }
  const found = best(readings);
  return found === undefined ? undefined : { start, end, ...found };
}

/** Rows of hexadecimal digits in blocks of any length. */
function readBlocks({ shown: { text }, tokens }: Reading): Edit[] {
  const edits: Edit[] = [];
  let from = -1;
  let digits = 0;
  for (let i = 0; i <= tokens.count; i += 1) {
    const hex = i < tokens.count && ((tokens.shape[i] ?? 0) & NOT_HEX) === 0;
    const gap =
      from < 0 ? '' : text.slice(tokens.end[i - 1] ?? 0, tokens.start[i] ?? 0).slice(0, 8);
    if (from >= 0 && (!hex || !BETWEEN.test(gap))) {
      const start = tokens.start[from] ?? 0;
      const edit =
        digits >= LEAST_DIGITS ? readRow(text, start, tokens.end[i - 1] ?? 0) : undefined;
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
    for (const code of (cut(text, from, from + bytes.length, 2) ?? []).slice(0, ROW))
      codes.push(code);
    end = match.index + line.length;
  }
  const found = start < 0 ? undefined : best([spell(codes, 16)]);
  return found === undefined ? [] : [{ start, end, ...found }];
}

/** Codes that each have a mark before or after them: `#49`, `\151`, `U+0069`, `69h`, `(105)`. */
const MARKED =
  /(?:0x[\da-f]{2}){6,}|(?:u\+?00[\da-f]{2}){6,}|(?:(?:0x|u\+?|#x?|\$|\\[u+']{0,2}|[{[(])[\da-f]{2,6}(?:[?;,h)\]}\s]{0,3})){6,}|(?:[\da-f]{2}h[,\s]{1,2}){5,}[\da-f]{2}h/giu;

const GLUED = /(?<=0x|u\+?00)[\da-f]{2}/giu;
const APART = /(?<=0x|u\+?|[#x$\\+'{[(]|^|[\s,])[\da-f]{2,6}(?![\da-giwyz])/giu;

function readMarked(text: string): Edit[] {
  const edits: Edit[] = [];
  for (const match of text.matchAll(MARKED)) {
    const [row] = match;
    const codes: Code[] = [];
    const glued = /^(?:0x|u\+?00)[\da-f]{2}[0u]/iu.test(row);
    for (const code of row.matchAll(glued ? GLUED : APART)) {
      codes.push({ at: match.index + code.index, digits: code[0] });
    }
    if (codes.length < LEAST_TEXT) continue;
    const octal = codes.every(({ digits }) => /^[0-7]+$/u.test(digits));
    const decimal = octal || codes.every(({ digits }) => /^\d+$/u.test(digits));
    const found = best([
      octal ? spell(codes, 8) : undefined,
      decimal ? spell(codes, 10) : undefined,
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
  needs: NUMERALS | CODE_MARKS | DIGITS,
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
