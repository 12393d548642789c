import { judgeDecoded } from '../legibility.js';
import { PlacedText } from '../placed-text.js';
import type { Decoder } from '../reading.js';
import { HIDDEN } from '../traits.js';
import { ByteReader } from '../utf8.js';
import { type HiddenRun, showHidden, smuggled, strewn } from './hidden-text.js';

/** A row of selectors: which part of the bytes of the text it is. */
interface Run {
  readonly start: number;
  readonly end: number;
  /** From the first to after the last, among all bytes. */
  readonly from: number;
  readonly to: number;
}

/** All selectors of a text. */
interface Selectors {
  readonly runs: readonly Run[];
  /** Byte values: VS1–VS16 are 0–15, VS17–VS256 are 16–255. */
  readonly bytes: Uint8Array;
  readonly positions: Int32Array;
  readonly reader: ByteReader;
}

function byteAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0xfe00 && code <= 0xfe0f) return code - 0xfe00;
  if (code !== 0xdb40) return -1;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdd00 && low <= 0xddef ? low - 0xdd00 + 16 : -1;
}

function collect(text: string): Selectors {
  const runs: Run[] = [];
  const all = new PlacedText();
  let at = 0;
  while (at < text.length) {
    let byte = byteAt(text, at);
    if (byte < 0) {
      at += 1;
      continue;
    }
    const start = at;
    const from = all.size;
    while (byte >= 0) {
      all.put(byte, at);
      at += byte < 16 ? 1 : 2;
      byte = byteAt(text, at);
    }
    runs.push({ start, end: at, from, to: all.size });
  }
  const bytes = new Uint8Array(all.size);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = all.unit(i);
  return { runs, bytes, positions: Int32Array.from(all.places()), reader: new ByteReader() };
}

/** Other ways to number the selectors: from VS17, and from VS17 as the space. */
const OFFSETS = [0, -16, 16] as const;
/** Selectors one after another that no writing system has a use for. */
const NEVER_LEGITIMATE = 4;

/** What the bytes of one run, or of all runs as one, spell; `end` is the last place. */
function decode(
  { bytes, positions, reader }: Selectors,
  from: number,
  to: number,
): HiddenRun | undefined {
  if (to - from < 3) return undefined;
  for (const offset of OFFSETS) {
    reader.clear();
    let fits = true;
    for (let i = from; i < to && fits; i += 1) {
      fits = reader.push(((bytes[i] ?? 0) + offset) & 0xff, positions[i] ?? 0);
    }
    if (!fits) continue;
    const text = reader.text();
    if (judgeDecoded(text, 4) === 'noise') continue;
    const start = positions[from] ?? 0;
    return { start, end: (positions[to - 1] ?? 0) + 1, text, positions: reader.positions() };
  }
  return undefined;
}

/** Whether a run holds more than one kind of selector. */
function varies(bytes: Uint8Array, { from, to }: Run): boolean {
  for (let i = from + 1; i < to; i += 1) if (bytes[i] !== bytes[from]) return true;
  return false;
}

const WHAT = 'variation selectors';

/** Bytes written as variation selectors, behind one character or strewn behind many. */
export const variationSelectorsDecoder: Decoder = {
  needs: HIDDEN,
  needsRuns: 0,
  decode(reading, notice) {
    const { text } = reading.source;
    if (!/[\ufe00-\ufe0f]/u.test(text) && !text.includes('\udb40')) return undefined;
    const all = collect(text);
    const { runs, bytes } = all;
    const hidden: HiddenRun[] = [];
    for (const run of runs) {
      const decoded = decode(all, run.from, run.to);
      if (decoded !== undefined) hidden.push({ ...decoded, end: run.end });
      else if (run.to - run.from >= NEVER_LEGITIMATE && varies(bytes, run)) {
        hidden.push({ start: run.start, end: run.end, text: '', positions: [] });
      }
    }
    if (hidden.length === 0 && runs.length >= 6) {
      const whole = decode(all, 0, bytes.length);
      if (whole !== undefined && whole.text.length > FEW) {
        const { found, shown } = strewn('decoded', WHAT, reading, whole);
        if (found !== undefined) notice(found);
        return shown;
      }
      if (whole !== undefined) for (const one of apart(whole)) hidden.push(one);
    }
    const found = smuggled(reading, WHAT, hidden);
    if (found !== undefined) notice(found);
    return showHidden(
      'decoded',
      reading,
      hidden.filter((run) => run.text !== ''),
    );
  },
};

/** Up to this many units are shown where they stand. */
export const FEW = 2;

/** One run for each unit, as the characters stand apart in the text. */
export function apart(run: HiddenRun): HiddenRun[] {
  return Array.from(run.positions, (at, i) => ({
    start: at,
    end: at + 1,
    text: run.text.charAt(i),
    positions: [at],
  }));
}
