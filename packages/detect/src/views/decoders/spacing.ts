import { characterTable, WORD } from '../character-classes.js';
import type { Layer } from '../layer.js';
import { KNOWN, TRIGGER } from '../lexicon.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { letterCode, segment, trieStep, wordTrie } from '../segment.js';
import type { Tokens } from '../tokens.js';

/** Longest token of text that was cut into pieces of even length. */
const SHORT = 4;
/** Units between two pieces of one word. */
const MAX_GAP = 12;
/** Pieces that one word may be cut into. */
const MAX_PIECES = 18;
const MIN_PIECES = 5;
/** Length from which an unknown token may be several words. */
const GLUED = 9;

interface Scene {
  readonly layer: Layer;
  readonly text: string;
  readonly tokens: Tokens;
  readonly lower: Uint16Array;
}

function length({ tokens }: Scene, i: number): number {
  return (tokens.end[i] ?? 0) - (tokens.start[i] ?? 0);
}

function flags({ tokens }: Scene, i: number): number {
  return tokens.flags[i] ?? 0;
}

function isKnown(scene: Scene, i: number): boolean {
  const size = length(scene, i);
  if ((flags(scene, i) & KNOWN) === 0) return false;
  if (size > 1) return true;
  const letter = scene.text.charAt(scene.tokens.start[i] ?? 0);
  return letter === 'a' || letter === 'A' || letter === 'I' || letter === 'i';
}

function hasSpace(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === 0x20) return true;
  return false;
}

const CONTRACTED = /^(?:s|t|m|d|re|ll|ve)$/iu;

/** Whether a token is what an apostrophe leaves of a word: "it's", "don't". */
function isContraction({ text, tokens }: Scene, i: number): boolean {
  const start = tokens.start[i] ?? 0;
  const end = tokens.end[i] ?? 0;
  if (start < 2 || end - start > 2) return false;
  const code = text.charCodeAt(start - 1);
  return (code === 0x27 || code === 0x2019) && CONTRACTED.test(text.slice(start, end));
}

function gap({ tokens }: Scene, i: number): number {
  return (tokens.start[i + 1] ?? 0) - (tokens.end[i] ?? 0);
}

/** A sign between two tokens that leet uses as a letter, or -1. */
function signIn(text: string, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x40 || code === 0x24) return at;
  }
  return -1;
}

/** Separator and whether it was wider before white space was collapsed. */
function gapKey({ layer, text, tokens }: Scene, i: number): number {
  const end = tokens.end[i] ?? 0;
  const size = (tokens.start[i + 1] ?? 0) - end;
  const wide = layer.wide?.has(end) === true ? 1 : 0;
  return (wide * 16 + Math.min(size, 15)) * 65536 + text.charCodeAt(end);
}

function lowerCase({ text, lower }: Scene, at: number): string {
  const code = text.charCodeAt(at);
  return String.fromCharCode(lower[code] ?? code);
}

/** Letters in a row with where each stands and where a wider gap comes before it. */
interface Strip {
  readonly letters: string;
  readonly shown: string;
  readonly positions: number[];
  readonly walls: ReadonlySet<number>;
}

function strip(scene: Scene, from: number, to: number): Strip {
  const { text, tokens } = scene;
  const keys = new Map<number, number>();
  for (let i = from; i + 1 < to; i += 1) {
    const key = gapKey(scene, i);
    keys.set(key, (keys.get(key) ?? 0) + 1);
  }
  let usual = -1;
  for (const [key, count] of keys) if (count > (keys.get(usual) ?? 0)) usual = key;
  let letters = '';
  let shown = '';
  const positions: number[] = [];
  const walls = new Set<number>();
  const take = (at: number): void => {
    letters += lowerCase(scene, at);
    shown += text.charAt(at);
    positions.push(at);
  };
  for (let i = from; i < to; i += 1) {
    for (let at = tokens.start[i] ?? 0; at < (tokens.end[i] ?? 0); at += 1) take(at);
    if (i + 1 === to) break;
    const sign = signIn(text, tokens.end[i] ?? 0, tokens.start[i + 1] ?? 0);
    if (sign >= 0) take(sign);
    else if (gapKey(scene, i) !== usual) walls.add(letters.length);
  }
  return { letters, shown, positions, walls };
}

/** Cuts the strip into words, the walls kept when they part it into word-sized pieces. */
function spell({ letters, shown, positions, walls }: Strip): {
  readonly text: string;
  readonly positions: number[];
  readonly coverage: number;
  readonly triggers: number;
} {
  let text = '';
  const places: number[] = [];
  let covered = 0;
  let triggers = 0;
  const bounds = [...walls, letters.length];
  const useWalls = walls.size > 0 && letters.length / bounds.length >= 2;
  let start = 0;
  for (const end of useWalls ? bounds : [letters.length]) {
    const piece = letters.slice(start, end);
    const cut = segment(piece);
    covered += cut.coverage * piece.length;
    triggers += cut.triggers;
    // A piece between walls that is mostly unknown is a word of its own.
    const cuts = useWalls && cut.coverage < 0.6 && piece.length < 20 ? [0] : cut.cuts;
    for (const [k, from] of cuts.entries()) {
      const to = cuts[k + 1] ?? piece.length;
      if (text !== '') {
        text += ' ';
        places.push(positions[start + from] ?? 0);
      }
      text += shown.slice(start + from, start + to);
      for (let at = start + from; at < start + to; at += 1) places.push(positions[at] ?? 0);
    }
    start = end;
  }
  return { text, positions: places, coverage: covered / Math.max(1, letters.length), triggers };
}

/** Tokens of a few letters in a row, of which most are no words: spaced out, stacked, or in chunks. */
function shortRun(scene: Scene, from: number, edits: Edit[]): number {
  const { tokens } = scene;
  let to = from;
  let strange = 0;
  let single = 0;
  let letters = 0;
  let digits = 0;
  while (to < tokens.count && length(scene, to) <= SHORT) {
    if (to > from && gap(scene, to - 1) > MAX_GAP) break;
    const contracted = isContraction(scene, to);
    if (length(scene, to) === 1 && !contracted) single += 1;
    letters += length(scene, to);
    for (let at = tokens.start[to] ?? 0; at < (tokens.end[to] ?? 0); at += 1) {
      if (scene.text.charCodeAt(at) < 0x3a) digits += 1;
    }
    const lone = length(scene, to) === 1 && to > from && length(scene, to - 1) === 1;
    if (!contracted && (lone || !isKnown(scene, to))) strange += 1;
    to += 1;
  }
  const pieces = to - from;
  if (pieces < MIN_PIECES || strange * 2 < pieces || digits * 5 > letters * 3) return to;
  const spelled = spell(strip(scene, from, to));
  const spaced = single === pieces && pieces >= 8;
  if (spelled.coverage < 0.55 && !spaced) return to;
  const start = tokens.start[from] ?? 0;
  edits.push({
    start,
    end: tokens.end[to - 1] ?? start,
    text: spelled.text,
    positions: spelled.positions,
  });
  return to;
}

/** A known word that was cut somewhere: pieces of which not all are words, ending where it ends. */
function joined(scene: Scene, from: number, edits: Edit[]): number {
  const { text, tokens, lower } = scene;
  const trie = wordTrie();
  let node = 0;
  let size = 0;
  let best = -1;
  let strange = false;
  let tight = true;
  for (let i = from; i < tokens.count && i < from + MAX_PIECES; i += 1) {
    if (i > from) {
      if (gap(scene, i - 1) > MAX_GAP || isContraction(scene, i)) break;
      if (hasSpace(text, tokens.end[i - 1] ?? 0, tokens.start[i] ?? 0)) tight = false;
    }
    if (!isKnown(scene, i)) strange = true;
    const end = tokens.end[i] ?? 0;
    for (let at = tokens.start[i] ?? 0; at < end; at += 1) {
      const code = text.charCodeAt(at);
      node = trieStep(trie, node, letterCode(lower[code] ?? code));
      if (node === 0) break;
      size += 1;
    }
    if (node === 0) break;
    const found = trie.ends[node] ?? 0;
    if (
      i > from &&
      found > 0 &&
      size >= 3 &&
      (strange || tight) &&
      (found > 1 || tight || size > 5)
    )
      best = i;
  }
  if (best < 0) return from;
  const start = tokens.start[from] ?? 0;
  const positions: number[] = [];
  let word = '';
  for (let i = from; i <= best; i += 1) {
    for (let at = tokens.start[i] ?? 0; at < (tokens.end[i] ?? 0); at += 1) {
      word += text.charAt(at);
      positions.push(at);
    }
  }
  edits.push({ start, end: tokens.end[best] ?? start, text: word, positions });
  return best + 1;
}

/** Words written together, in CamelCase or not. */
function glued(scene: Scene, i: number, edits: Edit[]): boolean {
  const { text, tokens } = scene;
  const start = tokens.start[i] ?? 0;
  const end = tokens.end[i] ?? 0;
  let letters = '';
  let humps = 0;
  for (let at = start; at < end; at += 1) {
    const small = lowerCase(scene, at);
    if (at > start && small !== text.charAt(at)) humps += 1;
    letters += small;
  }
  const cut = segment(letters);
  const enough = humps >= 2 ? 0.6 : 0.8;
  if (cut.words < 2 || cut.coverage < enough || cut.triggers === 0) return false;
  if (cut.triggers < 2 && cut.words < 4) return false;
  let word = '';
  const positions: number[] = [];
  for (const [k, from] of cut.cuts.entries()) {
    const to = cut.cuts[k + 1] ?? letters.length;
    if (word !== '') {
      word += ' ';
      positions.push(start + from);
    }
    word += text.slice(start + from, start + to);
    for (let at = from; at < to; at += 1) positions.push(start + at);
  }
  edits.push({ start, end, text: word, positions });
  return true;
}

/** Whether the gap after a token is a separator that stands for a space. */
function isSeparator(scene: Scene, i: number): boolean {
  const size = gap(scene, i);
  if (size < 1 || size > 3) return false;
  const { text, tokens } = scene;
  const end = tokens.end[i] ?? 0;
  const code = text.charCodeAt(end);
  if (size === 1 && (code === 0x27 || code === 0x2019)) return false;
  return !hasSpace(text, end, end + size);
}

/** Known words in a row with something else than a space between them. */
function separated(scene: Scene, from: number, edits: Edit[]): number {
  const { tokens } = scene;
  let to = from;
  let triggers = 0;
  while (to < tokens.count) {
    if (isKnown(scene, to) && (flags(scene, to) & TRIGGER) !== 0) triggers += 1;
    if (to + 1 >= tokens.count) break;
    if (!isSeparator(scene, to) || !isKnown(scene, to) || !isKnown(scene, to + 1)) break;
    to += 1;
  }
  const count = to - from + 1;
  if (count < 3 || triggers < 2) return Math.max(from, to);
  for (let i = from; i < to; i += 1) {
    const start = tokens.end[i] ?? 0;
    const end = tokens.start[i + 1] ?? 0;
    edits.push({ start, end, text: ' ' });
  }
  return to;
}

/**
 * Finds words whose letters were pushed apart or words that were pushed together, and spaces them
 * as usual. One pass over the tokens; what one place costs is bounded by the longest word.
 */
export const spacingDecoder: Decoder = {
  decode({ shown, tokens }) {
    const { lower } = characterTable();
    const scene: Scene = { layer: shown, text: shown.text, tokens, lower };
    const edits: Edit[] = [];
    let i = 0;
    let tried = 0;
    let chained = 0;
    while (i < tokens.count) {
      const known = isKnown(scene, i);
      if (i >= tried && length(scene, i) <= SHORT) {
        const before = edits.length;
        tried = shortRun(scene, i, edits);
        if (edits.length > before) {
          i = tried;
          continue;
        }
      }
      if (i >= chained && i + 1 < tokens.count && isSeparator(scene, i)) {
        const before = edits.length;
        chained = separated(scene, i, edits);
        if (edits.length > before) {
          i = chained;
          continue;
        }
      }
      if (known && (i + 1 >= tokens.count || isKnown(scene, i + 1))) {
        i += 1;
        continue;
      }
      const next = joined(scene, i, edits);
      if (next > i) {
        i = next;
        continue;
      }
      if (!known && length(scene, i) >= GLUED) glued(scene, i, edits);
      i += 1;
    }
    if (edits.length === 0) return undefined;
    return { name: 'spacing', layer: applyEdits(shown, edits), legible: true };
  },
};

/** Tags that stand inside a line. */
const INLINE =
  /^<\/?(?:a|abbr|b|big|code|em|font|i|mark|s|small|span|strong|sub|sup|tt|u|wbr)\b[^<>]{0,200}>/iu;
const MARKS = ['**', '__', '~~', '``', '`', '*'] as const;

/** End of the markup that begins at a unit, or the unit itself. */
function markupEnd(text: string, at: number, comments: { closed: boolean }): number {
  const code = text.charCodeAt(at);
  if (code === 0x3c) {
    if (text.startsWith('<!--', at)) {
      if (!comments.closed) return at;
      const end = text.indexOf('-->', at + 4);
      if (end < 0) comments.closed = false;
      return end < 0 ? at : end + 3;
    }
    const tag = INLINE.exec(text.slice(at, at + 220));
    return tag === null ? at : at + tag[0].length;
  }
  for (const mark of MARKS) if (text.startsWith(mark, at)) return at + mark.length;
  return at;
}

/** Comments, inline tags and emphasis in the middle of a word are left out. */
export const markupDecoder: Decoder = {
  decode({ shown }) {
    const { text } = shown;
    if (!/[<*_~`]/u.test(text)) return undefined;
    const { word } = characterTable();
    const comments = { closed: true };
    const edits: Edit[] = [];
    let at = 1;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      const opens =
        code === 0x3c || code === 0x2a || code === 0x5f || code === 0x7e || code === 0x60;
      if (!opens || (word[text.charCodeAt(at - 1)] ?? 0) !== WORD) {
        at += 1;
        continue;
      }
      const start = at;
      let end = markupEnd(text, at, comments);
      let more = end > at ? markupEnd(text, end, comments) : end;
      while (more > end) {
        end = more;
        more = markupEnd(text, end, comments);
      }
      if (end > start && end < text.length && (word[text.charCodeAt(end)] ?? 0) === WORD) {
        edits.push({ start, end, text: '' });
      }
      at = Math.max(end, start + 1);
    }
    if (edits.length === 0) return undefined;
    return { name: 'spacing', layer: applyEdits(shown, edits), legible: true };
  },
};
