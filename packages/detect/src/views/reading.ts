import type { ViewNotice } from '../types.js';
import { type Layer, LayerBuilder, WholeLayer } from './layer.js';
import type { Tokens } from './tokens.js';

/** One reading while it is being decoded further. */
export interface Reading {
  /** As decoded: line breaks and invisible characters still in it. */
  readonly source: Layer;
  /** The same, normalised; this is what a view shows. */
  readonly shown: Layer;
  readonly tokens: Tokens;
  /** What characters are in the text, as given and normalised; the bits of `traits.ts`. */
  readonly traits: number;
  /** What its runs of letters and digits tell; the bits of `run-traits.ts`. */
  readonly runs: number;
}

/** `text` takes the place of `[start, end)`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** For each unit of `text` the unit that it stands for; without it the edit maps as a whole. */
  readonly positions?: ArrayLike<number>;
  /** Unit `k` of `text` stands for unit `start + k`, and for the last one when there are more. */
  readonly aligned?: boolean;
}

export interface Decoded {
  readonly name: string;
  readonly layer: Layer;
  /** False when the result is only a step, such as the outer of two encodings. */
  readonly legible: boolean;
  /** True when nothing new can be decoded in it: it is looked at by rules only. */
  readonly final?: boolean;
}

export interface Decoder {
  /**
   * Bits of {@link Reading.traits} of which one is there whenever the decoder makes anything of a text, unless one of
   * `needsRuns` is.
   */
  readonly needs: number;
  /** The same of {@link Reading.runs}. */
  readonly needsRuns: number;
  decode(
    reading: Reading,
    notice: (found: ViewNotice) => void,
  ): Decoded | readonly Decoded[] | undefined;
}

/** Text kept around an edit, in UTF-16 units, so that a rule sees what surrounds it. */
const CONTEXT = 240;
/** Below this length a reading is kept whole. */
const WHOLE = 2048;
/** Stands where text was left out. */
export const GAP = ' \u241e ';

/** The same in a view: a rule does not reach across it, as `.` stops at a line break. */
export function withBreaks(text: string): string {
  return text.includes('\u241e') ? text.replaceAll(GAP, '\n\u241e\n') : text;
}

/**
 * Applies edits (ascending, not overlapping) to a layer. Of a long layer only the surroundings of
 * the edits are kept, so that the cost of a view follows what was decoded and not the padding.
 */
export function applyEdits(layer: Layer, edits: readonly Edit[]): Layer {
  const size = layer.text.length;
  const whole = size <= WHOLE || layer instanceof WholeLayer;
  const builder = new LayerBuilder();
  let at = 0;
  for (const edit of edits) {
    if (!whole && edit.start - at > 2 * CONTEXT) {
      if (at > 0) {
        const cut = wordLimit(layer.text, at + CONTEXT, -1);
        builder.copy(layer, at, cut);
        builder.insert(GAP, layer, cut - 1);
      }
      at = wordLimit(layer.text, edit.start - CONTEXT, 1);
    }
    builder.copy(layer, at, edit.start);
    if (edit.aligned === true) builder.align(edit.text, layer, edit.start, edit.end);
    else if (edit.positions !== undefined) builder.place(edit.text, layer, edit.positions);
    else builder.put(edit.text, layer, edit.start, edit.end);
    at = edit.end;
  }
  const rest = at + CONTEXT < size ? wordLimit(layer.text, at + CONTEXT, -1) : size;
  builder.copy(layer, at, whole ? size : rest);
  return builder.finish();
}

/** A space near a place, so that no word is cut; the place itself when there is none. */
function wordLimit(text: string, place: number, step: 1 | -1): number {
  for (let i = 0; i < 48; i += 1)
    if (text.charCodeAt(place + i * step) === 0x20) return place + i * step;
  return place;
}
