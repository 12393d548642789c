import { LayerBuilder } from '../layer.js';
import {
  BACKWARD,
  ENCODED_TRIGGER,
  KNOWN,
  MIRRORED,
  reverseText,
  SHIFT_MASK,
  SHIFT_OFFSET,
} from '../lexicon.js';
import { applyEdits, type Decoded, type Decoder, type Edit, type Reading } from '../reading.js';

/** Tokens between two encoded ones that are taken to be encoded too. */
const REACH = 4;
/** Letters of encoded words that make a cipher likely. */
const ENOUGH = 8;

/** Tokens, by index, that read as a word under one cipher and are none as they stand. */
function evidence({ tokens }: Reading, matches: (flags: number) => boolean): number[] {
  const found: number[] = [];
  for (let i = 0; i < tokens.count; i += 1) {
    const flags = tokens.flags[i] ?? 0;
    if ((flags & KNOWN) === 0 && flags !== 0 && matches(flags)) found.push(i);
  }
  return found;
}

/** Whether the evidence goes beyond chance: two words and enough letters, one of them a trigger. */
function suffices({ tokens }: Reading, found: readonly number[]): boolean {
  let letters = 0;
  let triggers = 0;
  for (const i of found) {
    const size = (tokens.end[i] ?? 0) - (tokens.start[i] ?? 0);
    if (size > 3) letters += size;
    if (size > 3 && ((tokens.flags[i] ?? 0) & ENCODED_TRIGGER) !== 0) triggers += 1;
  }
  return letters >= ENOUGH && triggers > 0 && (found.length > 1 || letters > 9);
}

/** Index ranges of tokens around the evidence. */
function regions(reading: Reading, found: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const i of found) {
    const last = ranges.at(-1);
    if (last !== undefined && i - last[1] <= REACH) last[1] = i;
    else ranges.push([i, i]);
  }
  return ranges.map(([from, to]) => [
    Math.max(0, from - REACH),
    Math.min(reading.tokens.count - 1, to + REACH),
  ]);
}

/** Decodes encoded tokens and the unknown ones among them, each in its place. */
function decodeTokens(
  name: string,
  reading: Reading,
  found: readonly number[],
  decode: (word: string) => string,
): Decoded {
  const { tokens, shown } = reading;
  const encoded = new Set(found);
  const edits: Edit[] = [];
  let next = 0;
  for (const [from, to] of regions(reading, found)) {
    for (let i = Math.max(from, next); i <= to; i += 1) {
      const start = tokens.start[i] ?? 0;
      const end = tokens.end[i] ?? 0;
      const plain = ((tokens.flags[i] ?? 0) & KNOWN) !== 0 && end - start > 2;
      if (plain && !encoded.has(i)) continue;
      const text = decode(shown.text.slice(start, end));
      const positions: number[] = [];
      for (let k = 0; k < text.length; k += 1) positions.push(Math.min(end - 1, start + k));
      edits.push({ start, end, text, positions });
    }
    next = to + 1;
  }
  return { name, layer: applyEdits(shown, edits), legible: true };
}

export function shiftLetters(text: string, by: number): string {
  let out = '';
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const base = code >= 0x61 && code <= 0x7a ? 0x61 : code >= 0x41 && code <= 0x5a ? 0x41 : 0;
    out += base === 0 ? text.charAt(i) : String.fromCharCode(((code - base + by) % 26) + base);
  }
  return out;
}

export function mirrorLetters(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 0x61 && code <= 0x7a) out += String.fromCharCode(0xdb - code);
    else if (code >= 0x41 && code <= 0x5a) out += String.fromCharCode(0x9b - code);
    else out += text.charAt(i);
  }
  return out;
}

/** Letters shifted by any amount; 13 is `rot13`, others `caesar`. */
export const caesarDecoder: Decoder = {
  decode(reading) {
    if ((reading.tokens.unknown & SHIFT_MASK) === 0) return undefined;
    const counts = new Map<number, number[]>();
    for (const i of evidence(reading, (flags) => (flags & SHIFT_MASK) !== 0)) {
      const by = ((reading.tokens.flags[i] ?? 0) & SHIFT_MASK) >> SHIFT_OFFSET;
      const list = counts.get(by);
      if (list === undefined) counts.set(by, [i]);
      else list.push(i);
    }
    const results: Decoded[] = [];
    for (const [by, found] of counts) {
      if (results.length >= 2 || !suffices(reading, found)) continue;
      const name = by === 13 ? 'rot13' : 'caesar';
      results.push(decodeTokens(name, reading, found, (word) => shiftLetters(word, 26 - by)));
    }
    return results;
  },
};

export const atbashDecoder: Decoder = {
  decode(reading) {
    if ((reading.tokens.unknown & MIRRORED) === 0) return undefined;
    const found = evidence(reading, (flags) => (flags & MIRRORED) !== 0);
    return suffices(reading, found)
      ? decodeTokens('atbash', reading, found, mirrorLetters)
      : undefined;
  },
};

/** Letters back to front: the whole text, and word by word. */
export const reversedDecoder: Decoder = {
  decode(reading) {
    if ((reading.tokens.unknown & BACKWARD) === 0) return undefined;
    const found = evidence(reading, (flags) => (flags & BACKWARD) !== 0);
    if (!suffices(reading, found)) return undefined;
    const { tokens } = reading;
    const from = tokens.start[Math.max(0, (found[0] ?? 0) - 12)] ?? 0;
    const to = tokens.end[Math.min(tokens.count - 1, (found.at(-1) ?? 0) + 12)] ?? 0;
    return [
      { name: 'reversed', layer: reverseRange(reading, from, to), legible: true },
      decodeTokens('reversed-letters', reading, found, reverseText),
    ];
  },
};

function reverseRange({ shown }: Reading, from: number, to: number): Decoded['layer'] {
  const { text } = shown;
  const positions = new Int32Array(to - from);
  let out = '';
  let count = 0;
  let low = 0;
  for (let at = to - 1; at >= from; at -= 1) {
    const code = text.charCodeAt(at);
    if (code >= 0xdc00 && code <= 0xdfff) {
      low = code;
      continue;
    }
    out += String.fromCharCode(code);
    positions[count] = at;
    count += 1;
    if (low === 0) continue;
    // A pair of surrogates stays in order.
    out += String.fromCharCode(low);
    positions[count] = at;
    count += 1;
    low = 0;
  }
  const builder = new LayerBuilder();
  builder.place(out, shown, positions);
  return builder.finish();
}
