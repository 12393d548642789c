import { lazily } from '../character-classes.js';
import { PlacedText } from '../placed-text.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { BRAILLE } from '../traits.js';

/** Dots of a to z in uncontracted Braille, as offsets from U+2800. */
const LETTERS = [
  1, 3, 9, 25, 17, 11, 27, 19, 10, 26, 5, 7, 13, 29, 21, 15, 31, 23, 14, 30, 37, 39, 58, 45, 61, 53,
] as const;

const FIRST = 0x2800;

/** Unit that each pattern of six dots stands for; 0 for none. */
const alphabet: () => Uint8Array = lazily(() => {
  const table = new Uint8Array(64);
  for (const [i, dots] of LETTERS.entries()) table[dots] = 0x61 + i;
  table[0] = 0x20;
  table[0x02] = 0x2c;
  table[0x32] = 0x2e;
  return table;
});

/** Letters written in uncontracted Braille patterns, four or more in a row. */
export const brailleDecoder: Decoder = {
  needs: BRAILLE,
  needsRuns: 0,
  decode({ source }) {
    if (!/[\u2800-\u283f]{4}/u.test(source.text)) return undefined;
    const edits: Edit[] = [];
    const out = new PlacedText();
    const table = alphabet();
    for (const match of source.text.matchAll(/[\u2800-\u283f]{4,}/gu)) {
      const start = match.index;
      const end = start + match[0].length;
      out.size = 0;
      for (let at = start; at < end; at += 1) {
        const letter = table[source.text.charCodeAt(at) - FIRST] ?? 0;
        if (letter !== 0) out.put(letter, at);
      }
      const text = out.text();
      if (text.trim().length < 4) continue;
      edits.push({ start, end, text, positions: out.places() });
    }
    if (edits.length === 0) return undefined;
    return { name: 'decoded', layer: applyEdits(source, edits), legible: true };
  },
};
