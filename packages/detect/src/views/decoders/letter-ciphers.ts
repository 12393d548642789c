import { LayerBuilder } from '../layer.js';
import {
  BACKWARD,
  ENCODED_TRIGGER,
  KNOWN,
  MIRRORED,
  SHIFT_MASK,
  SHIFT_OFFSET,
} from '../lexicon.js';
import { PlacedText, textOfUnits } from '../placed-text.js';
import { applyEdits, type Decoded, type Decoder, type Edit, type Reading } from '../reading.js';
import { BACKWARD_WORD, MIRRORED_WORD, SHIFTED_WORD } from '../run-traits.js';

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

/** Changes units from one to before another where they stand. */
type Change = (units: Uint16Array, from: number, to: number) => void;

/** Decodes encoded tokens and the unknown ones among them, each in its place. */
function decodeTokens(
  name: string,
  reading: Reading,
  found: readonly number[],
  change: Change,
): Decoded {
  const { tokens, shown } = reading;
  const { text } = shown;
  const edits: Edit[] = [];
  let next = 0;
  let place = 0;
  for (const [from, to] of regions(reading, found)) {
    const first = Math.max(from, next);
    if (first > to) continue;
    const start = tokens.start[first] ?? 0;
    const end = tokens.end[to] ?? 0;
    const units = new Uint16Array(end - start);
    for (let at = start; at < end; at += 1) units[at - start] = text.charCodeAt(at);
    for (let i = first; i <= to; i += 1) {
      while (place < found.length && (found[place] ?? 0) < i) place += 1;
      const [low, high] = [tokens.start[i] ?? 0, tokens.end[i] ?? 0];
      const plain = ((tokens.flags[i] ?? 0) & KNOWN) !== 0 && high - low > 2;
      if (!plain || found[place] === i) change(units, low - start, high - start);
    }
    edits.push({ start, end, text: textOfUnits(units, units.length), aligned: true });
    next = to + 1;
  }
  return { name, layer: applyEdits(shown, edits), legible: true };
}

function shifted(by: number): Change {
  return (units, from, to) => {
    for (let i = from; i < to; i += 1) {
      const code = units[i] ?? 0;
      const small = code | 0x20;
      if (small < 0x61 || small > 0x7a) continue;
      units[i] = ((small - 0x61 + by) % 26) + (code - small) + 0x61;
    }
  };
}

const mirrored: Change = (units, from, to) => {
  for (let i = from; i < to; i += 1) {
    const code = units[i] ?? 0;
    const small = code | 0x20;
    if (small >= 0x61 && small <= 0x7a) units[i] = 0xdb - small + (code - small);
  }
};

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Back to front; pairs of surrogates stay in order. */
const reversed: Change = (units, from, to) => {
  units.subarray(from, to).reverse();
  for (let i = from; i + 1 < to; i += 1) {
    const [low, high] = [units[i] ?? 0, units[i + 1] ?? 0];
    if (!isLow(low) || high < 0xd800 || high > 0xdbff) continue;
    units[i] = high;
    units[i + 1] = low;
    i += 1;
  }
};

/** Letters shifted by any amount; 13 is `rot13`, others `caesar`. */
export const caesarDecoder: Decoder = {
  needs: 0,
  needsRuns: SHIFTED_WORD,
  decode(reading) {
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
      results.push(decodeTokens(name, reading, found, shifted(26 - by)));
    }
    return results;
  },
};

export const atbashDecoder: Decoder = {
  needs: 0,
  needsRuns: MIRRORED_WORD,
  decode(reading) {
    const found = evidence(reading, (flags) => (flags & MIRRORED) !== 0);
    return suffices(reading, found) ? decodeTokens('atbash', reading, found, mirrored) : undefined;
  },
};

/** Letters back to front: the whole text, and word by word. */
export const reversedDecoder: Decoder = {
  needs: 0,
  needsRuns: BACKWARD_WORD,
  decode(reading) {
    const found = evidence(reading, (flags) => (flags & BACKWARD) !== 0);
    if (!suffices(reading, found)) return undefined;
    const { tokens } = reading;
    const from = tokens.start[Math.max(0, (found[0] ?? 0) - 12)] ?? 0;
    const to = tokens.end[Math.min(tokens.count - 1, (found.at(-1) ?? 0) + 12)] ?? 0;
    return [
      { name: 'reversed', layer: reverseRange(reading, from, to), legible: true },
      decodeTokens('reversed-letters', reading, found, reversed),
    ];
  },
};

function reverseRange({ shown }: Reading, from: number, to: number): Decoded['layer'] {
  const { text } = shown;
  const out = new PlacedText(to - from);
  for (let at = to - 1; at >= from; at -= 1) {
    const code = text.charCodeAt(at);
    if (code >= 0xdc00 && code <= 0xdfff) continue;
    out.put(code, at);
    // A pair of surrogates stays in order.
    const low = at + 1 < to ? text.charCodeAt(at + 1) : 0;
    if (low >= 0xdc00 && low <= 0xdfff) out.put(low, at);
  }
  const builder = new LayerBuilder();
  builder.place(out.text(), shown, out.places());
  return builder.finish();
}
