import { judgeDecoded } from '../legibility.js';
import type { Decoder } from '../reading.js';
import { ByteReader } from '../utf8.js';
import { type HiddenRun, showHidden, smuggled, strewn } from './hidden-text.js';

interface Run {
  readonly start: number;
  readonly end: number;
  /** Byte values: VS1–VS16 are 0–15, VS17–VS256 are 16–255. */
  readonly bytes: number[];
  readonly positions: number[];
}

function byteAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0xfe00 && code <= 0xfe0f) return code - 0xfe00;
  if (code !== 0xdb40) return -1;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdd00 && low <= 0xddef ? low - 0xdd00 + 16 : -1;
}

function collect(text: string): Run[] {
  const runs: Run[] = [];
  let at = 0;
  while (at < text.length) {
    let byte = byteAt(text, at);
    if (byte < 0) {
      at += 1;
      continue;
    }
    const start = at;
    const bytes: number[] = [];
    const positions: number[] = [];
    while (byte >= 0) {
      bytes.push(byte);
      positions.push(at);
      at += byte < 16 ? 1 : 2;
      byte = byteAt(text, at);
    }
    runs.push({ start, end: at, bytes, positions });
  }
  return runs;
}

/** Other ways to number the selectors: from VS17, and from VS17 as the space. */
const OFFSETS = [0, -16, 16] as const;
/** Selectors one after another that no writing system has a use for. */
const NEVER_LEGITIMATE = 4;

function decode(bytes: readonly number[], positions: readonly number[]): HiddenRun | undefined {
  if (bytes.length < 3) return undefined;
  for (const offset of OFFSETS) {
    const reader = new ByteReader();
    let fits = true;
    for (let i = 0; i < bytes.length && fits; i += 1) {
      fits = reader.push(((bytes[i] ?? 0) + offset) & 0xff);
    }
    if (!fits) continue;
    const decoded = reader.finish();
    if (judgeDecoded(decoded.text, 4) === 'noise') continue;
    return {
      start: positions[0] ?? 0,
      end: (positions.at(-1) ?? 0) + 1,
      text: decoded.text,
      positions: decoded.offsets.map((i) => positions[i] ?? 0),
    };
  }
  return undefined;
}

/** All runs as one. */
function together(runs: readonly Run[]): HiddenRun | undefined {
  const bytes: number[] = [];
  const positions: number[] = [];
  for (const run of runs) {
    for (let i = 0; i < run.bytes.length; i += 1) {
      bytes.push(run.bytes[i] ?? 0);
      positions.push(run.positions[i] ?? 0);
    }
  }
  return decode(bytes, positions);
}

const WHAT = 'variation selectors';

/** Bytes written as variation selectors, behind one character or strewn behind many. */
export const variationSelectorsDecoder: Decoder = {
  decode(reading, notice) {
    const { text } = reading.source;
    if (!/[\ufe00-\ufe0f]/u.test(text) && !text.includes('\udb40')) return undefined;
    const runs = collect(text);
    const hidden: HiddenRun[] = [];
    for (const run of runs) {
      const decoded = decode(run.bytes, run.positions);
      if (decoded !== undefined) hidden.push({ ...decoded, end: run.end });
      else if (run.bytes.length >= NEVER_LEGITIMATE && new Set(run.bytes).size > 1) {
        hidden.push({ start: run.start, end: run.end, text: '', positions: [] });
      }
    }
    if (hidden.length === 0 && runs.length >= 6) {
      const whole = together(runs);
      if (whole !== undefined && whole.text.length > FEW) {
        const { found, shown } = strewn('decoded', WHAT, reading, whole);
        if (found !== undefined) notice(found);
        return shown;
      }
      if (whole !== undefined) hidden.push(...apart(whole));
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
  return run.positions.map((at, i) => ({
    start: at,
    end: at + 1,
    text: run.text.charAt(i),
    positions: [at],
  }));
}
