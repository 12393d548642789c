import { judgeDecoded } from '../legibility.js';
import { HASH_SEED, hashStep, hashWord, KNOWN, lookUp, wordTable } from '../lexicon.js';
import type { Edit } from '../reading.js';
import { MIXED, type Tokens } from '../tokens.js';
import { type ByteReader, sharedReader } from '../utf8.js';
import { sextet } from './symbol-values.js';

const EQUALS = 0x3d;
/** Decoded bytes from which on printable text cannot be chance. */
const CERTAIN = 14;
/** Shortest line that encoded text is wrapped at. */
const LINE = 10;
/** Bytes below which a piece is not looked at. */
const LEAST = 3;

/** Whether the first three symbols give a byte, or two, that text can begin with. */
function mayBegin(text: string, start: number): boolean {
  const first = sextet(text.charCodeAt(start));
  const second = sextet(text.charCodeAt(start + 1));
  const third = sextet(text.charCodeAt(start + 2));
  if (second < 0 || third < 0) return false;
  const byte = (first << 2) | (second >> 4);
  const next = ((second & 15) << 4) | (third >> 2);
  if (byte >= 0xc2 && byte <= 0xf4) return next >= 0x80 && next <= 0xbf;
  return isText(byte) && (next === 0 || next >= 0xc2 || isText(next));
}

/** Printable ASCII or white space. */
export function isText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 9 && byte <= 13);
}

export interface Piece extends Edit {
  readonly legible: boolean;
}

interface Attempt {
  /** Units of the reader's text that count. */
  readonly units: number;
  /** First unit after the last one that was used. */
  readonly end: number;
}

/**
 * Decodes from `start` until the bytes stop being text. White space is skipped; what was decoded
 * from a word that then turned out not to be encoded is given back.
 */
function attempt(text: string, start: number, reader: ByteReader): Attempt {
  reader.clear();
  let bits = 0;
  let held = 0;
  let at = start;
  let groupStart = start;
  let symbols = 0;
  // The last place at which a word ended, and how much had been decoded there.
  let end = start;
  let units = 0;
  let inWord = false;
  let run = 0;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const value = sextet(code);
    if (value >= 0) {
      if (held === 0) groupStart = at;
      bits = ((bits << 6) | value) & 0xffff;
      held += 6;
      symbols += 1;
      inWord = true;
      run += 1;
      if (held < 8) continue;
      held -= 8;
      if (!reader.push((bits >> held) & 0xff, groupStart)) break;
      groupStart = at;
      continue;
    }
    inWord = false;
    const length = run;
    run = 0;
    if (code === EQUALS && symbols % 4 !== 0) {
      // Padding ends a piece; another may follow after white space.
      while (text.charCodeAt(at + 1) === EQUALS) at += 1;
      bits = 0;
      held = 0;
      symbols = 0;
      end = at + 1;
      units = reader.units;
      reader.separate();
      continue;
    }
    if (symbols > 0) {
      end = at;
      units = reader.units;
    }
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d) break;
    // Prose goes on after a piece without padding.
    if (length >= LINE && isWordAt(text, at + 1)) break;
    // A short word that is no whole number of groups is not the first line of many.
    if (length > 0 && length < LINE && symbols % 4 !== 0) break;
  }
  if (inWord && (at >= text.length || units === 0)) {
    end = at;
    units = reader.units;
  }
  return { units, end };
}

/** Whether a word of the vocabulary stands at a place, and something after it. */
function isWordAt(text: string, at: number): boolean {
  let hash = HASH_SEED;
  let end = at;
  for (; end < at + LINE; end += 1) {
    const code = text.charCodeAt(end);
    const letter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    if (!letter || (end > at && code < 0x61)) break;
    hash = hashStep(hash, code | 0x20);
  }
  if (end - at < 2 || end >= text.length || sextet(text.charCodeAt(end)) >= 0) return false;
  return (lookUp(wordTable(), hash) & KNOWN) !== 0;
}

/** Words before the first that cannot be plain which may be the first groups of the same piece. */
const MAX_BACK = 8;

/** Where the row of symbols begins that a unit stands in; not before `least`. */
function rowStart(text: string, at: number, least: number): number {
  let start = at;
  while (start > least && sextet(text.charCodeAt(start - 1)) >= 0) start -= 1;
  return start;
}

/** Where the row of symbols ends that begins at a place. */
function rowEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && sextet(text.charCodeAt(at)) >= 0) at += 1;
  return at;
}

/** Longest word that may be glued to the beginning of a piece, and least that the piece has to be then. */
const MOST_GLUED = 24;
const LEAST_GLUED = 20;

/**
 * A piece in a row of symbols that does not begin with it, but with a word that was put before it. A place too early in
 * step with the piece gives it as well, after a few bytes of chance, so one that gives a known word first is preferred.
 */
function afterWord(text: string, start: number, reader: ByteReader): Piece | undefined {
  const last = start + LEAST_GLUED + MOST_GLUED;
  let end = start;
  while (end < last && sextet(text.charCodeAt(end)) >= 0) end += 1;
  let first: Piece | undefined;
  for (let from = start + 1; from <= start + MOST_GLUED && from + LEAST_GLUED <= end; from += 1) {
    if (!mayBegin(text, from)) continue;
    const { units, end: used } = attempt(text, from, reader);
    if (units <= CERTAIN) continue;
    const decoded = reader.text(units);
    const worth = judgeDecoded(decoded, CERTAIN);
    if (worth === 'noise' || (worth === 'step' && units < 2 * CERTAIN)) continue;
    // What the word was glued to is no part of it.
    const positions = Int32Array.from([from, ...Array.from(reader.positions(units))]);
    const legible = worth === 'legible';
    const piece = { start: from, end: used, text: ` ${decoded}`, positions, legible };
    if (beginsWithWord(decoded)) return piece;
    first ??= piece;
  }
  return first;
}

function beginsWithWord(text: string): boolean {
  const word = /^[^a-z\d]{0,3}([a-z]{2,24})(?![a-z\d])/i.exec(text)?.[1];
  return word !== undefined && (lookUp(wordTable(), hashWord(word.toLowerCase())) & KNOWN) !== 0;
}

/**
 * Where a piece may begin that has a token in it: in its row of symbols, or in whole groups that white space parts
 * from it.
 */
function pieceStart(text: string, at: number, least: number): number {
  let start = rowStart(text, at, least);
  for (let back = 0; back < MAX_BACK && start - 2 > least; back += 1) {
    if (text.charCodeAt(start - 1) !== 0x20 || sextet(text.charCodeAt(start - 2)) < 0) break;
    const before = rowStart(text, start - 2, least);
    if ((start - 1 - before) % 4 !== 0) break;
    start = before;
  }
  return start;
}

/**
 * Base64 and base64url, wrapped or not, padded or not; one pass, as an attempt ends at its first bad byte.
 *
 * Only places with a token in which letters and digits, or small letters and capitals, mix are looked at: no sentence
 * of a few words is encoded without one.
 */
export function base64Pieces(
  text: string,
  { count, start: starts, end: ends, shape }: Tokens,
): Piece[] {
  const pieces: Piece[] = [];
  let reader: ByteReader | undefined;
  let done = 0;
  for (let i = 0; i < count; i += 1) {
    if (((shape[i] ?? 0) & MIXED) === 0 || (ends[i] ?? 0) <= done) continue;
    let at = pieceStart(text, starts[i] ?? 0, done);
    const stop = ends[i] ?? 0;
    while (at < stop) {
      if (sextet(text.charCodeAt(at)) < 0) {
        at += 1;
        continue;
      }
      const start = at;
      reader ??= sharedReader();
      if (!mayBegin(text, start)) {
        const glued = afterWord(text, start, reader);
        if (glued) pieces.push(glued);
        at = glued ? Math.max(glued.end, start + 1) : rowEnd(text, start);
        continue;
      }
      const { units, end: used } = attempt(text, start, reader);
      if (units > LEAST) {
        const decoded = reader.text(units);
        const worth = judgeDecoded(decoded, CERTAIN);
        if (worth !== 'noise') {
          const positions = reader.positions(units);
          pieces.push({ start, end: used, text: decoded, positions, legible: worth === 'legible' });
          at = Math.max(used, start + 1);
          continue;
        }
      }
      if (units > CERTAIN) {
        at = Math.max(used, start + 1);
        continue;
      }
      const glued = afterWord(text, start, reader);
      if (glued) pieces.push(glued);
      // Look again after this word only: what the attempt cost is bounded by what it decoded.
      at = glued ? Math.max(glued.end, start + 1) : rowEnd(text, start);
    }
    done = at;
  }
  return pieces;
}
