import {
  COMPATIBLE,
  INVISIBLE,
  JOINING,
  MARK,
  PLAIN,
  SPACE,
  SURROGATE,
  WORD,
} from './character-classes.js';

const INVISIBLE_RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0e, 0x1f],
  [0x7f, 0x84],
  [0x86, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
];

const SPACE_RANGES: readonly (readonly [number, number])[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

/** Ideographs, syllables and private use: letters or not, and nothing else, whatever the engine knows of them. */
const STABLE_RANGES: readonly (readonly [number, number, number])[] = [
  [0x3400, 0x9fff, WORD],
  [0xac00, 0xd7a3, WORD],
  [0xe000, 0xf8ff, 0],
];

function within(
  code: number,
  ranges: readonly (readonly number[])[],
): readonly number[] | undefined {
  return ranges.find(([from = 0, to = 0]) => code >= from && code <= to);
}

const LETTER = /^[\p{L}\p{Nd}\p{Nl}]$/u;
/** A mark, or a vowel or last consonant of a Hangul syllable. */
const JOINS = /^[\p{M}\u1161-\u11ff]/u;

/** Kind of a UTF-16 unit, and whether it belongs to a word. */
function kindOf(code: number): readonly [number, number] {
  if (within(code, SPACE_RANGES)) return [SPACE, 0];
  if (within(code, INVISIBLE_RANGES)) return [INVISIBLE, 0];
  if (code >= 0xd800 && code <= 0xdfff) return [SURROGATE, 0];
  const stable = within(code, STABLE_RANGES);
  if (stable) return [PLAIN, stable[2] ?? 0];
  const character = String.fromCharCode(code);
  if (JOINS.test(character)) return [MARK, WORD];
  const normal = character.normalize('NFKC');
  const word = LETTER.test(character) ? WORD : 0;
  if (normal === character) return [PLAIN, word];
  return [JOINS.test(normal) ? JOINING : COMPATIBLE, word];
}

function lowerOf(code: number): number {
  if (within(code, STABLE_RANGES) || (code >= 0xd800 && code <= 0xdfff)) return code;
  const small = String.fromCharCode(code).toLowerCase();
  return small.length === 1 ? small.charCodeAt(0) : code;
}

/** How far the lower case of a unit is from it. */
function byOf(code: number): number {
  return lowerOf(code) - code;
}

/**
 * What `character-classes` reads: the kinds of all UTF-16 units in runs, each a length and a letter, and the units that
 * have another lower case, see `readCharacters`. Worked out with the Unicode data of the engine.
 */
export function characterData(): { readonly kinds: string; readonly lowers: string } {
  let kinds = '';
  let length = 0;
  let last = -1;
  for (let code = 0; code <= 0x10000; code += 1) {
    const [kind, word] = code < 0x10000 ? kindOf(code) : [-1, -1];
    const value = kind * 2 + word;
    if (value !== last && length > 0) {
      kinds += length.toString(36) + String.fromCharCode(65 + last);
      length = 0;
    }
    last = value;
    length += 1;
  }
  const lowers: string[] = [];
  let from = 0;
  for (let code = 0; code < 0x10000; ) {
    const by = byOf(code);
    if (by === 0) {
      code += 1;
      continue;
    }
    // Capital and small letters stand in two rows, or side by side.
    const step = byOf(code + 1) === by ? 1 : 2;
    const belongs = (at: number) => byOf(at) === by && (step === 1 || byOf(at - 1) === 0);
    let count = 1;
    while (belongs(code + count * step)) count += 1;
    lowers.push([code - from, count, step, by].map((number) => number.toString(36)).join(' '));
    code += (count - 1) * step + 1;
    from = code;
  }
  return { kinds, lowers: lowers.join(',') };
}
