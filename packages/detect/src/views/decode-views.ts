import type { Views } from '../types.js';
import { Search } from './search.js';

export interface DecodeOptions {
  /** False leaves only `original` and the notices of smuggled text. */
  readonly deobfuscate?: boolean;
  /** Decoders applied one after another to one reading; 12 when left out. */
  readonly maxDepth?: number;
  /** Readings made of one text; 64 when left out. */
  readonly maxReadings?: number;
  /**
   * UTF-16 units of all readings together. When left out, twice the text; for a text below 65,536 units, that
   * many and the text.
   */
  readonly maxUnits?: number;
  /** Told the UTF-16 units that a decoder is about to read, each time one is run. */
  readonly meter?: (units: number) => void;
}

const MAX_DEPTH = 12;
const MAX_READINGS = 64;
/** Units that any text may spend, however short it is, beyond as many as its own. */
const FREE_UNITS = 65_536;
/** Length from which readings of all decoders together come before those of each alone. */
const LONG = 16_384;

/**
 * All readings of a text: the original first, then what decoders make of it, any after any other,
 * the most telling first. Time and memory are linear in the text.
 */
export function decodeViews(text: string, options: DecodeOptions = {}): Views {
  const { deobfuscate = true, maxDepth = MAX_DEPTH, maxReadings = MAX_READINGS } = options;
  const { maxUnits = Math.max(FREE_UNITS, text.length) + text.length } = options;
  const bounds = { depth: maxDepth, readings: maxReadings, units: maxUnits };
  const search = new Search(text, bounds, options.meter);
  if (deobfuscate) search.run(text.length > LONG);
  else search.noticeHidden();
  return { views: search.views, notices: search.notices };
}
