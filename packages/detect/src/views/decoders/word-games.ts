import { characterTable } from '../character-classes.js';
import { LayerBuilder } from '../layer.js';
import {
  EVERYDAY,
  HASH_SEED,
  hashStep,
  hashWord,
  KNOWN,
  lookUp,
  TRIGGER,
  wordTable,
} from '../lexicon.js';
import { rankOf } from '../neighbours.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { FALLING_ORDER, PIG_LATIN, TURNABLE } from '../run-traits.js';
import { isLetter } from './symbol-values.js';

/** Falling pairs (noun before adjective, adjective before "all", "all" before verb) beyond rising ones. */
const FALLING = 2;
/** Tokens between two of them. */
const APART = 8;
/** Words on either side of a place where the order falls. */
const AROUND = 64;

/** Word order back to front, told by phrases such as "instructions previous all ignore". */
export const reversedWordsDecoder: Decoder = {
  needs: 0,
  needsRuns: FALLING_ORDER,
  decode({ shown, tokens }) {
    let falling = 0;
    let last = 0;
    let fell = 0;
    let first = -1;
    let end = -1;
    for (let i = 0; i < tokens.count; i += 1) {
      const current = rankOf(tokens.flags[i] ?? 0);
      const before = last;
      last = current;
      if (i - fell > APART) falling = 0;
      if (current === 0 || before === 0 || before === current) continue;
      falling = before > current ? falling + 1 : Math.max(0, falling - 1);
      if (before > current) fell = i;
      if (falling < FALLING) continue;
      if (first < 0) first = i;
      end = i;
    }
    if (first < 0) return undefined;
    const from = Math.max(0, first - AROUND);
    const to = Math.min(tokens.count - 1, end + AROUND);
    const builder = new LayerBuilder();
    for (let i = to; i >= from; i -= 1) {
      builder.copy(shown, tokens.start[i] ?? 0, tokens.end[i] ?? 0);
      if (i === from) break;
      const gapStart = tokens.end[i - 1] ?? 0;
      builder.copy(shown, gapStart, tokens.start[i] ?? 0);
    }
    return { name: 'reversed-words', layer: builder.finish(), legible: true };
  },
};

function isKnown(word: string): number {
  return lookUp(wordTable(), hashWord(word.toLowerCase()));
}

/** Most consonants that stand before the vowel of a word. */
const CLUSTER = 6;

function isVowel(small: number): boolean {
  return small === 0x61 || small === 0x65 || small === 0x69 || small === 0x6f || small === 0x75;
}

/** A token that ends in "ay", as units of a text; case is folded where it is asked for. */
class PigWord {
  text = '';
  start = 0;
  end = 0;
  readonly #lower = characterTable().lower;

  #small(at: number): number {
    const code = this.text.charCodeAt(at);
    return this.#lower[code] ?? code;
  }

  /** Whether the word ends in some letters. */
  ends(letters: string): boolean {
    const from = this.end - letters.length;
    if (from <= this.start) return false;
    for (let i = 0; i < letters.length; i += 1) {
      if (this.#small(from + i) !== letters.charCodeAt(i)) return false;
    }
    return true;
  }

  /** Flags of `[middle, end)` followed by what stands before it. */
  flags(middle: number, end: number): number {
    let hash = HASH_SEED;
    for (let at = middle; at < end; at += 1) hash = hashStep(hash, this.#small(at));
    for (let at = this.start; at < middle; at += 1) hash = hashStep(hash, this.#small(at));
    return lookUp(wordTable(), hash);
  }

  rotated(middle: number, end: number): string {
    return this.text.slice(middle, end) + this.text.slice(this.start, middle);
  }

  /** Consonants at the end of the stem, before "ay". */
  cluster(): number {
    let size = 0;
    const stem = this.end - 2;
    while (size < CLUSTER && stem - size > this.start && !isVowel(this.#small(stem - size - 1))) {
      size += 1;
    }
    return size;
  }
}

/** The word that pig latin makes a token of, known ones first. */
function unpig(word: PigWord): { readonly text: string; readonly flags: number } | undefined {
  const { start, end } = word;
  if (end - start < 4 || !word.ends('ay')) return undefined;
  const without = (ending: string): number =>
    word.ends(ending) ? word.flags(end - ending.length, end - ending.length) : 0;
  const way = without('way');
  if ((way & KNOWN) !== 0) return { text: word.rotated(end - 3, end - 3), flags: way };
  const stem = end - 2;
  const cluster = word.cluster();
  // The whole cluster of consonants first: "ethay" is "the" rather than "het".
  for (let size = Math.min(cluster, stem - start - 1); size > 0; size -= 1) {
    const flags = word.flags(stem - size, stem);
    if ((flags & KNOWN) !== 0) {
      return { text: word.rotated(stem - size, stem).toLowerCase(), flags };
    }
  }
  if (word.ends('quay')) {
    const flags = word.flags(stem - 2, stem);
    if ((flags & KNOWN) !== 0) return { text: word.rotated(stem - 2, stem), flags };
  }
  for (const ending of ['yay', 'hay', 'ay']) {
    const flags = without(ending);
    const middle = end - ending.length;
    if ((flags & KNOWN) !== 0) return { text: word.rotated(middle, middle), flags };
  }
  return { text: word.rotated(stem - cluster, stem), flags: 0 };
}

/** Pig latin, when several words of the text end in it and become known ones. */
export const pigLatinDecoder: Decoder = {
  needs: 0,
  needsRuns: PIG_LATIN,
  decode({ shown, tokens }) {
    const edits: Edit[] = [];
    const word = new PigWord();
    word.text = shown.text;
    let known = 0;
    let triggers = 0;
    for (let i = 0; i < tokens.count; i += 1) {
      const start = tokens.start[i] ?? 0;
      const end = tokens.end[i] ?? 0;
      if (end - start > 24 || ((tokens.flags[i] ?? 0) & (KNOWN | EVERYDAY)) !== 0) continue;
      if ((shown.text.charCodeAt(end - 1) | 0x20) !== 0x79) continue;
      word.start = start;
      word.end = end;
      const plain = unpig(word);
      if (plain === undefined) continue;
      if (plain.flags !== 0) known += 1;
      if ((plain.flags & TRIGGER) !== 0) triggers += 1;
      edits.push({ start, end, text: plain.text, aligned: true });
    }
    if (known < 3 || triggers === 0) return undefined;
    return { name: 'pig-latin', layer: applyEdits(shown, edits), legible: true };
  },
};

function turned47(code: number): number {
  return code > 0x20 && code < 0x7f ? ((code - 33 + 47) % 94) + 33 : code;
}

/** Flags of a word turned by 47, 1 << 30 for one that turns into letters only, 0 for others. */
function turnedFlags(text: string, start: number, end: number): number {
  let hash = HASH_SEED;
  let letters = 0;
  let same = true;
  for (let i = start; i < end; i += 1) {
    const raw = text.charCodeAt(i);
    const code = turned47(raw);
    if (!isLetter(raw)) same = false;
    if (!isLetter(code)) {
      // Up to two marks may follow the word.
      if (letters < 2 || end - i > 2) return 0;
      break;
    }
    letters += 1;
    hash = hashStep(hash, code | 0x20);
  }
  const flags = lookUp(wordTable(), hash);
  if ((flags & KNOWN) !== 0) return flags;
  return same ? 0 : TURNED;
}

const TURNED = 1 << 30;

/** Two signs or more that turn into letters, and up to two more behind them, as a word by themselves. */
const TURNED_WORD = /(?:^| )[2-Kp-~!-+]{2,28}[^ ]{0,2}(?= |$)/u;

/** Words, as white space parts them, that rot47 turns into letters. */
export const rot47Decoder: Decoder = {
  needs: 0,
  needsRuns: TURNABLE,
  decode({ shown }) {
    const { text } = shown;
    // Small letters turn into digits, signs and capitals, so that signs and digits stand in words.
    const starts: number[] = [];
    let triggers = 0;
    let words = 0;
    const turned = new RegExp(TURNED_WORD, 'gu');
    while (turned.test(text)) {
      const end = turned.lastIndex;
      const at = text.lastIndexOf(' ', end - 1) + 1;
      const flags = end - at > 1 && end - at <= MAX_WORD ? turnedFlags(text, at, end) : 0;
      if (flags === 0) continue;
      starts.push(at);
      if ((flags & TRIGGER) !== 0) triggers += 1;
      if ((flags & KNOWN) !== 0) words += 1;
    }
    if (triggers === 0 || words < 2) return undefined;
    const edits: Edit[] = [];
    for (const start of starts) {
      let out = '';
      for (let i = start; i < text.length && text.charCodeAt(i) !== 0x20; i += 1) {
        out += String.fromCharCode(turned47(text.charCodeAt(i)));
      }
      if (isKnown(text.slice(start, start + out.length)) === 0) {
        edits.push({ start, end: start + out.length, text: out, aligned: true });
      }
    }
    if (edits.length === 0) return undefined;
    return { name: 'rot47', layer: applyEdits(shown, edits), legible: true };
  },
};

const MAX_WORD = 28;
