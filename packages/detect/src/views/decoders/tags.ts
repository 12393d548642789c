import { PlacedText } from '../placed-text.js';
import type { Decoder } from '../reading.js';
import { HIDDEN } from '../traits.js';
import { type HiddenRun, showHidden, smuggled } from './hidden-text.js';

const HIGH = 0xdb40;
const BLACK_FLAG = '\u{1f3f4}';
/** The only subdivision flags that Unicode recommends: England, Scotland, Wales. */
const REGISTERED = new Set(['gbeng', 'gbsct', 'gbwls']);
const CANCEL = 0x7f;

/** Tag value (U+E0000 is 0) of the code point at a unit, or -1. */
function tagAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== HIGH) return -1;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdc7f ? low - 0xdc00 : -1;
}

/** Tag characters (U+E0000–U+E007F), which most programs do not draw and models read as letters. */
export const tagsDecoder: Decoder = {
  needs: HIDDEN,
  needsRuns: 0,
  decode(reading, notice) {
    const { text } = reading.source;
    if (!text.includes('\udb40')) return undefined;
    const runs: HiddenRun[] = [];
    const out = new PlacedText();
    let at = 0;
    while (at < text.length) {
      let value = tagAt(text, at);
      if (value < 0) {
        at += 1;
        continue;
      }
      const start = at;
      out.size = 0;
      let cancelled = false;
      while (value >= 0) {
        if (value >= 0x20 && value < CANCEL) {
          out.put(value, at);
        }
        cancelled = value === CANCEL;
        at += 2;
        value = tagAt(text, at);
      }
      const decoded = out.text();
      const flag = text.slice(Math.max(0, start - 2), start) === BLACK_FLAG;
      if (flag && cancelled && REGISTERED.has(decoded)) continue;
      runs.push({ start, end: at, text: decoded, positions: out.places() });
    }
    const found = smuggled(reading, 'tag characters', runs);
    if (found !== undefined) notice(found);
    return showHidden('tags', reading, runs);
  },
};
