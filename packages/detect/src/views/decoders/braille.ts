import { lazily } from '../character-classes.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';

/** Dots of a to z in uncontracted Braille, as offsets from U+2800. */
const LETTERS = [
  1, 3, 9, 25, 17, 11, 27, 19, 10, 26, 5, 7, 13, 29, 21, 15, 31, 23, 14, 30, 37, 39, 58, 45, 61, 53,
] as const;

const alphabet: () => ReadonlyMap<number, string> = lazily(
  () =>
    new Map<number, string>([
      ...LETTERS.map((dots, i): [number, string] => [0x2800 + dots, String.fromCharCode(0x61 + i)]),
      [0x2800, ' '],
      [0x2802, ','],
      [0x2832, '.'],
    ]),
);

/** Letters written in uncontracted Braille patterns, four or more in a row. */
export const brailleDecoder: Decoder = {
  decode({ source }) {
    if (!/[\u2800-\u283f]{4}/u.test(source.text)) return undefined;
    const edits: Edit[] = [];
    const table = alphabet();
    for (const match of source.text.matchAll(/[\u2800-\u283f]{4,}/gu)) {
      const text = Array.from(match[0], (sign) => table.get(sign.charCodeAt(0)) ?? '').join('');
      if (text.trim().length < 4) continue;
      const start = match.index;
      edits.push({ start, end: start + match[0].length, text });
    }
    if (edits.length === 0) return undefined;
    return { name: 'decoded', layer: applyEdits(source, edits), legible: true };
  },
};
