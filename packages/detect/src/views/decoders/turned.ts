import { lazily } from '../character-classes.js';
import { LayerBuilder } from '../layer.js';
import type { Decoder } from '../reading.js';

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

const upright: () => ReadonlyMap<string, string> = lazily(() => new Map(Object.entries(TURNED)));

/** Turned letters that make it sure that the text stands on its head. */
const SURE = 3;

/** Text written upside down: letters turned and back to front. */
export const turnedDecoder: Decoder = {
  decode({ shown }) {
    const { text } = shown;
    const marks = text.match(/[ɐɔǝɟƃɥᴉɹʇʌʍʎʞɯ]/gu);
    if (marks === null || marks.length < SURE) return undefined;
    // Phonetic letters in other text are fewer than these.
    if (marks.length * 12 < text.length - text.search(/[ɐɔǝɟƃɥᴉɹʇʌʍʎʞɯ]/u)) return undefined;
    const table = upright();
    const first = Math.max(0, text.search(/[ɐɔǝɟƃɥᴉɹʇʌʍʎʞɯ]/u) - 64);
    let out = '';
    const positions: number[] = [];
    for (let at = text.length - 1; at >= first; at -= 1) {
      const code = text.charCodeAt(at);
      // A pair of surrogates stays in order.
      if (code >= 0xdc00 && code <= 0xdfff && at > first) {
        at -= 1;
        out += text.slice(at, at + 2);
        positions.push(at, at + 1);
        continue;
      }
      out += table.get(text.charAt(at)) ?? text.charAt(at);
      positions.push(at);
    }
    const builder = new LayerBuilder();
    builder.place(out, shown, positions);
    return { name: 'reversed', layer: builder.finish(), legible: true };
  },
};
