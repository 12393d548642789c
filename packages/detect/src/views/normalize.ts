import {
  characterTable,
  INVISIBLE,
  isCompatibleAstral,
  isInvisibleAstral,
  JOINING,
  MARK,
  PLAIN,
  SPACE,
  SURROGATE,
} from './character-classes.js';
import { cutLayer, type Layer, LayerBuilder, ThinnedLayer } from './layer.js';
import { charactersOf, UNEVEN, UNSTABLE, WHITE } from './traits.js';

/** Marks beyond this many on one letter are drawn over each other; they are cut, as NFKC sorts them. */
const MAX_MARKS = 24;

/** White space that is more than one space. */
const SPACES =
  /(?: {2,}| ?[\t-\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])[\s\u0085]*/gu;

/** A text of which only the white space is collapsed. */
function collapse(layer: Layer): Layer {
  let text = layer.text.replace(SPACES, ' ');
  if (text.startsWith(' ')) text = text.slice(1);
  if (text.endsWith(' ')) text = text.slice(0, -1);
  return new ThinnedLayer(text, layer, spacedPlaces);
}

/** The units that are left when white space is collapsed; a space stands where the first of a run was. */
function spacedPlaces(text: string, size: number): Int32Array {
  const { kind } = characterTable();
  const at = new Int32Array(size);
  let count = 0;
  let spaced = true;
  for (let i = 0; count < size; i += 1) {
    const space = (kind[text.charCodeAt(i)] ?? PLAIN) === SPACE;
    if (space && spaced) continue;
    spaced = space;
    at[count] = i;
    count += 1;
  }
  return at;
}

/** Units for one that NFKC may make; of more, such as the 18 letters of U+FDFA, the first is taken. */
const MOST_EXPANSION = 4;
/** Units that NFKC may add to any text; a longer one may gain a quarter. From then on it keeps one letter of each. */
const FREE_GROWTH = 16_384;

function firstLetter(text: string): string {
  return /[\p{L}\p{N}]/u.exec(text)?.[0] ?? text.slice(0, 1);
}

/**
 * NFKC, invisible characters left out, white space collapsed to one space, case kept.
 * One pass; each unit of the result leads back to the raw text. `characters`: what is in the text, when that is known.
 */
export function normalize(layer: Layer, characters = charactersOf(layer.text)): Layer {
  const { text } = layer;
  if ((characters & UNSTABLE) === 0) {
    return (characters & (WHITE | UNEVEN)) === 0 ? layer : collapse(layer);
  }
  const { kind } = characterTable();
  const size = text.length;
  let started: LayerBuilder | undefined;
  const open = (): LayerBuilder => {
    started ??= new LayerBuilder();
    return started;
  };
  const known = new Map<string, string>();
  const nfkc = (chunk: string): string => {
    let result = known.get(chunk);
    if (result === undefined) {
      result = chunk.normalize('NFKC');
      // A phrase in one character would make a text many times as long.
      if (result.length > MOST_EXPANSION * chunk.length) result = firstLetter(result);
      if (known.size < 4096) known.set(chunk, result);
    }
    return result;
  };
  let from = 0;
  let at = 0;
  let growth = FREE_GROWTH + (size >> 2);
  const wide = new Set<number>();
  let spaced = true;

  while (at < size) {
    const code = text.charCodeAt(at);
    const type = kind[code] ?? PLAIN;
    if (type === PLAIN) {
      at += 1;
      spaced = false;
      continue;
    }
    if (type === SPACE) {
      if (code === 0x20 && !spaced) {
        at += 1;
        spaced = true;
        continue;
      }
      open().copy(layer, from, at);
      if (!spaced) open().put(' ', layer, at, at + 1);
      else if (open().length > 0) wide.add(open().length - 1);
      spaced = true;
      at += 1;
      from = at;
      continue;
    }
    if (type === INVISIBLE) {
      open().copy(layer, from, at);
      at += 1;
      from = at;
      continue;
    }
    let start = at;
    let end = at + 1;
    if (type === SURROGATE) {
      const point = text.codePointAt(at) ?? code;
      end = point > 0xffff ? at + 2 : at + 1;
      if (isInvisibleAstral(point)) {
        open().copy(layer, from, at);
        at = end;
        from = at;
        continue;
      }
      if (!isCompatibleAstral(point)) {
        at = end;
        spaced = false;
        continue;
      }
    }
    if ((type === MARK || type === JOINING) && at > from) {
      // What a mark composes with is the character before it, which is still in the open run.
      start = at - 1;
      if (start > from && (kind[text.charCodeAt(start)] ?? 0) === SURROGATE) start -= 1;
    }
    let marks = type === MARK ? 1 : 0;
    for (; end < size; end += 1) {
      const next = kind[text.charCodeAt(end)] ?? PLAIN;
      if (next === MARK) marks += 1;
      else if (next !== JOINING) break;
    }
    const stop = marks > MAX_MARKS ? end - (marks - MAX_MARKS) : end;
    const chunk = text.slice(start, stop);
    let normal = nfkc(chunk);
    if (normal.length > chunk.length) {
      growth -= normal.length - chunk.length;
      if (growth < 0) normal = firstLetter(normal);
    }
    if (normal !== chunk || stop !== end) {
      open().copy(layer, from, start);
      if (normal.length === 1 && normal === ' ') {
        if (!spaced) open().put(' ', layer, start, end);
        spaced = true;
      } else {
        open().put(normal, layer, start, end);
        spaced = false;
      }
      from = end;
    } else spaced = false;
    at = end;
  }
  if (started === undefined) return trimEnd(layer);
  started.copy(layer, from, size);
  return trimEnd(started.finish(wide));
}

function trimEnd(layer: Layer): Layer {
  return layer.text.endsWith(' ') ? cutLayer(layer, layer.text.length - 1) : layer;
}
