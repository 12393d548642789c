import { lazily } from '../character-classes.js';
import { LayerBuilder } from '../layer.js';
import { PlacedText } from '../placed-text.js';
import type { Decoder } from '../reading.js';
import { UPSIDE_DOWN } from '../traits.js';

/** Letters as they look upside down. */
const TURNED: Readonly<Record<string, string>> = {
  ɐ: 'a',
  q: 'b',
  ɔ: 'c',
  p: 'd',
  ǝ: 'e',
  ɟ: 'f',
  ƃ: 'g',
  ɓ: 'g',
  ɥ: 'h',
  ᴉ: 'i',
  ı: 'i',
  ɾ: 'j',
  ʞ: 'k',
  ן: 'l',
  ɯ: 'm',
  u: 'n',
  d: 'p',
  b: 'q',
  ɹ: 'r',
  ʇ: 't',
  n: 'u',
  ʌ: 'v',
  ʍ: 'w',
  ʎ: 'y',
  '˙': '.',
};

/** Letters that hardly anything but turned text has. */
const TELLING = 'ɐɔǝɟƃɥᴉɹʇʌʍʎʞɯ';
/** Set in the table for these. */
const MARK = 0x8000;

/** What each unit is when it is turned back, or 0. */
const upright: () => Uint16Array = lazily(() => {
  const table = new Uint16Array(0x1d10);
  for (const [sign, letter] of Object.entries(TURNED)) {
    const mark = TELLING.includes(sign) ? MARK : 0;
    table[sign.charCodeAt(0)] = letter.charCodeAt(0) | mark;
  }
  return table;
});

/** Turned letters that make it sure that the text stands on its head. */
const SURE = 3;

/** Text written upside down: letters turned and back to front. */
export const turnedDecoder: Decoder = {
  needs: UPSIDE_DOWN,
  needsRuns: 0,
  decode({ shown }) {
    const { text } = shown;
    const begin = text.search(/[ɐɔǝɟƃɥᴉɹʇʌʍʎʞɯ]/u);
    if (begin < 0) return undefined;
    const table = upright();
    let marks = 0;
    for (let at = begin; at < text.length; at += 1) {
      if (((table[text.charCodeAt(at)] ?? 0) & MARK) !== 0) marks += 1;
    }
    // Phonetic letters in other text are fewer than these.
    if (marks < SURE || marks * 12 < text.length - begin) return undefined;
    const first = Math.max(0, begin - 64);
    const out = new PlacedText(text.length - first);
    for (let at = text.length - 1; at >= first; at -= 1) {
      const code = text.charCodeAt(at);
      // A pair of surrogates stays in order.
      if (code >= 0xdc00 && code <= 0xdfff && at > first) {
        at -= 1;
        out.put(text.charCodeAt(at), at);
        out.put(code, at + 1);
      } else {
        const turned = (table[code] ?? 0) & ~MARK;
        out.put(turned === 0 ? code : turned, at);
      }
    }
    const builder = new LayerBuilder();
    builder.place(out.text(), shown, out.places());
    return { name: 'reversed', layer: builder.finish(), legible: true };
  },
};
