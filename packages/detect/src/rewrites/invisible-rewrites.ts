import { bytesOf } from './byte-encodings.js';
import type { Rewrite } from './rewrite.js';

/** Puts something between the letters of every word. */
function between(text: string, insert: () => string): string {
  return text.replaceAll(/(?<=\p{L})(?=\p{L})/gu, () => insert());
}

function pick(options: readonly string[], random: () => number): string {
  return options[Math.floor(random() * options.length)] ?? '';
}

/** Code points of the text moved into the block of tag characters. */
export function asTags(text: string): string {
  return Array.from(bytesOf(text), (byte) => String.fromCodePoint(0xe0000 + (byte & 0x7f))).join(
    '',
  );
}

export function asSelectors(text: string): string {
  return Array.from(bytesOf(text), (byte) =>
    String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16),
  ).join('');
}

export function asZeroWidth(text: string, zero = '\u200b', one = '\u200c'): string {
  return Array.from(bytesOf(text), (byte) =>
    byte.toString(2).padStart(8, '0').replaceAll('0', zero).replaceAll('1', one),
  ).join('');
}

const CARRIER = 'Thanks for the lovely photos';

export const invisibleRewrites: readonly Rewrite[] = [
  {
    name: 'zero-width',
    parameters: 'U+200B, U+200C, U+200D or U+2060 between letters',
    apply: (text, random) =>
      between(text, () => pick(['\u200b', '\u200c', '\u200d', '\u2060'], random)),
  },
  {
    name: 'soft-hyphen',
    parameters: 'U+00AD between letters',
    apply: (text) => between(text, () => '\u00ad'),
  },
  {
    name: 'grapheme-joiner',
    parameters: 'U+034F between letters',
    apply: (text) => between(text, () => '\u034f'),
  },
  {
    name: 'filler',
    parameters: 'Hangul fillers U+3164, U+115F or Braille blank U+2800 between letters',
    apply: (text, random) => between(text, () => pick(['\u3164', '\u115f', '\u2800'], random)),
  },
  {
    name: 'variation-selector',
    parameters: 'one of U+FE00–U+FE0F between letters',
    apply: (text, random) =>
      between(text, () => String.fromCharCode(0xfe00 + Math.floor(random() * 16))),
  },
  {
    name: 'zalgo',
    parameters: 'one to four of U+0300–U+033F on each letter',
    apply: (text, random) =>
      text.replaceAll(/\p{L}/gu, (letter) => {
        let out = letter;
        const count = 1 + Math.floor(random() * 4);
        for (let i = 0; i < count; i += 1) {
          out += String.fromCharCode(0x300 + Math.floor(random() * 0x40));
        }
        return out;
      }),
  },
  {
    name: 'tag-characters',
    parameters: 'U+E0020–U+E007E after a visible sentence',
    apply: (text) => `${CARRIER}.${asTags(text)}`,
  },
  {
    name: 'flag-tags',
    parameters: 'tag characters as the region of a black flag',
    apply: (text) => `${CARRIER} \u{1f3f4}${asTags(text)}\u{e007f}`,
  },
  {
    name: 'selector-bytes',
    parameters: 'UTF-8 bytes as variation selectors behind an emoji',
    apply: (text) => `${CARRIER} \u{1f60a}${asSelectors(text)}`,
  },
  {
    name: 'zero-width-binary',
    parameters: 'bits as U+200B and U+200C',
    apply: (text) => `${CARRIER}${asZeroWidth(text)}.`,
  },
];
