import { judgeDecoded } from '../legibility.js';
import { EVERYDAY, KNOWN } from '../lexicon.js';
import type { Tokens } from '../tokens.js';
import { type ByteReader, sharedReader } from '../utf8.js';
import type { Piece } from './base64.js';
import { quintet } from './symbol-values.js';

const CERTAIN = 12;
/** Shortest run of symbols that is looked at. */
const LEAST_BASE32 = 8;

/** Words as they stand. */
const PLAIN = KNOWN | EVERYDAY;

/** Whether eight symbols stand together and the first gives a byte that text can begin with. */
function mayBegin(text: string, start: number): boolean {
  const first = quintet(text.charCodeAt(start));
  const second = quintet(text.charCodeAt(start + 1));
  const byte = (first << 3) | (second >> 2);
  if (second < 0 || (byte >= 0x7f && byte < 0xc2) || byte > 0xf4) return false;
  if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13) return false;
  for (let i = 2; i < LEAST_BASE32; i += 1)
    if (quintet(text.charCodeAt(start + i)) < 0) return false;
  return true;
}

/** Base32 of RFC 4648 in either case, wrapped or not; an attempt ends at its first bad byte. */
export function base32Pieces(text: string, tokens: Tokens): Piece[] {
  const pieces: Piece[] = [];
  let reader: ByteReader | undefined;
  let at = 0;
  for (let i = 0; i < tokens.count; i += 1) {
    const start = tokens.start[i] ?? 0;
    const size = (tokens.end[i] ?? 0) - start;
    // A word as it stands is no symbols, and what an attempt has read is not read again.
    if (size < LEAST_BASE32 || start < at || ((tokens.flags[i] ?? 0) & PLAIN) !== 0) continue;
    at = start;
    if (!mayBegin(text, start)) continue;
    reader ??= sharedReader();
    reader.clear();
    let bits = 0;
    let held = 0;
    let end = start;
    let units = 0;
    let broke = false;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const value = quintet(code);
      if (value < 0) {
        end = at;
        units = reader.units;
        if (code === 0x20) continue;
        while (text.charCodeAt(at) === 0x3d) at += 1;
        if (at > end) end = at;
        break;
      }
      bits = ((bits << 5) | value) & 0xffff;
      held += 5;
      if (held < 8) continue;
      held -= 8;
      if (!reader.push((bits >> held) & 0xff, at - 1)) {
        broke = true;
        break;
      }
    }
    if (!broke && at >= text.length) {
      end = text.length;
      units = reader.units;
    }
    const decoded = end - start >= LEAST_BASE32 ? reader.text(units) : '';
    const worth = decoded === '' ? 'noise' : judgeDecoded(decoded, CERTAIN);
    if (worth !== 'noise') {
      const positions = reader.positions(units);
      pieces.push({ start, end, text: decoded, positions, legible: worth === 'legible' });
      at = end;
    } else {
      // Words that decoded to nothing are not looked at again, except the one that broke it off.
      at = Math.max(start + 1, units > 4 ? end : start + 1);
    }
  }
  return pieces;
}
