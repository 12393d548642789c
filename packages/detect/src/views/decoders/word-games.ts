import { LayerBuilder } from '../layer.js';
import {
  ADJECTIVE,
  DETERMINER,
  hashWord,
  KNOWN,
  lookUp,
  NOUN,
  TRIGGER,
  VERB,
  wordTable,
} from '../lexicon.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';

function rank(flags: number): number {
  if ((flags & VERB) !== 0 && (flags & (NOUN | ADJECTIVE)) === 0) return 1;
  if ((flags & DETERMINER) !== 0) return 2;
  if ((flags & ADJECTIVE) !== 0) return 3;
  return (flags & NOUN) !== 0 ? 4 : 0;
}

/** Falling pairs (noun before adjective, adjective before "all", "all" before verb) in a row. */
const FALLING = 2;
/** Words on either side of a place where the order falls. */
const AROUND = 64;

/** Word order back to front, told by phrases such as "instructions previous all ignore". */
export const reversedWordsDecoder: Decoder = {
  decode({ shown, tokens }) {
    let falling = 0;
    let last = 0;
    let first = -1;
    let end = -1;
    for (let i = 0; i < tokens.count; i += 1) {
      const current = rank(tokens.flags[i] ?? 0);
      if (current > 0 && last > current) falling += 1;
      else falling = 0;
      last = current;
      if (falling < FALLING) continue;
      if (first < 0) first = i;
      end = i;
    }
    if (first < 0) return undefined;
    const from = Math.max(0, first - AROUND);
    const to = Math.min(tokens.count - 1, end + AROUND);
    const builder = new LayerBuilder((tokens.end[to] ?? 0) - (tokens.start[from] ?? 0));
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

/** The word that pig latin makes `word` of, known ones first. */
function unpig(word: string): { readonly text: string; readonly flags: number } | undefined {
  if (!/ay$/iu.test(word) || word.length < 4) return undefined;
  const without = (ending: string): { readonly text: string; readonly flags: number } => {
    const text = word.toLowerCase().endsWith(ending) ? word.slice(0, -ending.length) : '';
    return { text, flags: text === '' ? 0 : isKnown(text) };
  };
  const plain = without('way');
  if ((plain.flags & KNOWN) !== 0) return plain;
  const stem = word.slice(0, -2);
  const cluster = /[^aeiou]{0,6}$/iu.exec(stem)?.[0] ?? '';
  // The whole cluster of consonants first: "ethay" is "the" rather than "het".
  for (let size = Math.min(cluster.length, stem.length - 1); size > 0; size -= 1) {
    const text = (stem.slice(-size) + stem.slice(0, -size)).toLowerCase();
    const flags = isKnown(text);
    if ((flags & KNOWN) !== 0) return { text, flags };
  }
  const quick = /qu$/iu.test(stem) ? stem.slice(-2) + stem.slice(0, -2) : '';
  if (quick !== '' && (isKnown(quick) & KNOWN) !== 0) return { text: quick, flags: isKnown(quick) };
  for (const ending of ['yay', 'hay', 'ay']) {
    const found = without(ending);
    if ((found.flags & KNOWN) !== 0) return found;
  }
  return { text: cluster + stem.slice(0, stem.length - cluster.length), flags: 0 };
}

/** Pig latin, when several words of the text end in it and become known ones. */
export const pigLatinDecoder: Decoder = {
  decode({ shown, tokens }) {
    if (!/ay\b/iu.test(shown.text)) return undefined;
    const edits: Edit[] = [];
    let known = 0;
    let triggers = 0;
    for (let i = 0; i < tokens.count; i += 1) {
      const start = tokens.start[i] ?? 0;
      const end = tokens.end[i] ?? 0;
      if (end - start > 24 || ((tokens.flags[i] ?? 0) & KNOWN) !== 0) continue;
      if ((shown.text.charCodeAt(end - 1) | 0x20) !== 0x79) continue;
      const word = unpig(shown.text.slice(start, end));
      if (word === undefined) continue;
      if (word.flags !== 0) known += 1;
      if ((word.flags & TRIGGER) !== 0) triggers += 1;
      const positions = Array.from({ length: word.text.length }, (_, k) =>
        Math.min(end - 1, start + k),
      );
      edits.push({ start, end, text: word.text, positions });
    }
    if (known < 3 || triggers === 0) return undefined;
    return { name: 'pig-latin', layer: applyEdits(shown, edits), legible: true };
  },
};

/** Words, as white space parts them, that rot47 turns into letters. */
export const rot47Decoder: Decoder = {
  decode({ shown }) {
    const { text } = shown;
    const edits: Edit[] = [];
    let triggers = 0;
    let words = 0;
    let at = 0;
    while (at < text.length) {
      let end = text.indexOf(' ', at);
      if (end < 0) end = text.length;
      const size = end - at;
      const turned = size > 1 && size <= 28 ? turnWord(text, at, end) : '';
      if (turned !== '') {
        const flags = isKnown(turned.replace(/[^A-Za-z]+$/u, ''));
        if ((flags & TRIGGER) !== 0) triggers += 1;
        if ((flags & KNOWN) !== 0) words += 1;
        const positions = Array.from({ length: size }, (_, k) => at + k);
        edits.push({ start: at, end, text: turned, positions });
      }
      at = end + 1;
    }
    if (triggers === 0 || words < 2) return undefined;
    return { name: 'rot47', layer: applyEdits(shown, edits), legible: true };
  },
};

function turned47(code: number): number {
  return code > 0x20 && code < 0x7f ? ((code - 33 + 47) % 94) + 33 : code;
}

/** The word turned, when letters come of it that were not all letters before; else nothing. */
function turnWord(text: string, start: number, end: number): string {
  let out = '';
  let letters = 0;
  // Most words of ordinary text end here: a small letter past o turns into a digit or a sign.
  const first = turned47(text.charCodeAt(start)) | 0x20;
  if (first < 0x61 || first > 0x7a) return '';
  for (let i = start; i < end; i += 1) {
    const code = turned47(text.charCodeAt(i));
    const small = code | 0x20;
    if (small >= 0x61 && small <= 0x7a) letters += 1;
    else if (letters < 2 || end - i > 3) return '';
    out += String.fromCharCode(code);
  }
  if (/[^A-Za-z]/u.test(text.slice(start, end))) return out;
  return (isKnown(out) & KNOWN) !== 0 && (isKnown(text.slice(start, end)) & KNOWN) === 0 ? out : '';
}
