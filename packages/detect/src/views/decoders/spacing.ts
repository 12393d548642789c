import { FOREIGN } from '../character-classes.js';
import type { Layer } from '../layer.js';
import { EVERYDAY, KNOWN, TRIGGER } from '../lexicon.js';
import { MAX_GAP, MIN_PIECES, SHORT } from '../neighbours.js';
import type { PlacedText } from '../placed-text.js';
import { applyEdits, type Decoded, type Decoder, type Edit } from '../reading.js';
import { LONG_WORD, PIECES } from '../run-traits.js';
import { segment, TRIE_ROOT, trieStep, wordEnd, wordTrie } from '../segment.js';
import { beginsWord, mayFollow, wordBeginnings } from '../word-beginnings.js';
import { flags, gap, hasSpace, isContraction, isKnown, length, Scene } from './spacing-scene.js';

/** Pieces that one word may be cut into. */
const MAX_PIECES = 18;
/** Share of the letters of a run that words must cover. */
const COVERED = 0.55;
/** Length from which an unknown token may be several words. */
const GLUED = 9;

/** A sign between two tokens that leet uses as a letter, or -1. */
function signIn(text: string, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x40 || code === 0x24) return at;
  }
  return -1;
}

/** Separator and whether it was wider before white space was collapsed. */
function gapKey({ wide, text, tokens }: Scene, i: number): number {
  const end = tokens.end[i] ?? 0;
  const size = (tokens.start[i + 1] ?? 0) - end;
  const wider = wide !== undefined && wide.has(end) ? 1 : 0;
  return (wider * 16 + Math.min(size, 15)) * 65536 + text.charCodeAt(end);
}

/** Letters in a row with where each stands and where a wider gap comes before it. */
interface Strip {
  readonly letters: PlacedText;
  readonly walls: readonly number[];
}

/** The gap that stands most often between tokens; notes the kinds of all of them. */
function usualGap(scene: Scene, from: number, to: number): number {
  const { kinds } = scene;
  const count = to - 1 - from;
  let alike = true;
  for (let i = 0; i < count; i += 1) {
    const kind = gapKey(scene, from + i);
    kinds[i] = kind;
    if (kind !== kinds[0]) alike = false;
  }
  if (count < 1 || alike) return count < 1 ? -1 : (kinds[0] ?? -1);
  // Most runs have few kinds of gaps: a short list is quicker than a map.
  const { found, times } = scene;
  let size = 0;
  for (let i = 0, row = 0; i < count; i += 1) {
    row += 1;
    // Neighbours are mostly alike, so that few are looked up.
    if (i + 1 < count && kinds[i + 1] === kinds[i]) continue;
    const kind = kinds[i] ?? -1;
    let k = 0;
    while (k < size && found[k] !== kind) k += 1;
    if (k === size && size < MOST_KINDS) {
      found[k] = kind;
      times[k] = 0;
      size += 1;
    }
    if (k < size) times[k] = (times[k] ?? 0) + row;
    row = 0;
  }
  let usual = 0;
  for (let k = 1; k < size; k += 1) if ((times[k] ?? 0) > (times[usual] ?? 0)) usual = k;
  return found[usual] ?? -1;
}

/** Kinds of gaps in one run that are counted, the first that come. */
const MOST_KINDS = 16;

function strip(scene: Scene, from: number, to: number): Strip {
  const { text, tokens, kinds, letters } = scene;
  const usual = usualGap(scene, from, to);
  const walls: number[] = [];
  for (let i = from; i < to; i += 1) {
    const end = tokens.end[i] ?? 0;
    for (let at = tokens.start[i] ?? 0; at < end; at += 1) letters.put(text.charCodeAt(at), at);
    if (i + 1 === to) break;
    const sign = signIn(text, end, tokens.start[i + 1] ?? 0);
    if (sign >= 0) letters.put(text.charCodeAt(sign), sign);
    else if (kinds[i - from] !== usual) walls.push(letters.size);
  }
  return { letters, walls };
}

/** Cuts the strip into words, the walls kept when they part it into word-sized pieces. */
function spell(
  { letters, walls }: Strip,
  out: PlacedText,
): { readonly coverage: number; readonly triggers: number } {
  const shown = letters.text();
  let covered = 0;
  let triggers = 0;
  const useWalls = walls.length > 0 && shown.length / (walls.length + 1) >= 2;
  let start = 0;
  for (let wall = useWalls ? 0 : walls.length; wall <= walls.length; wall += 1) {
    const end = walls[wall] ?? shown.length;
    const size = end - start;
    // No word that counts is so short.
    const cut = useWalls && size < 3 ? TINY : segment(shown, start, end);
    covered += cut.coverage * size;
    triggers += cut.triggers;
    // A piece between walls that is mostly unknown is a word of its own.
    const cuts = useWalls && cut.coverage < 0.6 && size < 20 ? WHOLE : cut.cuts;
    putWords(out, letters, start, end, cuts);
    start = end;
  }
  return { coverage: covered / Math.max(1, shown.length), triggers };
}

const WHOLE: readonly number[] = [0];
const TINY = { cuts: WHOLE, coverage: 0, triggers: 0 } as const;

/** Appends `[start, end)` with a space before each cut, except at the very beginning. */
function putWords(
  out: PlacedText,
  letters: PlacedText,
  start: number,
  end: number,
  cuts: readonly number[],
): void {
  let next = 0;
  for (let at = start; at < end; at += 1) {
    if (at - start === cuts[next]) {
      next += 1;
      if (out.size > 0) out.put(0x20, letters.place(at));
    }
    out.put(letters.unit(at), letters.place(at));
  }
}

/** The end of a run of short tokens that are words for the most part, as in prose; -1 for another. */
function proseEnd(scene: Scene, from: number): number {
  const { start, end, flags: known, count } = scene.tokens;
  let strange = 0;
  let to = from;
  for (; to < count; to += 1) {
    const begin = start[to] ?? 0;
    const size = (end[to] ?? 0) - begin;
    if (size > SHORT || (to > from && begin - (end[to - 1] ?? 0) > MAX_GAP)) break;
    // A letter by itself may be no word, whatever the lexicon says.
    if (size === 1 || ((known[to] ?? 0) & KNOWN) === 0) strange += 1;
  }
  const pieces = to - from;
  return pieces < MIN_PIECES || strange * 2 < pieces ? to : -1;
}

/** Tokens of a few letters in a row, of which most are no words: spaced out, stacked, or in chunks. */
function shortRun(scene: Scene, from: number, edits: Edit[]): number {
  const { tokens } = scene;
  const prose = proseEnd(scene, from);
  if (prose >= 0) return prose;
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
  const spelledOut = single >= 8 && single * 4 >= pieces * 3;
  // Digits stand in no word, so that words could not cover enough of it.
  if (!spelledOut && digits > letters * (1 - COVERED)) return to;
  const { out } = scene;
  const spelled = spell(strip(scene, from, to), out);
  let first = from;
  let last = to - 1;
  if (spelled.coverage < COVERED) {
    if (!spelledOut) return to;
    // Letters of an unknown language, or enciphered; short words around them stay.
    while (length(scene, first) > 1) first += 1;
    while (length(scene, last) > 1) last -= 1;
    if (single < pieces) spell(strip(scene, first, last + 1), out);
  }
  const start = tokens.start[first] ?? 0;
  const end = tokens.end[last] ?? start;
  edits.push({ start, end, text: out.text(), positions: out.places() });
  return to;
}

/** A known word that was cut somewhere: pieces of which not all are words, ending where it ends. */
function joined(scene: Scene, from: number, edits: Edit[]): number {
  const { text, tokens } = scene;
  const trie = wordTrie();
  let state = TRIE_ROOT;
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
      state = trieStep(trie, state, text.charCodeAt(at));
      if (state === 0) break;
      size += 1;
    }
    if (state === 0) break;
    const found = wordEnd(state);
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
  const { out } = scene;
  for (let i = from; i <= best; i += 1) {
    const end = tokens.end[i] ?? 0;
    for (let at = tokens.start[i] ?? 0; at < end; at += 1) out.put(text.charCodeAt(at), at);
  }
  edits.push({ start, end: tokens.end[best] ?? start, text: out.text(), positions: out.places() });
  return best + 1;
}

/** Whether a word may go on after a token: cheap, and right for most that are no piece of one. */
function mayJoin({ text, tokens: { hash, shape, start }, lower }: Scene, i: number): boolean {
  if ((((shape[i] ?? 0) | (shape[i + 1] ?? 0)) & FOREIGN) !== 0) return true;
  const letter = lower[text.charCodeAt(start[i + 1] ?? 0)] ?? 0;
  const beginnings = wordBeginnings();
  const before = hash[i] ?? 0;
  return beginsWord(beginnings, before) !== 0 && mayFollow(beginnings, before, letter);
}

/** Words written together, in CamelCase or not. */
function glued(scene: Scene, i: number, edits: Edit[]): boolean {
  const { text, tokens, lower } = scene;
  const start = tokens.start[i] ?? 0;
  const end = tokens.end[i] ?? 0;
  let humps = 0;
  for (let at = start + 1; at < end && humps < 2; at += 1) {
    const code = text.charCodeAt(at);
    if (lower[code] !== code) humps += 1;
  }
  const enough = humps >= 2 ? 0.6 : 0.8;
  const cut = segment(text, start, end, enough);
  if (cut.words < 2 || cut.coverage < enough || cut.triggers === 0) return false;
  if (cut.triggers < 2 && cut.words < 4) return false;
  const { out } = scene;
  let next = 1;
  for (let at = start; at < end; at += 1) {
    if (at - start === cut.cuts[next]) {
      next += 1;
      out.put(0x20, at);
    }
    out.put(text.charCodeAt(at), at);
  }
  edits.push({ start, end, text: out.text(), positions: out.places() });
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
  needs: 0,
  needsRuns: PIECES | LONG_WORD,
  decode({ shown, tokens, runs }) {
    const scene = new Scene(shown, tokens);
    const edits: Edit[] = [];
    if ((runs & PIECES) === 0) {
      for (let i = 0; i < tokens.count; i += 1)
        if (isLongStranger(scene, i)) glued(scene, i, edits);
      return spaced(shown, edits);
    }
    const { count, start, end, flags: known } = tokens;
    let i = 0;
    let tried = 0;
    let chained = 0;
    while (i < count) {
      const size = (end[i] ?? 0) - (start[i] ?? 0);
      if (i >= tried && size <= SHORT) {
        const before = edits.length;
        tried = shortRun(scene, i, edits);
        if (edits.length > before) {
          i = tried;
          continue;
        }
      }
      const last = i + 1 >= count;
      if (
        i >= chained &&
        !last &&
        (start[i + 1] ?? 0) - (end[i] ?? 0) <= 3 &&
        isSeparator(scene, i)
      ) {
        const before = edits.length;
        chained = separated(scene, i, edits);
        if (edits.length > before) {
          i = chained;
          continue;
        }
      }
      // Most words are known, and so is the next one.
      const both = (known[i] ?? 0) & (last ? KNOWN : (known[i + 1] ?? 0)) & KNOWN;
      if (both !== 0 && isKnown(scene, i) && (last || isKnown(scene, i + 1))) {
        i += 1;
        continue;
      }
      const next = mayJoin(scene, i) ? joined(scene, i, edits) : i;
      if (next > i) {
        i = next;
        continue;
      }
      if (isLongStranger(scene, i)) glued(scene, i, edits);
      i += 1;
    }
    return spaced(shown, edits);
  },
};

function isLongStranger(scene: Scene, i: number): boolean {
  return length(scene, i) >= GLUED && (flags(scene, i) & (KNOWN | EVERYDAY)) === 0;
}

function spaced(shown: Layer, edits: readonly Edit[]): Decoded | undefined {
  if (edits.length === 0) return undefined;
  return { name: 'spacing', layer: applyEdits(shown, edits), legible: true };
}
