import { characterTable, lazily } from '../character-classes.js';
import type { Layer, Wide } from '../layer.js';
import { KNOWN } from '../lexicon.js';
import { PlacedText } from '../placed-text.js';
import type { Tokens } from '../tokens.js';

/** One for all texts, since the decoder is done with it when it returns. */
const room = lazily(() => ({
  kinds: [] as number[],
  found: [] as number[],
  times: [] as number[],
  letters: new PlacedText(ROOM),
  out: new PlacedText(ROOM),
}));

/** Letters of a run that there is room for at first. */
const ROOM = 256;

/** What one reading is made of, and room that is used again and again. */
export class Scene {
  readonly layer: Layer;
  readonly text: string;
  readonly tokens: Tokens;
  readonly lower = characterTable().lower;
  #wide: Wide | undefined;
  #looked = false;
  /** Kinds of the gaps of the run that is looked at. */
  readonly kinds = room().kinds;
  /** Kinds that were found in it, and how often each. */
  readonly found = room().found;
  readonly times = room().times;

  constructor(layer: Layer, tokens: Tokens) {
    this.layer = layer;
    this.text = layer.text;
    this.tokens = tokens;
  }

  /** Spaces that stand for several; found out when a run of short tokens comes. */
  get wide(): Wide | undefined {
    if (!this.#looked) this.#wide = this.layer.wide;
    this.#looked = true;
    return this.#wide;
  }

  /** Empty, for the letters of a run. */
  get letters(): PlacedText {
    const { letters } = room();
    letters.clear();
    return letters;
  }

  /** Empty, for the words of a run. */
  get out(): PlacedText {
    const { out } = room();
    out.clear();
    return out;
  }
}

export function length({ tokens }: Scene, i: number): number {
  return (tokens.end[i] ?? 0) - (tokens.start[i] ?? 0);
}

export function flags({ tokens }: Scene, i: number): number {
  return tokens.flags[i] ?? 0;
}

export function isKnown(scene: Scene, i: number): boolean {
  const size = length(scene, i);
  if ((flags(scene, i) & KNOWN) === 0) return false;
  if (size > 1) return true;
  const letter = scene.text.charAt(scene.tokens.start[i] ?? 0);
  return letter === 'a' || letter === 'A' || letter === 'I' || letter === 'i';
}

export function hasSpace(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === 0x20) return true;
  return false;
}

const CONTRACTED = /^(?:s|t|m|d|re|ll|ve)$/iu;

/** Whether a token is what an apostrophe leaves of a word: "it's", "don't". */
export function isContraction({ text, tokens }: Scene, i: number): boolean {
  const start = tokens.start[i] ?? 0;
  if (start < 2) return false;
  const end = tokens.end[i] ?? 0;
  const code = text.charCodeAt(start - 1);
  if (end - start > 2) return false;
  return (code === 0x27 || code === 0x2019) && CONTRACTED.test(text.slice(start, end));
}

export function gap({ tokens }: Scene, i: number): number {
  return (tokens.start[i + 1] ?? 0) - (tokens.end[i] ?? 0);
}
