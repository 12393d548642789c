/** Bits of a bucket index; 2^17 = 131,072 buckets. Part of the model's format. */
export const BUCKET_BITS = 17;
export const BUCKETS = 1 << BUCKET_BITS;

const LONGEST_WORD_GRAM = 2;
const SHORTEST_CHARACTER_GRAM = 3;
const LONGEST_CHARACTER_GRAM = 5;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
// Distinct starting points keep the word "the" and the characters "the" in different buckets.
const WORD_SEED = FNV_OFFSET;
const CHARACTER_SEED = 0x9747b28c;
const BLANK = 32;

export type NgramKind = 'word' | 'characters';

/** Called once for every n-gram, which `spellNgram(holder, from, to)` spells. */
export type NgramVisitor = (
  bucket: number,
  kind: NgramKind,
  holder: readonly string[] | string,
  from: number,
  to: number,
) => void;

/** Writes out an n-gram that a visitor was given. Apart from visiting, which is the hot loop of scoring. */
export function spellNgram(holder: readonly string[] | string, from: number, to: number): string {
  return typeof holder === 'string' ? holder.slice(from, to) : holder.slice(from, to).join(' ');
}

const FORMAT_CHARACTERS = /\p{Cf}/gu;
const DIGITS = /\p{Nd}/gu;
// One alternative consumes a run, the other one character, so the scan is linear.
const WORD = /[\p{L}\p{M}\p{N}]+|[^\s]/gu;

/** The reading of a text that features are taken from: NFKC, lower case, no format characters, digits as `0`. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(FORMAT_CHARACTERS, '').replace(DIGITS, '0');
}

function step(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, FNV_PRIME);
}

// FNV-1a mixes its low bits poorly on short keys; this is the 32-bit finaliser of MurmurHash3.
function bucketOf(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  mixed ^= mixed >>> 16;
  return mixed >>> (32 - BUCKET_BITS);
}

function visitCharacters(word: string, visit: NgramVisitor): void {
  const padded = ` ${word} `;
  const { length } = padded;
  for (let start = 0; start + SHORTEST_CHARACTER_GRAM <= length; start += 1) {
    let hash = CHARACTER_SEED;
    const stop = Math.min(length, start + LONGEST_CHARACTER_GRAM);
    for (let at = start; at < stop; at += 1) {
      hash = step(hash, padded.charCodeAt(at));
      if (at - start + 1 >= SHORTEST_CHARACTER_GRAM) {
        visit(bucketOf(hash), 'characters', padded, start, at + 1);
      }
    }
  }
}

/** Visits every word 1- and 2-gram and every character 3- to 5-gram of a folded text, in a fixed order. */
export function visitNgrams(folded: string, visit: NgramVisitor): void {
  const words = folded.match(WORD) ?? [];
  for (let start = 0; start < words.length; start += 1) {
    let hash = WORD_SEED;
    const stop = Math.min(words.length, start + LONGEST_WORD_GRAM);
    for (let at = start; at < stop; at += 1) {
      const word = words[at] ?? '';
      if (at > start) hash = step(hash, BLANK);
      for (let index = 0; index < word.length; index += 1) {
        hash = step(hash, word.charCodeAt(index));
      }
      visit(bucketOf(hash), 'word', words, start, at + 1);
    }
    visitCharacters(words[start] ?? '', visit);
  }
}
